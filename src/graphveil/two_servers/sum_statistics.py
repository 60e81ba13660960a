"""Statistics that are sums over people: the number of edges, and the degree distribution.

Edges. A person's number is their degree; one entry moves it by 1. Half the sum is the number of edges.

Degree distribution. C(j) is the number of people with at least j friends. The levels j = 1, 2, ... are cut into public
tiles; a person adds to each tile the number of its levels that they reach. One entry moves one of these numbers by 1,
so noise of rate epsilon on every tile costs epsilon an entry, whatever the tiles. The estimator is that of the
central degree histogram (`statistics.degrees`). Tiles are single levels first and then grow by a public ratio: nothing
about the data is in them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.statistics.degrees.histogram_bounds import bound_drops
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

SINGLE_LEVELS = 28
TILE_GROWTH = Fraction(107, 100)


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate with the ends of its 95 % interval."""

    value: float | list[float]
    low: float | list[float]
    high: float | list[float]
    std: float | None


@dataclass(frozen=True, slots=True)
class Edges:
    """The number of friendships.

    >>> Edges(3).vectors(np.array([2, 1, 1])).tolist()
    [[2], [1], [1]]
    """

    n_people: int
    name = "edges"

    @property
    def length(self) -> int:
        """One number from each person: their degree."""
        return 1

    def vectors(self, degrees: Integers) -> Integers:
        """The degree of each person, in a row of its own."""
        return degrees[:, None]

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

    def vectors(self, degrees: Integers) -> Integers:
        """How many levels of each tile every person reaches."""
        ends = self.starts
        return np.asarray(np.clip(degrees[:, None] - ends[:-1], 0, np.diff(ends)))

    def conclude(self, total: Integers, rate: Fraction) -> Estimated:
        """Shares of people, from tiles with two draws of noise."""
        levels, n = self.starts, self.n_people
        one_draw = Fraction(math.floor(rate * 2**40 / math.sqrt(2)), 2**40)  # one noise as wide as both together
        tiles = FallingTiles(n, n - 1, one_draw, levels[:-1], np.diff(levels), total)
        people = np.array(DegreeHistogram(epsilon=2 * one_draw).estimate(tiles))
        ends = bound_drops(tiles.up_to(len(people)), 0.05)
        low, high = (np.clip(end[: len(people)] / n, 0, 1) for end in ends)
        return Estimated((people / n).tolist(), low.tolist(), high.tolist(), None)


def two_noises_reach(rate: Fraction, failure: float = 0.05) -> float:
    """What the sum of two discrete Laplace noises stays within, but for a probability of `failure`.

    From the tail of two continuous ones of the same rate, (1 + x/2) e^-x at x = rate * distance, and 1 for the steps.
    """
    low, high = 0.0, 200.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + middle / 2) * math.exp(-middle) > failure else (low, middle)
    return high / float(rate) + 1
