"""`graphveil collect serve`: run a collector."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.collect.options import service_extra
from graphveil.cli.output import note

if TYPE_CHECKING:
    from graphveil.service.service import Service

Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in TOML; flags and GRAPHVEIL_… win.")]
DatabaseAddress = Annotated[
    str | None, typer.Option(metavar="DB", help="A SQLite file (default graphveil.db) or postgresql://user@host/name.")
]
Host = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address to listen on (default 127.0.0.1).")]
Port = Annotated[int | None, typer.Option(metavar="N", help="Port to listen on (default 8137).")]
Memory = Annotated[
    int | None, typer.Option(metavar="MB", help="What closing a campaign may take (default 4096); larger are refused.")
]


def serve(
    config: Config = None,
    database: DatabaseAddress = None,
    host: Host = None,
    port: Port = None,
    public_url: Annotated[str | None, typer.Option(metavar="URL", help="Address in invitations.")] = None,
    certificate: Annotated[str | None, typer.Option(metavar="PEM", help="TLS certificate chain.")] = None,
    certificate_key: Annotated[str | None, typer.Option(metavar="PEM", help="TLS key.")] = None,
    trusted_proxies: Annotated[
        str | None, typer.Option(metavar="IPS", help="Proxies whose X-Forwarded-For counts.")
    ] = None,
    log_format: Annotated[str | None, typer.Option(metavar="FORM", help="Log as text (default) or json.")] = None,
    person_limit: Annotated[str | None, typer.Option(metavar="E", help="Epsilon a person may spend in all.")] = None,
    memory: Memory = None,
) -> None:
    """Run a collector: campaigns, reports and results over HTTP. Stops on Ctrl-C when requests in flight are done.

    Example: graphveil collect serve --database graphveil.db
    """
    flags = {
        "database": database,
        "host": host,
        "port": port,
        "public_url": public_url,
        "certificate": certificate,
        "certificate_key": certificate_key,
        "trusted_proxies": trusted_proxies,
        "log_format": log_format,
        "person_limit": person_limit,
        "memory_mb": memory,
    }
    serve_until_stopped(open_service(config, flags))


def open_service(config: Path | None, flags: dict[str, Any]) -> Service:
    """A collector with its database up to date and an operator; says where a new token is."""
    with service_extra():
        from graphveil.service.serve import open_collector
        from graphveil.service.settings import Settings

    service, written = open_collector(Settings.load(config, flags=flags))
    if written:
        note(f"the operator's token is in {written}; keep it to yourself")
    return service


def serve_until_stopped(service: Service) -> None:
    """Serve; the address is said on stderr."""
    from graphveil.service.serve import run_server

    note(f"collecting at {service.settings.url}; stop with Ctrl-C")
    run_server(service)
