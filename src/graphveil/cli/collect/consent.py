"""What a participant reads before they decide: what is asked, what is promised, and which friends are on the roster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphveil.cli.output import confirm, note, print_line
from graphveil.errors import ParameterError
from graphveil.privacy.odds import local_meaning

if TYPE_CHECKING:
    from graphveil.local.campaign import Campaign
    from graphveil.service.client.participant import Participant
    from graphveil.service.client.two_servers import TwoServerParticipant

_NAMES = 20  # shown of those that are not on the roster
NOTHING_SENT = "nothing was sent, and nothing was charged"
LABELS = {"controller": "asked by", "contact": "contact", "purpose": "purpose", "retention": "kept"}


def print_statements(statements: Mapping[str, str]) -> None:
    """Print who asks, why and for how long, in the operator's words."""
    for name, label in LABELS.items():
        print_line(f"{label + ':':9} {statements[name] or 'not stated by the operator'}")


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
        confirm(f"Is it right that {named} is on the roster?", NOTHING_SENT)
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

    print_statements(read_statements(campaign))
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
