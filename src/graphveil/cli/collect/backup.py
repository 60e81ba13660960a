"""`graphveil collect backup | restore`: copy a collector, and go on from a copy without forgetting what was spent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.collect.options import service_extra
from graphveil.cli.collect.serve import Config
from graphveil.cli.options import AsJson
from graphveil.cli.output import number, print_json, print_line, working
from graphveil.errors import ParameterError
from graphveil.privacy.loss import MAX_EPSILON, exact


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
    if as_json:
        held_json = {"people": held.people, "campaigns": held.campaigns, "reports": held.reports}
        print_json({"backup": str(out), **held_json})
    else:
        print_line(
            f"{out}: {number(held.people)} people, {number(held.campaigns)} campaigns, {number(held.reports)} reports; "
            "keep it as safe as the database"
        )


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
