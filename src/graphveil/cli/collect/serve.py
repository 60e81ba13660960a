"""`graphveil collect serve | backup | restore`: run a collector, copy it, and go on from a copy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphveil.cli.collect.options import service_extra
from graphveil.cli.command import group_options
from graphveil.cli.options import AsJson
from graphveil.cli.output import note, number, print_json, print_line, print_result, working
from graphveil.errors import ParameterError
from graphveil.privacy.loss import MAX_EPSILON, exact

if TYPE_CHECKING:
    from graphveil.service.service import Service
    from graphveil.service.settings import Settings

Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings in TOML. Options and GRAPHVEIL_… variables come first.")
]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where a server keeps its data and listens."""

    config: Config = None
    database: Annotated[
        str | None,
        typer.Option(metavar="DB", help="A SQLite file (default graphveil.db) or postgresql://user@host/name."),
    ] = None
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address to listen on (default 127.0.0.1).")] = (
        None
    )
    port: Annotated[int | None, typer.Option(metavar="N", help="Port to listen on (default 8137).")] = None
    memory: Annotated[
        int | None,
        typer.Option(
            metavar="MB", help="Memory that closing a campaign may take (default 4096); larger campaigns are refused."
        ),
    ] = None

    def settings(self, **further: str | None) -> Settings:
        """The settings that follow from these and further options, the environment and the file."""
        with service_extra():
            from graphveil.service.settings import Settings

        flags = {"database": self.database, "host": self.host, "port": self.port, "memory_mb": self.memory}
        return Settings.load(self.config, flags={**flags, **further})


@group_options
def serve(
    server: ServerOptions,
    public_url: Annotated[str | None, typer.Option(metavar="URL", help="Address in invitations.")] = None,
    certificate: Annotated[str | None, typer.Option(metavar="PEM", help="TLS certificate chain.")] = None,
    certificate_key: Annotated[str | None, typer.Option(metavar="PEM", help="TLS key.")] = None,
    trusted_proxies: Annotated[
        str | None, typer.Option(metavar="IPS", help="Proxies whose X-Forwarded-For counts.")
    ] = None,
    log_format: Annotated[str | None, typer.Option(metavar="FORM", help="Log as text (default) or json.")] = None,
    person_limit: Annotated[str | None, typer.Option(metavar="E", help="Epsilon a person may spend in all.")] = None,
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help="Be the leader, helper or dealer of campaigns with two servers.")
    ] = None,
    operator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who runs this party, as people read it.")
    ] = None,
    keys: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Secrets of this party (default: beside its SQLite file).")
    ] = None,
    operator_token_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the operator's token is written, once.")
    ] = None,
) -> None:
    """Run a collector: campaigns, reports and results over HTTP. Stops on Ctrl-C when requests in flight are done.

    With --role it is one party of campaigns with two servers. Each party needs a database, a folder of keys, a machine
    and an operator of its own. Keep the folder of keys out of backups of the database.

    Example: graphveil collect serve --database graphveil.db
    """
    settings = server.settings(
        public_url=public_url,
        certificate=certificate,
        certificate_key=certificate_key,
        trusted_proxies=trusted_proxies,
        log_format=log_format,
        person_limit=person_limit,
        operator=operator,
        keys=keys,
        operator_token_file=operator_token_file,
    )
    if role is None:
        serve_until_stopped(open_service(settings))
    else:
        _serve_party(settings, role)


def _serve_party(settings: Settings, role: str) -> None:
    with service_extra():
        from graphveil.service.parties.app import create_party_app
        from graphveil.service.serve import open_party, run_server
    from graphveil.two_servers.parties.names import ROLES

    if role not in ROLES:
        raise ParameterError(f"--role is {', '.join(ROLES)}, not {role!r}")
    party, written = open_party(settings, role)
    if written:
        note(f"the operator's token is in {written}; keep it to yourself")
    note(f"{role} of {settings.operator} at {settings.url}; stop with Ctrl-C")
    note(f"its key, for other operators to compare: {party.keys.public}")
    run_server(party.service, create_party_app(party))


def open_service(settings: Settings) -> Service:
    """A collector with its database up to date and an operator; says where a new token is."""
    with service_extra():
        from graphveil.service.serve import open_collector

    service, written = open_collector(settings)
    if written:
        note(f"the operator's token is in {written}; keep it to yourself")
    return service


def serve_until_stopped(service: Service) -> None:
    """Serve; the address is said on stderr."""
    from graphveil.service.app import create_app
    from graphveil.service.serve import run_server

    note(f"collecting at {service.settings.url}; stop with Ctrl-C")
    run_server(service, create_app(service))


def backup(
    database: Annotated[str, typer.Argument(metavar="DATABASE", help="The SQLite file of a collector, in use or not.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the copy goes; must be new.")],
    as_json: AsJson = False,
) -> None:
    """Copy the database of a collector that may be running. The copy is checked, and is one file.

    Example: graphveil collect backup graphveil.db --out monday.backup
    """
    with service_extra():
        from graphveil.service.backups import back_up

    with working(f"copying {database}"):
        held = back_up(database, out)
    line = f"{number(held.people)} people, {number(held.campaigns)} campaigns, {number(held.reports)} reports"
    document = {"backup": str(out), **asdict(held)}
    print_result(document, f"{out}: {line}; keep it as safe as the database", as_json=as_json)


def restore(
    database: Annotated[str, typer.Option(metavar="DB", help="The new database; without FILE, one that was put back.")],
    later_epsilon: Annotated[
        str, typer.Option(metavar="E", help="Sum of the epsilons of campaigns created after the backup; 0 if none was.")
    ],
    backup: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="What `collect backup` wrote.")] = None,
    token: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the new operator's token goes; must be new.")
    ] = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Make a collector from a backup. What it cannot know is assumed to have been spent.

    Whoever could still join a campaign counts as charged for it. Campaigns that ran are paused until you resume or
    cancel them. Earlier operators' tokens end, and a new one is written. To move a collector that was stopped, copy its
    file and serve it: nothing is unknown then.

    Example: graphveil collect restore monday.backup --database new.db --later-epsilon 0
    """
    with service_extra():
        from graphveil.service.backups import restore as restore_backup
        from graphveil.service.settings import Settings

    settings = Settings.load(config, flags={"database": database, "operator_token_file": token})
    later = exact(later_epsilon, "--later-epsilon")
    if not 0 <= later <= MAX_EPSILON:
        raise ParameterError(f"--later-epsilon must be from 0 to {MAX_EPSILON:,}, not {later_epsilon}")
    restored = restore_backup(backup, settings, later)
    if as_json:
        print_json({"paused": restored.paused, "charged": restored.charged, "token_file": str(restored.token_file)})
        return
    print_line(
        f"restored; the new operator's token is in {restored.token_file}; add other operators and gateways again"
    )
    print_line(f"{number(restored.charged)} enrolments were charged, since they may have happened after the backup")
    for each in restored.paused:
        print_line(
            f"campaign {each[:12]} is paused: resume it if its round had not ended since the backup, else cancel it"
        )
