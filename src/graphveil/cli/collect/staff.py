"""`graphveil collect renew-token` and `collect staff …`: tokens of people, operators and gateways."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.collect.options import CampaignOptions, OperatorOptions, secret_file, service_extra, write_links
from graphveil.cli.command import Command, group_options
from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_result, print_table
from graphveil.errors import ParameterError

app = typer.Typer(help="Operators and gateways of a collector.", rich_markup_mode=None, no_args_is_help=True)
TokenFile = Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the new token goes; must be new.")]
StaffName = Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is.")]


@group_options
def renew_token(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="People who lost their link.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the new links go; must be new.")],
    which: CampaignOptions,
    as_json: AsJson = False,
) -> None:
    """Write new links for people who lost theirs; the old ones end. What they have spent and sent stays.

    Example: graphveil collect renew-token ann bob --out renewed.csv
    """
    with service_extra():
        from graphveil.service.client.invitation import Invitation

    with which.connect() as (client, found):
        strangers = sorted(set(names) - client.roster(found))
        if strangers:
            raise ParameterError(f"campaign {found[:12]} did not invite {', '.join(strangers)}; no token was renewed")
        with secret_file(out, keep=True) as file:
            url = which.server.rstrip("/")
            write_links(file, ((name, Invitation(url, found, name, client.renew_token(name)).link) for name in names))
    print_result(
        {"id": found, "renewed": names, "links": str(out)},
        f"{len(names)} new link(s) are in {out}; the old ones have ended",
        as_json=as_json,
    )


@app.command("add", cls=Command)
@group_options
def add(
    *,
    name: StaffName,
    out: TokenFile,
    role: Annotated[str, typer.Option(metavar="ROLE", help="operator, or gateway: relays reports only.")] = "operator",
    at: OperatorOptions,
    as_json: AsJson = False,
) -> None:
    """Make another operator or a gateway, and write their token to a file.

    Example: graphveil collect staff add bea --role operator --out bea.token
    """
    with at.connect() as client, secret_file(out) as file:
        file.write(client.add_staff(name, role) + "\n")
    print_result(
        {"name": name, "role": role, "token": str(out)}, f"{name} is {role} now; the token is in {out}", as_json=as_json
    )


@app.command("remove", cls=Command)
@group_options
def remove(name: StaffName, at: OperatorOptions, as_json: AsJson = False) -> None:
    """End the token of another operator or of a gateway.

    Example: graphveil collect staff remove bea
    """
    with at.connect() as client:
        client.remove_staff(name)
    print_result({"name": name, "removed": True}, f"the token of {name} has ended", as_json=as_json)


@app.command("list", cls=Command)
@group_options
def list_staff(at: OperatorOptions, as_json: AsJson = False) -> None:
    """Show who runs this collector.

    Example: graphveil collect staff list
    """
    with at.connect() as client:
        known = client.staff()
    if as_json:
        print_json({"staff": known})
    else:
        print_table("staff", ("name", "role"), [(each["name"], each["role"]) for each in known])
