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
from graphveil.privacy.odds import local_meaning
from graphveil.privacy.rounding import text_up

if TYPE_CHECKING:
    from graphveil.local.campaign import Campaign
    from graphveil.local.messages import Report
    from graphveil.service.client.diary import Diary
    from graphveil.service.client.invitation import Invitation
    from graphveil.service.client.participant import Participant
    from graphveil.service.client.two_servers import TwoServerParticipant

_SHOWN = 64  # bytes of a report
_NAMES = 20  # shown of those that are not on the roster


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
        str | None, typer.Option(metavar="E", help="The most epsilon you will spend in all campaigns; asked once.")
    ] = None,
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
        _join_two_servers(invited, listed, answer, kept, ask=ask, wait=wait, as_json=as_json)
        return
    with Api(invited.url, token.strip() or invited.token) as api:
        person = Participant(api, invited.campaign_id, invited.name, listed, kept, choice=strength, answer=answer)
        if not as_json:
            explain_campaign(person)
        ask = not yes and not as_json
        if friends is not None:
            say_friends(person)
        if friends is not None and person.answered == 0:
            confirm_friends(person, ask=ask)
        if ask and person.answered == 0:
            cost = text_up(person.guarantee.epsilon)
            typer.confirm(f"Take part? The collector is told, and epsilon {cost} is charged", abort=True)
        person.enrol(replace_device=replace_device)
        sent = _answer_rounds(person, wait=wait, ask=ask, quiet=as_json)
        found = _suggestions(person, wait=wait, quiet=as_json) if person.campaign.protocol.publishes_at_end else {}
    if as_json:
        print_json({"campaign": invited.campaign_id, "rounds": sent, "guarantee": person.guarantee.to_json(), **found})


def _join_two_servers(
    invited: Invitation, listed: list[str], answer: str | None, diary: Diary, *, ask: bool, wait: bool, as_json: bool
) -> None:
    from graphveil.cli.collect.two_servers import explain
    from graphveil.service.client.two_servers import TwoServerParticipant

    with TwoServerParticipant(invited, listed, diary, answer=answer) as person:
        if not as_json:
            explain(person)
        if not person.is_done:
            if answer is None:
                say_friends(person)
                confirm_friends(person, ask=ask)
            if ask:
                cost = text_up(person.campaign.guarantee.epsilon)
                typer.confirm(f"Take part? Both servers are told, and epsilon {cost} is charged", abort=True)
        receipts = person.answer(wait=wait)
    if receipts is None:
        note("your noisy degree is sent; run this again when the servers have published where lists are cut")
    if as_json:
        guarantee = person.campaign.guarantee.to_json()
        print_json({"campaign": invited.campaign_id, "receipts": receipts or {}, "guarantee": guarantee})
    elif receipts is not None:
        print_line("sent: both servers have signed for their share")


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
            typer.confirm("Send it?", abort=True)
        person.send(report)
        sent.append({"round": number, "payload": report.payload.hex()})
        if not quiet:
            print_line(f"round {number} of {person.campaign.rounds}: sent and counted")
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


def say_friends(person: Participant | TwoServerParticipant) -> None:
    """Say how many names of the friend list are on the roster, since the others do not count."""
    told = f"{person.matched} of the {person.matched + len(person.unknown)} names on your list are on the roster"
    if person.matched == 0:
        told += f": you answer that you {'follow nobody' if _asks_for_followed(person) else 'have no friends'} there"
    note(f"{told}; the others are left out" if person.matched and person.unknown else told)
    for name in person.unknown[:_NAMES]:
        meant = person.suggestions.get(name)
        note(f"not on the roster: {name}" + (f" (did you mean {meant}?)" if meant else ""))
    if len(person.unknown) > _NAMES:
        note(f"not on the roster: and {len(person.unknown) - _NAMES:,} more")


def confirm_friends(person: Participant | TwoServerParticipant, *, ask: bool) -> None:
    """Ask once whether it is right that no friend is on the roster; without asking, only an empty list says so."""
    if person.matched:
        return
    if ask:
        named = "nobody whom you follow" if _asks_for_followed(person) else "none of your friends"
        typer.confirm(f"Is it right that {named} is on the roster?", abort=True)
    elif person.unknown:
        raise ParameterError(
            f"none of the {len(person.unknown):,} names on your list is on the roster; correct them, or give an empty "
            "file if you have no friends there; nothing was sent"
        )


def _asks_for_followed(person: Participant | TwoServerParticipant) -> bool:
    return person.campaign.guarantee.directed


def explain_campaign(person: Participant) -> None:
    """Print what is asked, what is promised, what is sent and fetched, and what others may learn from it."""
    campaign, guarantee = person.campaign, person.guarantee
    cost = campaign.protocol.cost()
    print_line(f"{campaign.title}: {campaign.protocol.statistic}, asked of {campaign.n_people:,} people")
    if answers := getattr(campaign.protocol, "values", ()):
        print_line(f"question: the title asks it; the answers are {', '.join(answers)}")
    if campaign.protocol.directed:
        print_line("list:     the people you follow; nobody is asked who follows them")
    _print_statements(campaign)
    print_line(f"promise:  {guarantee}")
    for fact in guarantee.assumes:
        print_line(f"assumes:  {fact}")
    sent, fetched = size_text(cost.upload_bits_per_user), cost.download_bits_per_user
    print_line(f"sent:     about {sent} in {campaign.rounds} round(s), shown before they go")
    published = f"about {size_text(fetched)} that others' answers make, and " if fetched else ""
    print_line(f"fetched:  {published}the roster of {campaign.n_people:,} names")
    print_line("learned:  that you take part, and")
    for meaning in local_meaning(guarantee):
        print_line(f"  - {meaning}")
    if len(campaign.protocol.guarantees) > 1:
        for i, offered in enumerate(campaign.protocol.guarantees):
            print_line(f"strength {i}: {offered}" + (" (chosen)" if offered is guarantee else ""))


def _print_statements(campaign: Campaign) -> None:
    """Print who asks, why and for how long, in the operator's words, and what follows from taking part."""
    from graphveil.service.terms import read_statements

    labels = {"controller": "asked by", "contact": "contact", "purpose": "purpose", "retention": "kept"}
    for name, text in read_statements(campaign).items():
        print_line(f"{labels[name] + ':':9} {text or 'not stated by the operator'}")
    print_line("roster:   shown to everybody who is on it, your name included, whether you take part or not")
    print_line("withdraw: any time before an answer is sent; what was counted or charged to your budget stays so")


def size_text(bits: float) -> str:
    """A number of bits as people say it.

    >>> size_text(6), size_text(22_000), size_text(150e6)
    ('6 bits', '2.8 kB', '18.8 MB')
    """
    if bits < 8_000:
        return f"{bits:,.0f} bits"
    return f"{bits / 8e6:,.1f} MB" if bits >= 8e6 else f"{bits / 8e3:,.1f} kB"


def _show(report: Report) -> None:
    text = report.payload[:_SHOWN].hex()
    more = f"… ({len(report.payload):,} bytes)" if len(report.payload) > _SHOWN else ""
    print_line(f"your answer to round {report.round}: {text}{more}")
