"""What a person's report costs, and what one relationship costs, computed from the messages that are sent.

A report consists of messages. A message owns the randomizer that draws it, so its epsilon is that of the noise it gets,
and says which entries of a friend list it depends on. Which entries these are follows from the *role* that an entry
has: whether its person answers for the pair, counts it, does both or neither. Losses of messages that read the same
entry add up; a message that does not read an entry costs it nothing. So under the unit edge

    entry         = max over roles of the sum of epsilons of the messages that read the role
    relationship  = max over the role pairs that can occur of the sum of both sides,

because a friendship {u, v} is one entry of u's list and one entry of v's list. Under the unit node a message's epsilon
holds for any two lists: a list costs the sum of all messages, a relationship that of two lists. A message that reads no
role does not depend on the list and costs nothing under either unit.

Where lists are directed, such as whom people follow, a relationship (u, v) is an entry of u's list alone. Its other end
has the role `absent`, in which no message reads anything, so a relationship costs what an entry costs.

Messages and role pairs come from public and published values alone, never from a list. Role pairs must include those
that a collector can bring about by showing different publications to different people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from graphveil.errors import GuaranteeMismatch
from graphveil.local.randomizers import Randomizer, check_own
from graphveil.privacy.unit import Kind


class Role(StrEnum):
    """What a person does with the pair that an entry of the own list belongs to."""

    ANSWERED = "answered"
    COUNTED = "counted"
    BOTH = "answered and counted"
    NEITHER = "neither"
    ABSENT = "absent"  # of a directed relationship, at the end in whose list it does not stand


RolePairs: TypeAlias = frozenset[tuple[Role, Role]]

EVERY_ROLE = frozenset(Role) - {Role.ABSENT}
ANSWERED_ROLES = frozenset({Role.ANSWERED, Role.BOTH})
COUNTED_ROLES = frozenset({Role.COUNTED, Role.BOTH})
EVERY_ROLE_PAIR: RolePairs = frozenset(product(EVERY_ROLE, EVERY_ROLE))
IN_ONE_LIST: RolePairs = frozenset(product(EVERY_ROLE, {Role.ABSENT}))


@dataclass(frozen=True, slots=True)
class Message:
    """One part of a report: what it says, what draws it, which entries it depends on, and the round it is sent in.

    Its exact value moves by at most the randomizer's sensitivity when one entry changes (unit edge) or when the whole
    list does (unit node). `protocol_check` tries that on small networks.
    """

    what: str
    randomizer: Randomizer
    reads: frozenset[Role] = EVERY_ROLE
    round: int = 1

    def __post_init__(self) -> None:
        check_own(self.randomizer)

    @property
    def epsilon(self) -> Fraction:
        """The loss of the randomizer: for one entry (unit edge) or for the whole list (unit node)."""
        return self.randomizer.epsilon


@dataclass(frozen=True, slots=True)
class Messages:
    """All messages of one person, in all rounds, and the unit that their epsilons are meant for.

    >>> from graphveil.local.randomizers import AddedLaplace
    >>> tenth = Fraction(1, 10)
    >>> triangles = Messages(
    ...     Kind.EDGE,
    ...     (
    ...         Message("degree", AddedLaplace(tenth)),
    ...         Message("pairs", AddedLaplace(9 * tenth), ANSWERED_ROLES, round=2),
    ...         Message("size", AddedLaplace(3 * tenth), COUNTED_ROLES, round=2),
    ...         Message("count", AddedLaplace(6 * tenth), COUNTED_ROLES, round=3),
    ...     ),
    ... )
    >>> split = frozenset({(Role.ANSWERED, Role.COUNTED)})
    >>> triangles.epsilon(split), relationship_epsilon(triangles, [triangles], split)
    (Fraction(1, 1), Fraction(2, 1))
    >>> triangles["count"].epsilon
    Fraction(3, 5)
    """

    unit: Kind
    parts: tuple[Message, ...]

    def __getitem__(self, what: str) -> Message:
        """The message of that name."""
        for part in self.parts:
            if part.what == what:
                return part
        raise GuaranteeMismatch(f"{what!r} is none of the messages {', '.join(part.what for part in self.parts)}")

    def role_epsilon(self, role: Role) -> Fraction:
        """What one entry of this role costs: the sum over messages that read it, or any entry under the unit node."""
        if role is Role.ABSENT:
            return Fraction(0)
        whole = self.unit is Kind.NODE
        return sum((part.epsilon for part in self.parts if (part.reads if whole else role in part.reads)), Fraction(0))

    def epsilon(self, role_pairs: RolePairs) -> Fraction:
        """What one entry, or one list, costs: the most over the roles that an entry can have."""
        return max(self.role_epsilon(role) for role in {role for pair in role_pairs for role in pair})

    def check_unit(self, promised: Messages) -> None:
        """Refuse messages whose epsilons are meant for another unit than those that were promised."""
        if self.unit is not promised.unit:
            raise GuaranteeMismatch(
                f"the messages were promised for unit {promised.unit} and would be sent for unit {self.unit}; nothing "
                "was sent"
            )

    def in_round(self, number: int) -> Iterable[Message]:
        """The messages sent in a round."""
        return (part for part in self.parts if part.round == number)


def relationship_epsilon(own: Messages, others: Sequence[Messages], role_pairs: RolePairs) -> Fraction:
    """What a friendship costs whose one end sends `own` and whose other end sends the worst of `others`."""
    sides = {*role_pairs, *((theirs, ours) for ours, theirs in role_pairs)}
    mine = {role: own.role_epsilon(role) for role in Role}
    each = [{role: other.role_epsilon(role) for role in Role} for other in others]
    return max(mine[ours] + other[theirs] for other in each for ours, theirs in sides)
