"""Degrees under node privacy: sums, over tiles of levels, of the number of people below each level.

Let every degree be at most D, and let F(j) = #{v: d_v < j} be the people below level j = 1, ..., D. A tile
(start, end] of levels counts the sum of F(j) over its levels, which is the sum over people v of
clip(end - d_v, 0, end - start).

Sensitivity: D in L1 for all tiles together, if degrees come from a projection in which a new person with k kept edges
moves the degrees of all others by at most k in total (`graph.project`, the edge-by-edge scan). One step of a degree
changes one F(j) by 1, so the others' moves change the counts by at most k in total; the new person is below the
D - k levels above their own degree; together D, whatever k is. (People at or above a level would cost k + k, up to 2 D,
and a histogram of the degrees 2 D + 1.) Hence discrete Laplace noise of rate epsilon / D on every tile.

Widths: a level of a tile of width w gets noise in proportion to 1 / (rate w), and how the tile's people spread over its
levels stays unknown. Where the number of people falls like 1 / d^2, both weigh the same if w / d is the same everywhere
and falls with the root of rate times people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import AnyArray, Floats, Integers
from graphveil.mechanisms.accuracy import discrete_laplace_quantile
from graphveil.mechanisms.laplace import NoisyVector

GROWTH, LEAST_GROWTH, MOST_GROWTH = 115, 5, 35  # of the width of tiles, in percent


@dataclass(frozen=True, slots=True)
class NodeTiles:
    """Noisy counts between successive borders 0 = c_0 < c_1 < ... < c_K = D."""

    borders: Integers
    counts: Integers
    rate: Fraction

    @property
    def widths(self) -> Integers:
        """Number of levels of each tile."""
        return np.diff(self.borders)

    def people_below(self, failure: float) -> Floats:
        """Upper ends of F(1), ..., F(D) that all hold at once but for a probability of `failure`.

        Each of the K noises is below its quantile but for failure / K. F rises, so for a level with r levels from it to
        the end of its tile, r F is at most the count of the tile; and what bounds a level bounds those before it.
        """
        noise = discrete_laplace_quantile(self.rate, 1 - 2 * failure / len(self.counts))  # one-sided
        left = np.repeat(self.borders[1:], self.widths) - np.arange(self.borders[-1])
        ends = np.repeat(np.maximum(0, self.counts + noise), self.widths) / left
        return np.minimum.accumulate(ends[::-1])[::-1]


def balanced_growth(people: int, rate: Fraction) -> int:
    """How wide tiles shall be, in percent of where they start, for noise of this rate and about so many people."""
    return max(LEAST_GROWTH, min(MOST_GROWTH, round(GROWTH / math.sqrt(max(1, people) * float(rate)))))


def growing_borders(max_degree: int, growth: int) -> Integers:
    """Borders from 0 to max_degree: single levels first, then tiles of `growth` percent of where they start."""
    borders = [0]
    while borders[-1] < max_degree:
        borders.append(borders[-1] + max(1, growth * borders[-1] // 100))
    if len(borders) > 2 and 2 * (max_degree - borders[-2]) < borders[-2] - borders[-3]:
        borders.pop(-2)  # a short rest joins the tile before it
    borders[-1] = max(1, max_degree)
    return np.array(borders, dtype=np.int64)


def tile_counts(degrees: AnyArray, borders: Integers) -> Integers:
    """The sum of F over the levels of each tile."""
    max_degree = int(borders[-1])
    below = np.bincount(np.minimum(degrees, max_degree), minlength=max_degree + 1)[:max_degree].cumsum()  # F(1..D)
    return np.diff(np.concatenate(([0], below.cumsum()))[borders])


def noisy_tiles(degrees: AnyArray, borders: Integers, epsilon: Fraction) -> NoisyVector:
    """The counts of all tiles as one measurement, for degrees projected to at most the last border."""
    return NoisyVector(
        what="numbers of people below each degree, summed over bands of degrees",
        exact=tile_counts(degrees, borders),
        sensitivity=int(borders[-1]),
        epsilon=epsilon,
    )
