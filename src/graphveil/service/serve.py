"""Starting a server: the first operator's token, then uvicorn until somebody stops it."""

from __future__ import annotations

import os
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.service.app import create_app
from graphveil.service.auth import Role
from graphveil.service.service import Service
from graphveil.service.settings import Settings
from graphveil.service.store import people

GRACE_SECONDS = 30
FIRST_OPERATOR = "operator"


def ensure_operator(service: Service) -> Path | None:
    """On a new database, make an operator and write the token to its file; the file, if it was written."""
    path = Path(service.settings.operator_token_file)
    with service.database.write() as connection:
        if people.has_staff(connection):
            return None
        token = people.add_staff(connection, FIRST_OPERATOR, Role.OPERATOR)
        try:  # within the transaction: an operator whose token nobody has must not remain
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as file:
                path.chmod(0o600)  # also a file that was there before
                file.write(token + "\n")
        except OSError as error:
            raise ParameterError(f"cannot write the operator's token to {path}: {error.strerror}") from None
    return path


def run_server(service: Service) -> None:
    """Serve until SIGINT or SIGTERM; requests in flight are finished."""
    import uvicorn

    settings: Settings = service.settings
    uvicorn.run(
        create_app(service),
        host=settings.host,
        port=settings.port,
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.certificate_key or None,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=GRACE_SECONDS,
        log_level="info",
        access_log=False,
        server_header=False,
    )
