"""Degrees under node privacy: the empty boxes of a Young diagram, counted in tiles.

Let every degree be at most D and give each person a row of D boxes of which the first d_v are full. The empty boxes
at level j are the people with fewer than j neighbours, F(j) = #{v: d_v < j}; a tile (start, end] of levels counts sum
over v of clip(end - d_v, 0, end - start), the sum of F(j) over its levels.

Sensitivity: D in L1 for all tiles together, if degrees come from a projection in which a new person with k kept edges
moves the degrees of all others by at most k in total (`graph.project`, the edge-by-edge scan). The others' moves fill
or empty at most k boxes; the new row itself has D - k empty boxes; together D, whatever k is. (Full boxes would cost
k + k, up to 2 D, and a histogram of the degrees 2 D + 1.) Hence discrete Laplace noise of rate epsilon / D on every
tile.

Widths: a level of a tile of width w gets noise in proportion to 1 / (rate w), and how the tile's people spread over its
levels stays unknown. Where the number of people falls like 1 / d^2, both weigh the same if w / d is the same everywhere
and falls with the root of rate times people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.noisy_numbers import NoisyVector
from graphveil.statistics.degrees.monotone_tiles import Integers

GROWTH, LEAST_GROWTH, MOST_GROWTH = 115, 5, 35  # of the width of tiles, in percent


@dataclass(frozen=True, slots=True)
class GapTiles:
    """Noisy counts of empty boxes between successive cuts 0 = c_0 < c_1 < ... < c_K = D."""

    cuts: Integers
    counts: Integers
    rate: Fraction

    @property
    def widths(self) -> Integers:
        """Number of levels of each tile."""
        return np.diff(self.cuts)


def balanced_growth(people: int, rate: Fraction) -> int:
    """How wide tiles shall be, in percent of where they start, for noise of this rate and about so many people."""
    return max(LEAST_GROWTH, min(MOST_GROWTH, round(GROWTH / math.sqrt(max(1, people) * float(rate)))))


def growing_cuts(max_degree: int, growth: int) -> Integers:
    """Cuts from 0 to max_degree: single levels first, then tiles of `growth` percent of where they start."""
    cuts = [0]
    while cuts[-1] < max_degree:
        cuts.append(cuts[-1] + max(1, growth * cuts[-1] // 100))
    if len(cuts) > 2 and 2 * (max_degree - cuts[-2]) < cuts[-2] - cuts[-3]:
        cuts.pop(-2)  # a short rest joins the tile before it
    cuts[-1] = max(1, max_degree)
    return np.array(cuts, dtype=np.int64)


def count_gaps(degrees: NDArray[Any], cuts: Integers) -> Integers:
    """Empty boxes per tile."""
    max_degree = int(cuts[-1])
    below = np.bincount(np.minimum(degrees, max_degree), minlength=max_degree + 1)[:max_degree].cumsum()  # F(1..D)
    boxes = np.concatenate(([0], below.cumsum()))
    return np.diff(boxes[cuts])


def noisy_gaps(degrees: NDArray[Any], cuts: Integers, epsilon: Fraction) -> NoisyVector:
    """Empty boxes per tile with noise that costs epsilon for one person, degrees projected to at most the last cut."""
    return NoisyVector(count_gaps(degrees, cuts), _rate(cuts, epsilon))


def conclude_gaps(outcome: Integers, cuts: Integers, epsilon: Fraction) -> GapTiles:
    """The tiles that go with these noisy counts."""
    return GapTiles(cuts, outcome, _rate(cuts, epsilon))


def _rate(cuts: Integers, epsilon: Fraction) -> Fraction:
    return epsilon / int(cuts[-1])
