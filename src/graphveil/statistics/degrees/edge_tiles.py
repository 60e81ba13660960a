"""Degrees as a Young diagram, measured in tiles.

Sort the degrees from large to small and draw d boxes in the row of each: box (i, j) is there if rank i has a degree
of at least j. One more edge adds two boxes: raising one degree from a to a + 1 adds the box at level a + 1 of the
first rank that holds a. Cut the plane into disjoint tiles and count the boxes in each: the counts change by 2 in
total, whatever the tiles. So discrete Laplace noise of rate epsilon / 2 on every count is epsilon-private for an
edge, and tiles may be chosen one after the other from the noisy counts so far, since a new box lies in at most one
tile.

Level tiles span all ranks; they hold the heights C(j) = #{v: d_v >= j}. Rank tiles span all levels above a corner;
they hold the degrees beyond it. Both are falling sequences. One rank per tile and no levels is Hay et al. (2009);
levels up to the noisy diagonal and ranks above it need about 2 h numbers instead of n, where h people have h
neighbours or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.noise.source import Noise
from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import (
    FallingTiles,
    Integers,
    WidthRule,
    fit_falling,
    measure_tiles,
)

SENSITIVITY = 2
POOLING = 4.0
FALL_OVER_NOISE = 30.0
RANK_GROWTH = 0.03


def pooled_width(rate: Fraction) -> WidthRule:
    """How many levels to pool, from the noisy height at a level.

    With h people per degree their own scatter is about sqrt(h), the noise of a pooled tile spread over its w degrees
    is about (2 / rate) / w^2, and both are level at w = sqrt(2 / (rate sqrt(h))) up to a constant, which was set on
    real graphs. h is guessed from the height: a tail that falls like a power has C(j) / j people per degree up to a
    constant. Low levels, where heights fall steeply, are pooled over half the level at most; unless the noise of a
    mean height would be more than a thirtieth of that fall over the tile.
    """

    def width(level: int, height: float) -> int:
        per_degree = max(1.0, height) / max(1, level)
        pooled = POOLING / math.sqrt(SENSITIVITY * float(rate) * math.sqrt(per_degree))
        least = math.sqrt(FALL_OVER_NOISE * math.sqrt(2) / (float(rate) * per_degree))
        return max(1, int(min(pooled, max(level / 2, least))))

    return width


def measure_levels(degrees: NDArray[Any], rate: Fraction, noise: Noise, width: WidthRule) -> FallingTiles:
    """The heights C(1), C(2), ..., by level tiles."""
    return measure_tiles(level_prefix(degrees), len(degrees), rate, noise, width)


def level_prefix(degrees: NDArray[Any]) -> Integers:
    """0, C(1), C(1) + C(2), ..., up to the level n - 1."""
    heights = np.bincount(degrees, minlength=max(1, len(degrees)))[::-1].cumsum()[::-1]  # C(0), C(1), ..., C(n - 1)
    return np.concatenate(([0], heights[1:].cumsum()))


@dataclass(frozen=True, slots=True)
class YoungDiagram:
    """Level tiles up to a corner, rank tiles for what the first ranks have above it."""

    n_people: int
    levels: FallingTiles
    ranks: FallingTiles

    @property
    def corner(self) -> int:
        """The level where ranks take over."""
        return self.levels.top


def measure_diagram(degrees: NDArray[Any], rate: Fraction, noise: Noise) -> YoungDiagram:
    """Levels up to where the noisy height meets the level, then the ranks that may reach above."""
    n = len(degrees)
    levels = measure_levels(degrees, rate, noise, diagonal_width(rate))
    last = float(levels.sums[-1] / levels.widths[-1]) if len(levels.sums) else 0.0
    prefix = rank_prefix(degrees, levels.top, rank_reach(n, last, rate))
    ranks = measure_tiles(prefix, max(0, n - 1 - levels.top), rate, noise, rank_width(rate))
    return YoungDiagram(n, levels, ranks)


def diagonal_width(rate: Fraction) -> WidthRule:
    """Pooled levels, none from where the noisy height meets the level."""
    pooled = pooled_width(rate)
    return lambda level, height: pooled(level, height) if height > level else 0


def rank_reach(n_people: int, last_height: float, rate: Fraction) -> int:
    """How many ranks may reach above the corner, whose noisy height this is."""
    return min(n_people, max(0, math.ceil(last_height + 2 / rate)))


def rank_prefix(degrees: NDArray[Any], corner: int, reach: int) -> Integers:
    """Running sums, from 0, of what the first ranks have above the corner."""
    excess = np.maximum(np.sort(degrees)[::-1][:reach] - corner, 0)
    return np.concatenate(([0], excess.cumsum()))


def rank_width(rate: Fraction) -> WidthRule:
    """Later ranks are more alike."""
    growth = min(0.1, RANK_GROWTH / (SENSITIVITY * float(rate)))
    return lambda rank, _: max(1, int(growth * rank))


def fit_degrees(diagram: YoungDiagram) -> Integers:
    """All n degrees in falling order, whole numbers."""
    n = diagram.n_people
    heights = np.rint(fit_falling(diagram.levels, at_zero=n))
    degrees = _conjugate(heights, n).astype(np.float64)
    above = fit_falling(diagram.ranks)
    degrees[: len(above)] += above
    return np.clip(np.rint(degrees), 0, max(0, n - 1)).astype(np.int64)


def bound_degrees(diagram: YoungDiagram, failure: float) -> tuple[Integers, Integers]:
    """(low, high) around all n sorted degrees at once, but for a probability of `failure`."""
    n = diagram.n_people
    low_heights, high_heights = bound_falling(diagram.levels, failure / 2)
    low_above, high_above = bound_falling(diagram.ranks, failure / 2)
    low, high = _conjugate(low_heights, n), _conjugate(high_heights, n)
    corner = diagram.corner
    measured = len(low_above)
    low[:measured] = np.where(low_above > 0, corner + low_above, low[:measured])
    above = np.full(n, high_above[-1] if measured else max(0, n - 1 - corner))  # later ranks have no more than the last
    above[:measured] = high_above
    return low, np.minimum(np.where(high >= corner, corner + above, high), max(0, n - 1))


def _conjugate(heights: NDArray[Any], n_people: int) -> Integers:
    """Row lengths 1..n of a diagram from its falling column heights: how many levels each rank reaches."""
    rising = -np.minimum.accumulate(heights) if len(heights) else heights
    return np.searchsorted(rising, -np.arange(1, n_people + 1), side="right").astype(np.int64)
