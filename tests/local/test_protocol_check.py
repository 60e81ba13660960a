"""A protocol of another package whose messages read more than they say is refused before its first campaign."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch
from graphveil.local.client import check_sent
from graphveil.local.degrees.channels import SetChannel
from graphveil.local.degrees.frequency import BinNumber, KaryDegrees
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.veil import VeilDegrees
from graphveil.local.lists import Lists
from graphveil.local.losses import ANSWERED_ROLES, COUNTED_ROLES, Message, Messages, Role, RolePairs
from graphveil.local.protocol import RoundContext, check_guarantee
from graphveil.local.protocol_check import check_protocol
from graphveil.local.randomizers import AddedLaplace, Scaled, ScaledStaircase
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.source import Noise, SeededNoise
from graphveil.mechanisms.response import KaryResponse
from graphveil.papers.gs_ldp.degrees import GroupInTheClear
from graphveil.papers.gs_ldp.grouped_degrees import GroupedDegrees
from graphveil.privacy.unit import Kind
from graphveil.registry import PROTOCOLS, Job, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEnd(NoisyDegrees):
    """The number of friends with a larger number: each friendship is reported by one of its ends."""

    name: ClassVar[str] = "one-end-degrees"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", self.channel.added, ANSWERED_ROLES),))

    @property
    def role_pairs(self) -> RolePairs:
        return frozenset({(Role.ANSWERED, Role.NEITHER)})

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"degree": larger(lists).degrees}


def larger(lists: Lists) -> Lists:
    """The entries with a larger number than the person whose list it is."""
    return lists.entries(lists.indices > np.repeat(lists.people, lists.degrees))


@dataclass(frozen=True, slots=True, kw_only=True)
class BothEnds(OneEnd):
    """Says that one end reports a friendship; both do."""

    name: ClassVar[str] = "both-ends"

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"degree": lists.degrees}


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenBehindACheapOne(OneEnd):
    """A cheap message reads every entry, and a dear one of the same round says that it reads the owned ones only."""

    name: ClassVar[str] = "hidden"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        cheap, dear = AddedLaplace(self.epsilon / 10), AddedLaplace(self.epsilon * 9 / 10)
        return Messages(Kind.EDGE, (Message("cheap", cheap), Message("dear", dear, ANSWERED_ROLES)))

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"cheap": lists.degrees, "dear": lists.degrees}

    def batch(self, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> Integers:
        return np.clip(drawn["cheap"] + drawn["dear"], 0, self.n_people - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WellScoped(HiddenBehindACheapOne):
    """The same, where the dear message does read the owned entries only."""

    name: ClassVar[str] = "well-scoped"

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"cheap": lists.degrees, "dear": larger(lists).degrees}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeTimes(NoisyDegrees):
    """Sends three times the degree with the noise of one."""

    name: ClassVar[str] = "three-times"

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"degree": 3 * lists.degrees}


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNames(NoisyDegrees):
    """Sends what no message pays for."""

    name: ClassVar[str] = "other-names"

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"degree": lists.degrees, "friends": lists.indices}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeByEntry(NoisyDegrees):
    """Promises a whole list, also in its messages, with noise for one entry."""

    name: ClassVar[str] = "node-by-entry"
    unit: ClassVar[str] = "node"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.NODE, (Message("degree", self.channel.added),))


@dataclass(frozen=True, slots=True)
class SharpLaplace(AddedLaplace):
    """Draws at three times the epsilon that it states."""

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        return add_personal_laplace(noise, exact, 3 * self.rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpResponse(KaryResponse):
    """Answers at three times the epsilon that it states."""

    def perturb(self, values: Any, noise: Noise) -> Any:
        return KaryResponse(epsilon=3 * self.epsilon, n_values=self.n_values).perturb(values, noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRandomizer(NoisyDegrees):
    """Brings a randomizer of its own."""

    name: ClassVar[str] = "own-randomizer"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", SharpLaplace(self.epsilon)),))


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResponse(KaryDegrees):
    """Brings a response of its own inside a randomizer of graphveil."""

    name: ClassVar[str] = "own-response"

    @property
    def randomizer(self) -> BinNumber:
        return BinNumber(SharpResponse(epsilon=self.epsilon, n_values=self.bins.n_bins))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefutedRandomizer(KaryDegrees):
    """Takes a randomizer that graphveil keeps as published, whose claim is refuted."""

    name: ClassVar[str] = "refuted-randomizer"

    @property
    def randomizer(self) -> Any:
        return GroupInTheClear(GroupedDegrees(epsilon=self.epsilon, group_width=4))


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedByHand(NoisyDegrees):
    """States that a friendship costs what one list costs."""

    name: ClassVar[str] = "by-hand"

    @property
    def guarantee(self) -> Any:
        return replace(NoisyDegrees.guarantee.fget(self), relationship_epsilon=self.epsilon)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongRound(NoisyDegrees):
    """Charges its one message to a round that does not exist."""

    name: ClassVar[str] = "wrong-round"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", self.channel.added, round=7),))


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongUnit(NoisyDegrees):
    """Promises a whole list with noise for one entry."""

    name: ClassVar[str] = "wrong-unit"
    unit: ClassVar[str] = "node"


@dataclass(frozen=True, slots=True, kw_only=True)
class DividedByTheCollector(NoisyDegrees):
    """Two roles share 3/2 epsilon, as a publication says."""

    rounds: ClassVar[int] = 2

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        share = context.published[0] if context.published else Fraction(1)
        answers = Message("pairs", AddedLaplace(share * self.epsilon), ANSWERED_ROLES, round=2)
        counts = Message("count", AddedLaplace((Fraction(3, 2) - share) * self.epsilon), COUNTED_ROLES, round=2)
        return Messages(Kind.EDGE, (answers, counts))

    @property
    def role_pairs(self) -> RolePairs:
        return frozenset({(Role.ANSWERED, Role.COUNTED)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesItsUnit(NoisyDegrees):
    """Promises a whole list, and sends with noise for one entry once something was published."""

    rounds: ClassVar[int] = 2
    unit: ClassVar[str] = "node"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        unit = Kind.EDGE if context.published else Kind.NODE
        return Messages(unit, (Message("degree", AddedLaplace(self.epsilon), round=2),))


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyTimes(NoisyDegrees):
    """Sends some times the degree with the noise of one."""

    name: ClassVar[str] = "many-times"
    times: int = 1

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        return {"degree": self.times * lists.degrees}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (ThreeTimes, "moves by 3 where one entry changes, but its noise is for a sensitivity of 1"),
        (NodeByEntry, "moves by [0-9]+ where the list changes, but its noise is for a sensitivity of 1"),
        (OtherNames, "sends degree, friends in round 1, but its messages are degree"),
        (OwnRandomizer, "SharpLaplace of .* is not a randomizer of graphveil"),
        (OwnResponse, "SharpResponse of .* is not a randomizer of graphveil"),
        (RefutedRandomizer, "GroupInTheClear is kept as published"),
        (WrongRound, "a message of another round"),
        (WrongUnit, "promises a whole list"),
    ],
)
def test_what_no_message_pays_for_is_refused(made: type, words: str) -> None:
    with pytest.raises(GuaranteeMismatch, match=words):
        built(made)


def test_an_end_is_charged_for_what_it_was_shown_whatever_the_other_end_was_shown() -> None:
    protocol = DividedByTheCollector(epsilon=1, n_people=50)
    check_sent(protocol, [RoundContext(1), RoundContext(2, (Fraction(1),))], 0)
    with pytest.raises(GuaranteeMismatch, match="would cost"):
        check_sent(protocol, [RoundContext(1), RoundContext(2, (Fraction(1, 2),))], 0)


def test_a_unit_that_changes_between_rounds_is_refused() -> None:
    protocol = ChangesItsUnit(epsilon=1, n_people=50)
    later = RoundContext(2, (None,))
    with pytest.raises(GuaranteeMismatch, match="promised for unit node and would be sent for unit edge"):
        check_sent(protocol, [RoundContext(1), later], 0)
    with pytest.raises(GuaranteeMismatch, match="promised for unit node and would be sent for unit edge"):
        protocol.perturb(later, Lists.of_person(50, 0, [1, 2]), SeededNoise(1))


def test_every_set_of_parameters_is_checked() -> None:
    check_protocol(ManyTimes(epsilon=1, n_people=50))
    with pytest.raises(GuaranteeMismatch, match="moves by 2 where one entry changes"):
        check_protocol(ManyTimes(epsilon=1, n_people=50, times=2))


def built(made: type) -> Any:
    row = Row(Job.COLLECT, made.name, "degree-distribution", made.unit, f":{made.__name__}", home=__name__)
    return row.build(Fraction(1), n_people=100)


def test_what_each_end_reads_is_compared_with_what_it_says() -> None:
    assert built(OneEnd).guarantee.relationship_epsilon == 1
    with pytest.raises(GuaranteeMismatch, match="moves the messages degree of one end and degree of the other"):
        built(BothEnds)
    with pytest.raises(GuaranteeMismatch, match="states a guarantee of its own"):
        built(StatedByHand)


def test_a_message_with_a_false_scope_beside_a_cheap_one_is_refused() -> None:
    assert built(WellScoped).guarantee.relationship_epsilon == Fraction(11, 10)
    with pytest.raises(GuaranteeMismatch, match="moves the messages cheap, dear of one end and cheap, dear of"):
        built(HiddenBehindACheapOne)


def test_a_protocol_that_draws_by_itself_cannot_be_written() -> None:
    def perturb(self: Any, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        return add_personal_laplace(noise, lists.degrees, 3 * self.epsilon)

    with pytest.raises(GuaranteeMismatch, match="Sharp draws by itself"):
        type("Sharp", (NoisyDegrees,), {"perturb": perturb, "__slots__": ()})
    mixin = type("Mixin", (), {"perturb": perturb, "__slots__": ()})
    with pytest.raises(GuaranteeMismatch, match="Sharp draws by itself"):
        type("Sharp", (mixin, NoisyDegrees), {"__slots__": ()})
    silent = {"perturb": perturb, "__slots__": (), "__init_subclass__": classmethod(lambda cls: None)}
    parent = type("Parent", (), silent)
    hidden = type("Hidden", (parent, NoisyDegrees), {"__slots__": ()})
    with pytest.raises(GuaranteeMismatch, match="Hidden draws by itself"):
        check_guarantee(hidden(epsilon=1, n_people=9))


def test_a_channel_inside_a_randomizer_is_of_graphveil_too() -> None:
    honest = VeilDegrees(epsilon=1, n_people=9).randomizer
    sharp = dataclass(frozen=True)(type("SharpSets", (SetChannel,), {"__module__": "stranger"}))
    with pytest.raises(GuaranteeMismatch, match="SharpSets of stranger"):
        replace(honest, sets=sharp(honest.sets.epsilon, honest.sets.bins))


def test_widths_that_depend_on_the_list_are_without_end_apart() -> None:
    ours, theirs = (Scaled(np.array([5]), np.array([width])) for width in (3, 4))
    assert ScaledStaircase(Fraction(1)).distance(ours, theirs) == float("inf")
    assert ScaledStaircase(Fraction(1)).distance(ours, Scaled(np.array([1]), np.array([3]))) == 2


@pytest.mark.parametrize("row", PROTOCOLS, ids=lambda row: f"{row.query}-{row.name}-{row.unit}")
def test_our_own_protocols_read_what_they_say(row: Row) -> None:
    if not row.refuted:
        check_protocol(row.build(Fraction(1), n_people=40))
