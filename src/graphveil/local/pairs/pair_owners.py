"""Which pairs of people are reported, and which of the two answers for each: public, and fixed before anybody answers.

Every pair has one owner, so that a friendship is answered for once. Where people are ranked in public, the end of the
higher rank owns a pair. Else numbers on the roster decide: the lower one owns a pair whose numbers add up to an even
number, the higher one any other, which gives everybody about half of their pairs. A public hash may leave pairs out.
Nothing here depends on a list, so that nothing is revealed by who answers for what.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.person_streams import CrowdNoise, word_at


class Marks(NamedTuple):
    """What a kernel needs to know whether a pair has an owner."""

    ranks: Integers
    everything: bool
    key: np.uint64
    below: np.uint64


@dataclass(frozen=True, slots=True, eq=False)
class PairOwners:
    """A share of all pairs, chosen by a public hash; `salt` gives another choice, `ranks` says who owns what.

    >>> owners, partners = PairOwners(6, Fraction(1)).owned(np.array([0, 3]))
    >>> owners.tolist(), partners.tolist()
    ([0, 2, 5], [2, 4, 0, 2, 5])
    """

    n_people: int
    share: Fraction
    salt: int = 0
    ranks: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ParameterError(f"a share of the pairs lies above 0 and at or below 1, not at {self.share}")

    @property
    def marks(self) -> Marks:
        """The ownership rules as plain numbers, for compiled kernels."""
        key = CrowdNoise(self.salt, ()).key("public:asked-pairs")
        return Marks(self.ranks, self.share == 1, key, np.uint64(min(int(self.share * 2**64), 2**64 - 1)))

    def owned(self, people: Integers) -> tuple[Integers, Integers]:
        """For each of these people the partners they answer for, rising: row starts, then partners."""
        starts, partners = _owned(people, self.n_people, *self.marks)
        return starts, partners

    def count(self, people: Integers) -> Integers:
        """For each of these people, how many partners they answer for."""
        counts: Integers = _count_owned(people, self.n_people, *self.marks)
        return counts

    @property
    def n_pairs(self) -> int:
        """How many pairs have an owner."""
        if self.share == 1:
            return self.n_people * (self.n_people - 1) // 2
        return int(self.count(np.arange(self.n_people)).sum())

    def without_owned(self, lists: Lists) -> Lists:
        """The lists less the entries that their owners answer for."""
        return self._part(lists, owned=False)

    def only_owned(self, lists: Lists) -> Lists:
        """The entries that their owners answer for."""
        return self._part(lists, owned=True)

    def without_answers_of(self, people: Integers, lists: Lists) -> Lists:
        """The lists less the entries that these people answer for, on whoever's list they are."""
        first, second = np.repeat(lists.people, lists.degrees), lists.indices
        if len(self.ranks):
            answers = np.where(self.ranks[first] > self.ranks[second], first, second)
        else:
            answers = np.where((first + second) % 2 == 0, np.minimum(first, second), np.maximum(first, second))
        return lists.entries(~np.isin(answers, people))

    def _part(self, lists: Lists, *, owned: bool) -> Lists:
        starts, kept = _part(owned, lists.people, lists.indptr, lists.indices, *self.marks)
        return Lists(lists.n_people, lists.people, starts, kept, lists.choices)


@kernel
def owner(ranks: Any, j: Any, k: Any) -> Any:
    """Which of two people answers for the pair."""
    if len(ranks):
        return j if ranks[j] > ranks[k] else k
    low, high = min(j, k), max(j, k)
    return low if (low + high) % 2 == 0 else high


@kernel
def has_owner(everything: Any, key: Any, below: Any, j: Any, k: Any) -> Any:
    """Whether anybody answers for the pair."""
    return everything or word_at(key, np.uint64(min(j, k)), np.uint64(max(j, k))) < below


@kernel
def _owned(people: Any, n_people: Any, ranks: Any, everything: Any, key: Any, below: Any) -> Any:
    starts = np.zeros(len(people) + 1, dtype=np.int64)
    for row in range(len(people)):
        count = 0
        for j in range(n_people):
            if j != people[row] and owner(ranks, people[row], j) == people[row]:
                count += has_owner(everything, key, below, people[row], j)
        starts[row + 1] = starts[row] + count
    partners = np.empty(starts[-1], dtype=np.int64)
    for row in range(len(people)):
        place = starts[row]
        for j in range(n_people):
            mine = j != people[row] and owner(ranks, people[row], j) == people[row]
            if mine and has_owner(everything, key, below, people[row], j):
                partners[place] = j
                place += 1
    return starts, partners


@kernel
def _count_owned(people: Any, n_people: Any, ranks: Any, everything: Any, key: Any, below: Any) -> Any:
    counts = np.zeros(len(people), dtype=np.int64)
    for row in range(len(people)):
        for j in range(n_people):
            if j != people[row] and owner(ranks, people[row], j) == people[row]:
                counts[row] += has_owner(everything, key, below, people[row], j)
    return counts


@kernel
def _part(owned: Any, people: Any, indptr: Any, indices: Any, ranks: Any, everything: Any, key: Any, below: Any) -> Any:
    starts = np.zeros(len(indptr), dtype=np.int64)
    kept = np.empty(len(indices), dtype=indices.dtype)
    place = 0
    for row in range(len(people)):
        person = people[row]
        for entry in range(indptr[row], indptr[row + 1]):
            friend = indices[entry]
            if (owner(ranks, person, friend) == person and has_owner(everything, key, below, person, friend)) == owned:
                kept[place] = friend
                place += 1
        starts[row + 1] = place
    return starts, kept[:place].copy()
