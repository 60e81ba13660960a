"""Statistics that are sums over people: edges, stars, degrees, and answers to a question.

Edges. A person's number is their degree; one entry moves it by 1. Half the sum is the number of edges.

Degree distribution. C(j) is the number of people with at least j friends. The levels j = 1, 2, ... are cut into public
tiles; a person adds to each tile the number of its levels that they reach. One entry moves one of these numbers by 1,
so noise of rate epsilon on every tile costs epsilon an entry, whatever the tiles. The estimator is that of the
central degree histogram (`statistics.degrees`). Tiles are single levels first and then grow by a public ratio: nothing
about the data is in them.

Stars. A person adds C(d, k), the stars with k leaves around them, with d cut at a public `max_degree` D. One entry
moves d by 1, so the sum by at most C(D, k) - C(D - 1, k) = C(D - 1, k - 1).

Answers. A person adds 1 to the cell of their answer. Another answer moves two cells by 1: sensitivity 2 for a person.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.edge.degree_histogram import fit_histogram
from graphveil.errors import ParameterError
from graphveil.local.attributes.shares import check_values
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.response import norm_sub
from graphveil.statistics.degrees.histogram_bounds import bound_drops
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

SINGLE_LEVELS = 28
TILE_GROWTH = Fraction(107, 100)
MOST_LEAVES = 10
SPOILT = 2**45  # sums of shares are cut here, far beyond true ones: one liar can send anything, and must break nothing


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate with the ends of its 95 % interval."""

    value: float | list[float]
    low: float | list[float]
    high: float | list[float]
    std: float | None


class SumStatistic(Protocol):
    """What a person adds to the sum, how far one entry (or answer) moves it in L1, and the estimate from the sum."""

    @property
    def name(self) -> str:
        """The name under which a campaign asks for it."""

    @property
    def length(self) -> int:
        """How many numbers a person sends."""

    @property
    def sensitivity(self) -> int:
        """How far one entry of a list, or one answer, moves the sum of all vectors in L1."""

    def vectors(self, held: Integers) -> Integers:
        """What each person sends, from their degree or answer, in a row of its own."""

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """The estimate from a sum that holds two draws of noise of this rate."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The number of friendships.

    >>> Edges(3).vectors(np.array([2, 1, 1])).tolist()
    [[2], [1], [1]]
    """

    n_people: int
    name = "edges"
    length = 1
    sensitivity = 1

    def vectors(self, held: Integers) -> Integers:
        """The degree of each person, in a row of its own."""
        return held[:, None]

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """Half the noisy sum of degrees; two draws of noise are in it."""
        value, std = float(total[0]) / 2, discrete_laplace_std(rate) / math.sqrt(2)
        reach = two_noises_reach(rate) / 2
        return Estimated(value, value - reach, value + reach, std)


@dataclass(frozen=True, slots=True)
class DegreeDistribution:
    """The share of people that has each degree.

    >>> DegreeDistribution(4).vectors(np.array([3, 1, 1, 1])).tolist()
    [[1, 1, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0]]
    """

    n_people: int
    name = "degree-distribution"
    sensitivity = 1

    @property
    def starts(self) -> Integers:
        """The level before each tile, and at last the largest possible degree."""
        top = max(1, self.n_people - 1)
        ends = [0]
        while ends[-1] < top:
            grown = math.floor(ends[-1] * TILE_GROWTH) if ends[-1] >= SINGLE_LEVELS else 0
            ends.append(min(top, max(ends[-1] + 1, grown)))
        return np.array(ends, dtype=np.int64)

    @property
    def length(self) -> int:
        """One number from each person for every tile."""
        return len(self.starts) - 1

    def vectors(self, held: Integers) -> Integers:
        """How many levels of each tile every person reaches with their degree."""
        ends = self.starts
        return np.asarray(np.clip(held[:, None] - ends[:-1], 0, np.diff(ends)))

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """Shares of people, from tiles with two draws of noise."""
        levels, n = self.starts, self.n_people
        one_draw = Fraction(math.floor(rate * 2**40 / math.sqrt(2)), 2**40)  # one noise as wide as both together
        tiles = FallingTiles(n, n - 1, one_draw, levels[:-1], np.diff(levels), np.clip(total, -SPOILT, SPOILT))
        people = np.array(fit_histogram(tiles))
        ends = bound_drops(tiles.up_to(len(people)), 0.05)
        low, high = (np.clip(end[: len(people)] / n, 0, 1) for end in ends)
        return Estimated((people / n).tolist(), low.tolist(), high.tolist(), None)


