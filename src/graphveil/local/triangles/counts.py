"""How a list is counted in a noisy graph: bounds, caps, and the noise that one entry asks for.

    F = m f - c h       f: noisy edges within the counted list, at most `cap` at each person on it (`NoisyGraph.count`)
                        m: one pair in m is looked at, or has an owner
                        c: probability that two strangers are reported as friends, a fraction of 2^16
                        h: pairs of the counted list, growing by bound - 1 for each person beyond the bound

Sensitivity (for cap <= bound - 1). One person more on a counted list of s people raises f by d, 0 <= d <= min(cap, s),
and h by min(s, bound - 1). So F changes by at least -c (bound - 1), and by at most m min(cap, s) - c min(s, bound - 1),
which grows while s <= cap and falls from there: at most (m - c) cap. Noise for a change of the larger of (m - c) cap
and c (bound - 1) is enough, for lists of any length: none is cut. 2^16 F is a whole number for every list, so the noise
lives on one public grid. Caps, bounds and roles come from what was released before, never from a list.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.losses import ANSWERED_ROLES, COUNTED_ROLES, EVERY_ROLE, Message, Messages, Role, RolePairs
from graphveil.local.pairs.replies import PairAnswers
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.randomizers import AddedLaplace, Randomizer, ScaledLaplace, ScaledStaircase
from graphveil.privacy.unit import Kind

Schedule: TypeAlias = tuple[tuple[str, ...], ...]  # the parts of a report, round by round
CountNoise: TypeAlias = ScaledStaircase | ScaledLaplace  # the law of the noise of counts

MISSED = 0.03  # probability that the size of a list passes its bound


class Counted(Enum):
    """Which entries of a list its person counts: the role of an entry that the person owns, and of any other."""

    OTHERS = (Role.ANSWERED, Role.COUNTED)
    OWNED = (Role.BOTH, Role.NEITHER)
    ALL = (Role.BOTH, Role.COUNTED)

    def role_pairs(self, *, one_owner: bool, every_pair: bool) -> RolePairs:
        """The roles that both ends of a friendship can have.

        With `one_owner` exactly one end owns a pair, or neither where not `every_pair` has an owner. Without it, a
        collector can show different orders to both ends, and any two roles can meet.
        """
        owned, other = self.value
        if not one_owner:
            return frozenset((first, second) for first in self.value for second in self.value)
        return frozenset({(owned, other)} if every_pair else {(owned, other), (other, other)})


@dataclass(frozen=True, slots=True)
class Budget:
    """The epsilon of each message of a person: for a change of 1 in a degree or size, for one answer, for a count."""

    degree: Fraction = Fraction(0)
    size: Fraction = Fraction(0)
    pairs: Fraction = Fraction(0)
    count: Fraction = Fraction(0)

    def messages(
        self, unit: Kind, n_people: int, schedule: Schedule, noise: type[CountNoise], kept: Fraction
    ) -> Messages:
        """The messages of all rounds with what draws them and which entries they read.

        A degree reads every entry, answers those that the person owns, size and count those that the person counts.
        Under the unit node a list may change everywhere: a degree by n - 1, and in up to n - 1 answers; noise of
        counts is then for their whole range (`Limits.widths`).
        """
        changes = 1 if unit is Kind.EDGE else n_people - 1
        kinds: dict[str, tuple[Randomizer, frozenset[Role]]] = {
            "degree": (AddedLaplace(self.degree * changes, changes), EVERY_ROLE),
            "size": (AddedLaplace(self.size * changes, changes), COUNTED_ROLES),
            "pairs": (PairAnswers(self.pairs, kept, changes), ANSWERED_ROLES),
            "count": (noise(self.count), COUNTED_ROLES),
        }
        sent = [(part, number) for number, parts in enumerate(schedule, 1) for part in parts if part in kinds]
        return Messages(unit, tuple(Message(part, *kinds[part], number) for part, number in sent))


def size_epsilon(epsilon: Fraction) -> Fraction:
    """What the size of a counted list gets: 7/25 of the root of epsilon, at most 3/5 of epsilon.

    >>> size_epsilon(Fraction(1)), size_epsilon(Fraction(1, 100))
    (Fraction(7, 25), Fraction(3, 500))
    """
    return min(Fraction(7 * math.isqrt(int(epsilon * 10**12)), 25 * 10**6), epsilon * Fraction(3, 5))


class Limits(ABC):
    """Bounds of lists and caps on noisy edges, made of released values alone, and the noise that follows from them."""

    def announce(self, numbers: Mapping[str, Integers]) -> int:
        """A number that is published with the noisy graph."""
        return 0

    @property
    def notices(self) -> range:
        """What an honest collector can announce."""
        return range(1)

    @abstractmethod
    def bounds(self, numbers: Mapping[str, Integers], most: Integers, budget: Budget, notice: int) -> Integers:
        """Up to which size of a counted list nothing is lost, at least 2.

        From the numbers that its person released, the `most` entries it can have, and what was announced.
        """

    def caps(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """Most noisy edges accepted at one person on a counted list, from 1 to bound - 1; all that fit unless less."""
        return bounds - 1

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """By how much one entry can change 2^16 F."""
        parts = response.flip_parts
        caps = self.caps(bounds, response, weight)
        wide: Integers = np.maximum((PARTS * weight - parts) * caps, parts * (bounds - 1))
        return wide


@dataclass(frozen=True, slots=True)
class SizeLimits(Limits):
    """Bounds from noisy sizes; caps with room for lists of which a share of the pairs are friends, or for anything.

    `released` names the number that tells the length of a list: its counted part, or all of it, which is no shorter.
    With the epsilon of the count, `widens`, there is room for more in long lists, with one deviation to spare. Let a
    list of s people have room for a share x. Noise of its count has a deviation of about root 2 s (q + gain x) /
    (epsilon gain), and a clique loses (1 - x) s^2 / 2. The sum of both squares is least at
    x = (w - 8 q) / (w + 8 gain) with w = s^2 epsilon^2 gain: the longer the list, the more a cap that binds hurts.
    """

    closure: float | None = 1.0
    released: str = "size"
    widens: Fraction | None = None

    def bounds(self, numbers: Mapping[str, Integers], most: Integers, budget: Budget, notice: int) -> Integers:
        """Sizes that are passed with probability `MISSED` at most, cut to 2..most."""
        spare = math.ceil(math.log(1 / (2 * MISSED)) / float(getattr(budget, self.released)))
        return np.maximum(2, np.minimum(numbers[self.released] + spare, most))

    def caps(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """Mean and two deviations of the noisy edges at somebody whose pairs are joined by that share."""
        if self.closure is None:
            return bounds - 1
        flip, gain = float(response.flip_probability), float(response.gain)
        caps = clique_caps(bounds, (flip + gain * self.closure) / weight)
        if self.widens is None:
            return caps
        harm = (bounds * float(self.widens)) ** 2 * gain  # w above
        room = np.clip((harm - 8 * flip) / (harm + 8 * gain), 0.0, 1.0)
        return np.maximum(caps, clique_caps(bounds, (flip + gain * room) / weight, spare=1.0))


CLIQUE_LIMITS = SizeLimits()  # room for friends who all know each other


def capped_pairs(sizes: Integers, bounds: Integers) -> Integers:
    """h: pairs of a list of that size, growing by bound - 1 a person beyond the bound."""
    within = np.minimum(sizes, bounds)
    pairs: Integers = within * (within - 1) // 2 + (sizes - within) * (bounds - 1)
    return pairs


def clique_caps(bounds: Integers, chance: float | Floats, spare: float = 2.0) -> Integers:
    """A cap that is hardly ever reached where each edge has that chance: mean and `spare` deviations."""
    enough = np.ceil(bounds * chance + spare * np.sqrt(bounds * chance * (1 - chance))).astype(np.int64)
    capped: Integers = np.maximum(1, np.minimum(bounds - 1, enough))
    return capped
