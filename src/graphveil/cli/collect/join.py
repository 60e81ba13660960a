"""`graphveil collect join`: take part in a campaign."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphveil.cli.collect.options import read_lines, service_extra
from graphveil.cli.options import AsJson
from graphveil.cli.output import note, print_json, print_line
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.local.messages import Report
    from graphveil.service.client.participant import Participant

_SHOWN = 64  # bytes of a report


def join(
    invitation: Annotated[str, typer.Argument(metavar="LINK", help="Your invitation, in quotes.")],
    friends: Annotated[Path, typer.Option(metavar="FILE", help="Your friends, one name a line. It stays here.")],
    diary: Annotated[Path, typer.Option(metavar="FILE", help="Where this device remembers.")] = Path("my.diary"),
    budget: Annotated[str | None, typer.Option(metavar="E", help="Epsilon you give in all; asked once.")] = None,
    token: Annotated[str, typer.Option(metavar="TOKEN", help="Yours, if the link has none.")] = "",
    strength: Annotated[int, typer.Option(metavar="N", help="Which of the offered promises.")] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before sending.")] = False,
    wait: Annotated[bool, typer.Option(help="Stay for the later rounds.")] = True,
    as_json: AsJson = False,
) -> None:
    """Answer a campaign from your own friend list. Only a perturbed answer leaves this device; you see it first.

    What was sent once is remembered and never sent differently. Run it again at any time: it goes on where it was.

    Example: graphveil collect join "http://…/join/…#ann:gvp…" --friends friends.txt --budget 2
    """
    with service_extra():
        from graphveil.service.client.api import Api
        from graphveil.service.client.diary import Diary
        from graphveil.service.client.invitation import Invitation
        from graphveil.service.client.participant import Participant

    invited = Invitation.parse(invitation)
    listed = read_lines(friends, "friend list")
    with Api(invited.url, token or invited.token) as api:
        person = Participant(api, invited.campaign_id, invited.name, listed, Diary(diary, budget), choice=strength)
        if not as_json:
            _explain(person)
        ask = not yes and not as_json
        if ask and person.answered == 0:
            typer.confirm("Take part?", abort=True)
        person.enrol()
        sent = _answer_rounds(person, wait=wait, ask=ask, quiet=as_json)
    if as_json:
        print_json({"campaign": invited.campaign_id, "rounds": sent, "guarantee": person.guarantee.to_json()})


def _answer_rounds(person: Participant, *, wait: bool, ask: bool, quiet: bool) -> list[dict[str, object]]:
    """Answer each round when it opens; without waiting, only the one that is open."""
    sent: list[dict[str, object]] = []
    pause = 0.5
    while len(sent) < person.campaign.rounds:
        progress = person.progress()
        number = len(sent) + 1
        if progress.round < number and progress.state in ("open", "closing"):
            if not wait:
                note(f"round {number} is not open yet; run this again later")
                return sent
            time.sleep(pause)
            pause = min(30.0, pause * 1.5)
            continue
        if number > person.answered and (progress.state != "open" or progress.round != number):
            raise ParameterError(f"round {number} can no longer be answered: the campaign is {progress.state}")
        report = person.answer(number, progress.publications[: number - 1])
        if not quiet:
            _show(report)
        if ask:  # a refusal leaves the answer in the diary: another try sends the same one, never a nicer one
            typer.confirm("Send it?", abort=True)
        person.send(report)
        sent.append({"round": number, "payload": report.payload.hex()})
        if not quiet:
            print_line(f"round {number} of {person.campaign.rounds}: sent and counted")
    return sent


def _explain(person: Participant) -> None:
    campaign, guarantee = person.campaign, person.guarantee
    cost = campaign.protocol.cost()
    print_line(f"{campaign.title}: {campaign.protocol.statistic}, asked of {campaign.n_people:,} people")
    print_line(f"promise:  {guarantee}")
    print_line(
        f"sent:     about {cost.upload_bits_per_user:,.0f} bits in {campaign.rounds} round(s), shown before they go"
    )
    print_line("learned:  that you take part, and the odds of any list against any other change by at most e^epsilon")
    if len(campaign.protocol.guarantees) > 1:
        for i, offered in enumerate(campaign.protocol.guarantees):
            print_line(f"strength {i}: {offered}" + (" (chosen)" if offered is guarantee else ""))


def _show(report: Report) -> None:
    text = report.payload[:_SHOWN].hex()
    more = f"… ({len(report.payload):,} bytes)" if len(report.payload) > _SHOWN else ""
    print_line(f"your answer to round {report.round}: {text}{more}")
