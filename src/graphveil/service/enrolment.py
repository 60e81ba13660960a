"""People agree to take part, and the ledger of people is charged: before anything is drawn, once for all rounds.

The epsilons of all campaigns of a person add up, whatever their unit. One entry of the list is protected with the
total; a whole list with the total of the campaigns of unit node, which is no more. Where a campaign offers several
strengths the weakest promise is charged.

One device of a person answers: the first that enrols with a name of its own choice, a random one. Two devices would
draw two answers, and both would tell something. Devices ask again before each answer leaves. Another device may take
over on request as long as no answer is counted; then the first is told so and sends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
from graphveil.privacy.rounding import round_down, round_up
from graphveil.service.auth import Token, is_person
from graphveil.service.campaigns import read_campaign, running
from graphveil.service.problems import Problem, Refusal
from graphveil.service.service import Service, from_trillionths, trillionths
from graphveil.service.store import people, reports
from graphveil.service.store.campaigns import State
from graphveil.service.store.people import Member

_ONE_ANSWER = "a second answer would reveal more than was promised: use the diary or browser that you joined with"


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A place in a campaign, and what is left of the person's budget."""

    number: int
    epsilon: float
    left: float


@dataclass(frozen=True, slots=True)
class Device:
    """The device that asks: its name ("" if it has none), whether it knows that it joined before, and takes over."""

    name: str
    joined: bool = False
    replace: bool = False


def enrol(
    service: Service, campaign_id: str, tokens: Sequence[Token | None], device: Device | None = None
) -> list[Enrolment | Problem]:
    """Enrol the holders of these tokens; each gets a place or the problem that stands against it.

    Who is enrolled already is enrolled again for nothing. Without a device, as from a gateway, none is asked for.
    """
    now = service.clock()
    with service.database.write() as connection:
        row = running(connection, campaign_id, lock=True)
        epsilon = charged_epsilon(read_campaign(row.document))
        cost, shown = trillionths(epsilon), round_up(epsilon)
        opened = row.state == State.OPEN and row.round == 1 and service.watch.believed() < row.closes_at
        holders = [token.holder for token in tokens if token is not None]
        people.lock(connection, holders)
        known = people.find_members(connection, row.key, holders)
        answers: list[Enrolment | Problem] = []
        new: dict[int, int] = {}
        confirmed = []
        for token in tokens:
            member = None if token is None else known.get(token.holder)
            problem = _against(token, member, cost=cost, opened=opened)
            if problem is None and device is not None and member is not None:
                problem = _claim(connection, row.key, member, device)
            if problem is not None or member is None or member.number is None:
                answers.append(problem or Problem(Refusal.UNAUTHORISED))
                continue
            if member.enrolled_at is None:
                new[member.person] = cost
            if member.assumed == people.Assumed.JOINED:
                confirmed.append(member.person)
            spent = member.spent + new.get(member.person, 0)
            answers.append(Enrolment(member.number, shown, _left(member.limit - spent)))
        people.enrol(connection, row.key, sorted(new), cost=cost, now=now)
        people.confirm(connection, row.key, confirmed)
    return answers


def charged_epsilon(campaign: Campaign) -> Fraction:
    """What enrolling costs: the weakest promise that the campaign offers."""
    return max(guarantee.epsilon for guarantee in campaign.protocol.guarantees)


def _against(token: Token | None, member: Member | None, *, cost: int, opened: bool) -> Problem | None:
    """What stands against a person's taking part."""
    if member is None or not is_person(token, member.token_hash):
        return Problem(Refusal.UNAUTHORISED)
    if member.number is None:
        return Problem("forbidden", "this person is not on the roster of the campaign")
    if member.enrolled_at is not None:
        return None
    if not opened:
        return Problem("not-now", "people enrol while the first round is open")
    if member.spent + cost > member.limit:
        left, asked = from_trillionths(member.limit - member.spent), from_trillionths(cost)
        return Problem("budget-exceeded", f"asked epsilon {float(asked):g}, left {float(left):g}; nothing was spent")
    return None


def _claim(connection: Connection, key: int, member: Member, device: Device) -> Problem | None:
    """Let a device answer for its person, or say why another one does."""
    if member.enrolled_at is not None and device.name != (member.device or ""):
        unnamed = member.device is None  # joined through a gateway, with an earlier version, or before a restore
        if not (unnamed and device.joined) and not (device.replace and not _may_have_answered(connection, key, member)):
            return _other_device(connection, key, member)
    if device.name and device.name != member.device:
        people.bind_device(connection, key, member.person, device.name)
    return None


def _may_have_answered(connection: Connection, key: int, member: Member) -> bool:
    """Whether an answer of this person is counted, or was known to a collector that this one was restored from."""
    return bool(member.assumed or reports.senders(connection, key, 1, [member.number or 0]))


def _other_device(connection: Connection, key: int, member: Member) -> Problem:
    """What a device is told whose person answers with another one."""
    if member.assumed == people.Assumed.JOINED:
        why = "the collector was restored from a backup and cannot tell whether you have joined before"
        return Problem("answered-elsewhere", f"{why}; {_ONE_ANSWER}")
    if _may_have_answered(connection, key, member):
        return Problem("answered-elsewhere", _ONE_ANSWER)
    return Problem(
        "other-device",
        "go on with the diary or browser that joined; if it is lost and has sent no answer, let this one take its "
        "place (--replace-device, or the button on the page)",
    )


@lru_cache(maxsize=1_000)
def _left(count: int) -> float:
    """What is left, never overstated; the same for most people."""
    return round_down(from_trillionths(count))
