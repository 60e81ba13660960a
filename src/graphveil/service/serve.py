"""Starting a server: the first operator's token, then uvicorn until somebody stops it."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import Connection

from graphveil.errors import ParameterError
from graphveil.service.auth import Role
from graphveil.service.parties.keys import KeyFolder
from graphveil.service.parties.party import Party
from graphveil.service.service import Service
from graphveil.service.settings import Settings
from graphveil.service.store import people

GRACE_SECONDS = 30
FIRST_OPERATOR = "operator"


def open_collector(settings: Settings) -> tuple[Service, Path | None]:
    """A collector with its database up to date and an operator; and the file of the token, if one was written.

    A database that is not there yet is not made beside the token of another: that would be a mistyped name, and the
    token would be lost.
    """
    if is_new(settings.database):
        check_token_file(
            settings,
            f"and {settings.database} is empty: correct --database, put a backup back with `collect restore`, "
            f"or, for a new collector, {_ELSEWHERE}",
        )
    service = Service.open(settings)
    return service, ensure_operator(service)


_ELSEWHERE = "name another file for its token (--operator-token-file FILE)"


def is_new(address: str) -> bool:
    """Whether an address is that of a SQLite file that does not exist yet, or holds nothing."""
    file = address.removeprefix("sqlite:///")
    return "://" not in file and not (Path(file).exists() and Path(file).stat().st_size)


def check_token_file(settings: Settings, why: str) -> None:
    """Refuse to write a token over another one."""
    path = Path(settings.operator_token_file)
    if path.exists() and path.stat().st_size:
        raise ParameterError(f"{path} holds an operator's token already; {why}")


def ensure_operator(service: Service) -> Path | None:
    """On a new database, make an operator and write the token to its file; the file, if it was written."""
    with service.database.write() as connection:
        if people.has_staff(connection):
            return None
        check_token_file(service.settings, f"and the database knows no operator: correct --database, or {_ELSEWHERE}")
        return make_first_operator(service.settings, connection)


def make_first_operator(settings: Settings, connection: Connection) -> Path:
    """Make an operator and write the token to its file, which must be new or empty.

    It happens within a transaction: an operator whose token nobody has must not remain.
    """
    path = Path(settings.operator_token_file)
    token = people.add_staff(connection, FIRST_OPERATOR, Role.OPERATOR)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(handle, "w") as file:
            path.chmod(0o600)  # also a file that was there before
            file.write(token + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ParameterError(f"cannot write the operator's token to {path}: {error.strerror}") from None
    return path


def open_party(settings: Settings, role: str) -> tuple[Party, Path | None]:
    """A leader, helper or dealer, as `open_collector`; its secrets lie in a folder beside its database."""
    if not settings.operator:
        raise ParameterError("people must be told who runs this server: give --operator NAME")
    if not settings.keys and "://" in settings.database:
        raise ParameterError("say with --keys FOLDER where the secrets of this party lie; not in the database")
    service, written = open_collector(settings)
    folder = Path(settings.keys or f"{settings.database}.keys")
    return Party(service, role, KeyFolder(folder)), written


def run_server(service: Service, app: FastAPI) -> None:
    """Serve until SIGINT or SIGTERM; requests in flight are finished."""
    import uvicorn

    from graphveil.service.server.connections import LARGEST_HEAD, Room, guarded
    from graphveil.service.server.logs import log_config

    settings: Settings = service.settings
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.certificate_key or None,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=GRACE_SECONDS,
        http=guarded(Room(proxies=frozenset(each.strip() for each in settings.trusted_proxies.split(",")))),
        h11_max_incomplete_event_size=LARGEST_HEAD,
        log_config=log_config(settings.log_format),
        access_log=False,
        server_header=False,
    )
