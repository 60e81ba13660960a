"""A protocol of another package whose messages read more than they say is refused before its first campaign."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.lists import Lists
from graphveil.local.losses import ANSWERED_ROLES, COUNTED_ROLES, Message, Messages, Role, RolePairs
from graphveil.local.protocol import RoundContext, check_sent
from graphveil.local.protocol_check import check_protocol
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.unit import Kind
from graphveil.registry import PROTOCOLS, Job, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEnd(NoisyDegrees):
    """The number of friends with a larger number: each friendship is reported by one of its ends."""

    name: ClassVar[str] = "one-end-degrees"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", self.epsilon, ANSWERED_ROLES),))

    @property
    def role_pairs(self) -> RolePairs:
        return frozenset({(Role.ANSWERED, Role.NEITHER)})

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        owned = lists.entries(lists.indices > np.repeat(lists.people, lists.degrees))
        return NoisyDegrees.perturb(self, context, owned, noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class BothEnds(OneEnd):
    """Says that one end reports a friendship; both do."""

    name: ClassVar[str] = "both-ends"

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        return NoisyDegrees.perturb(self, context, lists, noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedByHand(NoisyDegrees):
    """States that a friendship costs what one list costs."""

    name: ClassVar[str] = "by-hand"

    @property
    def guarantee(self) -> Any:
        return replace(NoisyDegrees.guarantee.fget(self), relationship_epsilon=self.epsilon)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare(NoisyDegrees):
    """Sends the degree as it is."""

    name: ClassVar[str] = "bare"

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        return lists.degrees


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongRound(NoisyDegrees):
    """Charges its one message to a round that does not exist."""

    name: ClassVar[str] = "wrong-round"

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        return Messages(Kind.EDGE, (Message("degree", self.epsilon, round=7),))


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
        answers = Message("pairs", share * self.epsilon, ANSWERED_ROLES, round=2)
        counts = Message("count", (Fraction(3, 2) - share) * self.epsilon, COUNTED_ROLES, round=2)
        return Messages(Kind.EDGE, (answers, counts))

    @property
    def role_pairs(self) -> RolePairs:
        return frozenset({(Role.ANSWERED, Role.COUNTED)})


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Bare, "it draws none"),
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


def built(made: type) -> Any:
    row = Row(Job.COLLECT, made.name, "degree-distribution", made.unit, f":{made.__name__}", home=__name__)
    return row.build(Fraction(1), n_people=100)


def test_what_each_end_reads_is_compared_with_what_it_says() -> None:
    assert built(OneEnd).guarantee.relationship_epsilon == 1
    with pytest.raises(GuaranteeMismatch, match=r"states epsilon 1 for a relationship.* cost of at least 2"):
        built(BothEnds)
    with pytest.raises(GuaranteeMismatch, match="states a guarantee of its own"):
        built(StatedByHand)


@pytest.mark.parametrize("row", PROTOCOLS, ids=lambda row: f"{row.query}-{row.name}-{row.unit}")
def test_our_own_protocols_read_what_they_say(row: Row) -> None:
    if not row.refuted:
        check_protocol(row.build(Fraction(1), n_people=40))