@dataclass(frozen=True, slots=True)
class DegreeHistogram:
    """The number of people that has each degree: the degree distribution times the number of people."""

    n_people: int
    name = "degree-histogram"
    sensitivity = 1

    @property
    def shares(self) -> DegreeDistribution:
        """The distribution that is collected."""
        return DegreeDistribution(self.n_people)

    @property
    def length(self) -> int:
        """One number from each person for every tile of the distribution."""
        return self.shares.length

    def vectors(self, held: Integers) -> Integers:
        """How many levels of each tile every person reaches with their degree."""
        return self.shares.vectors(held)

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """Numbers of people, from tiles with two draws of noise."""
        found = self.shares.conclude(total, rate)
        value, low, high = ((self.n_people * np.array(each)).tolist() for each in (found.value, found.low, found.high))
        return Estimated(value, low, high, None)


@dataclass(frozen=True, slots=True)
class Stars:
    """The number of stars with `leaves` leaves; degrees are cut at `max_degree`.

    >>> Stars(4, max_degree=3, leaves=2).vectors(np.array([3, 1, 1, 1])).tolist()
    [[3], [0], [0], [0]]
    """

    n_people: int
    max_degree: int
    leaves: int = 2
    name = "k-stars"
    length = 1

    def __post_init__(self) -> None:
        if not 2 <= self.leaves <= MOST_LEAVES:
            raise ParameterError(f"k must be a number of leaves from 2 to {MOST_LEAVES}, not {self.leaves}")
        if self.max_degree < 1:
            raise ParameterError(f"max_degree must be a whole number of at least 1, not {self.max_degree}")
        if self.n_people * math.comb(self.max_degree, self.leaves) >= 2**62:
            raise ParameterError(f"{self.leaves}-stars of {self.n_people:,} people may not fit into 64 bits; lower k")

    @property
    def sensitivity(self) -> int:
        """The stars that the last of `max_degree` friends adds; at least 1, so that there is noise."""
        return max(1, math.comb(self.max_degree - 1, self.leaves - 1))

    def vectors(self, held: Integers) -> Integers:
        """The stars around each person, in a row of its own."""
        cut = np.minimum(held, self.max_degree)
        return np.array([[math.comb(int(degree), self.leaves)] for degree in cut], dtype=np.int64).reshape(-1, 1)

    def conclude(self, total: Integers, rate: Fraction, failure: float = 0.05) -> Estimated:
        """The noisy sum with its interval; `failure` is the probability that the interval does not hold."""
        value, reach = float(total[0]), two_noises_reach(rate, failure)
        std = math.sqrt(2) * discrete_laplace_std(rate)
        return Estimated(value, max(0.0, value - reach), max(0.0, value + reach), std)


@dataclass(frozen=True, slots=True)
class AttributeShares:
    """The share of people that gives each answer to a question.

    >>> AttributeShares(3, ("no", "yes")).vectors(np.array([1, 0, 1])).tolist()
    [[0, 1], [1, 0], [0, 1]]
    """

    n_people: int
    values: tuple[str, ...]
    name = "attribute-shares"
    sensitivity = 2

    def __post_init__(self) -> None:
        check_values(self.values)

    @property
    def length(self) -> int:
        """One cell for each answer."""
        return len(self.values)

    def vectors(self, held: Integers) -> Integers:
        """A 1 in the cell of each person's answer."""
        return np.asarray(held[:, None] == np.arange(self.length), dtype=np.int64)

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """Shares that are not negative and add up to 1."""
        shares = np.clip(total, -SPOILT, SPOILT) / self.n_people
        reach = two_noises_reach(rate) / self.n_people
        low, high = (np.clip(shares + side * reach, 0, 1) for side in (-1, 1))
        return Estimated(norm_sub(shares).tolist(), low.tolist(), high.tolist(), None)


# Sums that follow from the number of people alone.
OF_DEGREES: dict[str, type[Edges | DegreeDistribution | DegreeHistogram]] = {
    each.name: each for each in (Edges, DegreeDistribution, DegreeHistogram)
}


def parse_values(values: str | Sequence[str]) -> tuple[str, ...]:
    """The answers that are offered, from a list or a text with commas."""
    return tuple(values.split(",")) if isinstance(values, str) else tuple(values)


def two_noises_reach(rate: Fraction, failure: float = 0.05) -> float:
    """What the sum of two discrete Laplace noises stays within, but for a probability of `failure`.

    From the tail of two continuous ones of the same rate, (1 + x/2) e^-x at x = rate * distance, and 1 for the steps.
    """
    low, high = 0.0, 200.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + middle / 2) * math.exp(-middle) > failure else (low, middle)
    return high / float(rate) + 1
