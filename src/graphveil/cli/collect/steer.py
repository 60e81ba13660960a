"""`graphveil collect pause | resume | cancel | delete`: what an operator does to a campaign that runs or is over."""

from __future__ import annotations

from typing import Annotated

import typer

from graphveil.cli.collect.options import DEFAULT_SERVER, DEFAULT_TOKEN, OperatorToken, Server, WhichCampaign, operator
from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_line

Confirmed = Annotated[bool, typer.Option("--yes", help="Do not ask; needed where nobody can answer.")]


def pause(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    as_json: AsJson = False,
) -> None:
    """Take no more enrolments and reports until the campaign is resumed. Deadlines stay where they are.

    Example: graphveil collect pause --campaign 3f9a
    """
    _steer("pause", campaign, server, token, as_json)


def resume(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    as_json: AsJson = False,
) -> None:
    """Let a paused campaign go on. After a restore: only one whose round had not ended since the backup.

    Example: graphveil collect resume --campaign 3f9a
    """
    _steer("resume", campaign, server, token, as_json)


def cancel(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    yes: Confirmed = False,
    as_json: AsJson = False,
) -> None:
    """End a campaign without a result and erase its reports. What people were charged stays charged.

    Example: graphveil collect cancel --campaign 3f9a --yes
    """
    if not yes:
        typer.confirm("Its reports are erased and there will be no result. Cancel the campaign?", abort=True)
    _steer("cancel", campaign, server, token, as_json)


def delete(
    campaign: WhichCampaign = None,
    server: Server = DEFAULT_SERVER,
    token: OperatorToken = DEFAULT_TOKEN,
    yes: Confirmed = False,
    as_json: AsJson = False,
) -> None:
    """Remove a campaign that is over, with its result and its roster. What people have spent stays.

    Example: graphveil collect delete --campaign 3f9a --yes
    """
    if not yes:
        typer.confirm("Its result will be gone. Delete the campaign?", abort=True)
    with operator(server, token) as client:
        found = client.find(campaign)
        client.delete(found)
    if as_json:
        print_json({"id": found, "deleted": True})
    else:
        print_line(f"campaign {found[:12]} was deleted")


def _steer(action: str, campaign: str | None, server: str, token: OperatorToken, as_json: bool) -> None:
    with operator(server, token) as client:
        answer = client.steer(client.find(campaign), action)
    if as_json:
        print_json(answer)
    else:
        paused = ", paused" if answer["paused"] else ""
        print_line(f"{answer['title']} is {answer['state']}{paused}, round {answer['round']} of {answer['rounds']}")
