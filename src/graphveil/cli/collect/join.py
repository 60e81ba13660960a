"""`graphveil collect join`: take part in a campaign."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphveil.cli.collect.consent import NOTHING_SENT, confirm_friends, explain_campaign, say_friends
from graphveil.cli.collect.options import read_lines, service_extra
from graphveil.cli.options import AsJson
from graphveil.cli.output import confirm, note, print_json, print_line
from graphveil.errors import ParameterError
from graphveil.privacy.rounding import text_up

if TYPE_CHECKING:
    from graphveil.local.messages import Report
    from graphveil.service.client.diary import Diary
    from graphveil.service.client.invitation import Invitation
    from graphveil.service.client.participant import Participant

_SHOWN = 64  # bytes of a report


def join(
    invitation: Annotated[str, typer.Argument(metavar="LINK", help="Your invitation, in quotes.")],
    friends: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Your friends, or whom you follow, a name a line. It stays here."),
    ] = None,
    answer: Annotated[
        str | None, typer.Option(metavar="VALUE", help="Your answer, where a campaign asks a question. It stays here.")
    ] = None,
    diary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File in which this device records what you sent and spent (default: in your own folder).",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="E",
            help="The most epsilon you will spend in all campaigns. Needed once; --raise-budget raises it later.",
        ),
    ] = None,
    raise_budget: Annotated[
        bool, typer.Option("--raise-budget", help="Raise your limit to --budget. What you have spent stays counted.")
    ] = False,
    token: Annotated[
        str, typer.Option(metavar="TOKEN", help="Your secret token, if the link does not contain it.")
    ] = "",
    strength: Annotated[int, typer.Option(metavar="N", help="Which of the offered promises.")] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before sending.")] = False,
    replace_device: Annotated[
        bool,
        typer.Option("--replace-device", help="Answer from here: the device you joined with is lost and sent nothing."),
    ] = False,
    wait: Annotated[bool, typer.Option(help="Stay for the later rounds.")] = True,
    as_json: AsJson = False,
) -> None:
    """Answer a campaign from your own friend list.

    Only a perturbed answer leaves this device, and you see it first. In a campaign with two servers the exact answer
    leaves it in two parts, one for each; neither server alone can read it.

    An answer that was sent once is never changed. Run the command again at any time: it goes on where it stopped.

    Example: graphveil collect join "http://…/join/…#ann:gvp…" --friends friends.txt --budget 2
    """
    with service_extra():
        from graphveil.service.client.api import Api
        from graphveil.service.client.diary import Diary, usual_place
        from graphveil.service.client.invitation import Invitation
        from graphveil.service.client.participant import Participant

    invited = Invitation.parse(invitation)
    if not (token.strip() or invited.token):
        raise ParameterError(
            "this link has no token, because you were asked here before: give the one of your first link with --token, "
            "or ask the operator for a new link; nothing was sent"
        )
    if (friends is None) == (answer is None):
        raise ParameterError("give --friends FILE, your list, or --answer VALUE where a campaign asks a question")
    listed = [] if friends is None else read_lines(friends, "friend list", may_be_empty=True)
    kept = Diary(diary or usual_place(), budget)
    if invited.is_for_two_servers:
        ask = not yes and not as_json
        _join_two_servers(invited, listed, answer, kept, ask=ask, wait=wait, as_json=as_json, more=raise_budget)
        return
    with Api(invited.url, token.strip() or invited.token) as api:
        person = Participant(api, invited.campaign_id, invited.name, listed, kept, choice=strength, answer=answer)
        if not as_json:
            explain_campaign(person)
        ask = not yes and not as_json
        cost = Fraction(0) if person.answered else person.guarantee.epsilon
        _settle_limit(kept, cost, ask=ask, more=raise_budget)
        if friends is not None:
            say_friends(person)
        if friends is not None and person.answered == 0:
            confirm_friends(person, ask=ask)
        if ask and person.answered == 0:
            confirm(f"Take part? The collector is told, and epsilon {text_up(cost)} is charged", NOTHING_SENT)
        person.enrol(replace_device=replace_device)
        sent = _answer_rounds(person, wait=wait, ask=ask, quiet=as_json)
        found = _suggestions(person, wait=wait, quiet=as_json) if person.campaign.protocol.publishes_at_end else {}
    if as_json:
        print_json({"campaign": invited.campaign_id, "rounds": sent, "guarantee": person.guarantee.to_json(), **found})


def _join_two_servers(
    invited: Invitation,
    listed: list[str],
    answer: str | None,
    diary: Diary,
    *,
    ask: bool,
    wait: bool,
    as_json: bool,
    more: bool,
) -> None:
    from graphveil.cli.collect.two_servers import explain
    from graphveil.service.client.two_servers import TwoServerParticipant

    with TwoServerParticipant(invited, listed, diary, answer=answer) as person:
        if not as_json:
            explain(person)
        if not person.is_done:
            if not diary.has_drawn(person.campaign.id):
                _settle_limit(diary, person.campaign.guarantee.epsilon, ask=ask, more=more)
            if answer is None:
                say_friends(person)
                confirm_friends(person, ask=ask)
            if ask:
                cost = text_up(person.campaign.guarantee.epsilon)
                confirm(f"Take part? Both servers are told, and epsilon {cost} is charged", NOTHING_SENT)
        receipts = person.answer(wait=wait)
    if receipts is None:
        note("your noisy degree is sent; run this again when the servers have published where lists are cut")
    if as_json:
        guarantee = person.campaign.guarantee.to_json()
        print_json({"campaign": invited.campaign_id, "receipts": receipts or {}, "guarantee": guarantee})
    elif receipts is not None:
        print_line("sent: both servers have signed for their share")


def _settle_limit(diary: Diary, cost: Fraction, *, ask: bool, more: bool) -> None:
    """Refuse a limit below the cost before it is on file; raise the one on file where its owner says so."""
    diary.check_limit(cost)
    if diary.asks_for_more and (more or ask):
        if not more:
            confirm(f"Your limit is epsilon {_limit_of(diary)}. Raise it to that of --budget?", NOTHING_SENT)
        diary.raise_limit()
        note(f"your limit is epsilon {_limit_of(diary)} now; what you have spent stays counted")


def _limit_of(diary: Diary) -> str:
    return text_up(diary.limit or Fraction(0))


def _answer_rounds(person: Participant, *, wait: bool, ask: bool, quiet: bool) -> list[dict[str, object]]:
    """Answer each round when it opens; without waiting, only the one that is open."""
    sent: list[dict[str, object]] = []
    pause = 0.5
    while len(sent) < person.campaign.rounds:
        progress = person.progress()
        number = len(sent) + 1
        if (progress.round < number or progress.paused) and progress.state in ("open", "closing"):
            if not wait:
                note(f"round {number} is {'paused' if progress.paused else 'not open yet'}; run this again later")
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
            confirm(
                "Send it?",
                "this answer was not sent; what was charged stays charged, and running the same command "
                "again offers the same answer at no further cost",
            )
        is_new = person.send(report)
        sent.append({"round": number, "payload": report.payload.hex()})
        if not quiet:
            now = "sent and counted" if is_new else "counted before; it counts once"
            print_line(f"round {number} of {person.campaign.rounds}: {now}")
    return sent


def _suggestions(person: Participant, *, wait: bool, quiet: bool) -> dict[str, object]:
    """Wait for the noisy graph and suggest friends from it, on this device."""
    from graphveil.local.suggestions.score import stands_out

    pause = 0.5
    while (progress := person.progress()).state in ("open", "closing"):
        if not wait:
            note("suggestions can be made when the campaign is over; run this again then")
            return {"suggestions": None}
        time.sleep(pause)
        pause = min(30.0, pause * 1.5)
    if progress.state != "done":
        raise ParameterError(f"there are no suggestions: the campaign is {progress.state}")
    best = person.suggested(progress.publications)
    clear = {name: stands_out(each, person.campaign.n_people) for name, each in best}
    if not quiet:
        print_line("suggested to you, computed here; nobody is told:")
        for name, each in best:
            doubt = "" if clear[name] else "; may be chance"
            shared = min(max(each.in_common, 0), person.matched)
            print_line(f"  {name}: about {shared:.0f} friends in common (± {each.std:.1f}{doubt})")
        if not best:
            print_line("  nobody: none of your friends is on the roster")
    told = [
        {"name": name, "in_common": each.in_common, "std": each.std, "stands_out": clear[name]} for name, each in best
    ]
    return {"suggestions": told}


def _show(report: Report) -> None:
    text = report.payload[:_SHOWN].hex()
    more = f"… ({len(report.payload):,} bytes)" if len(report.payload) > _SHOWN else ""
    print_line(f"your answer to round {report.round}: {text}{more}")
