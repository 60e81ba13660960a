"""Degrees as a Young diagram, measured in tiles.

Sort the degrees from large to small and draw d boxes in the row of each: box (i, j) is there if rank i has a degree of
at least j. One more edge adds two boxes: raising one degree from a to a + 1 adds the box at level a + 1 of the first
rank that holds a. Cut the plane into disjoint tiles and count the boxes in each: the counts change by 2 in total,
whatever the tiles. So discrete Laplace noise of rate epsilon / 2 on every count is epsilon-private for an edge, and
tiles may be chosen one after the other from the noisy counts so far, since a new box lies in at most one tile.

Level tiles span all ranks: the tile (start, start + width] counts sum over v of clip(d_v - start, 0, width), the sum of
the heights C(j) = #{v: d_v >= j} over its levels. One rank per tile is the degree sequence of Hay et al. (2009).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.source import Noise

FloatArray: TypeAlias = NDArray[np.float64]
WidthRule: TypeAlias = Callable[[int, float], int]  # (level, noisy height there) -> width of the next tile


@dataclass(frozen=True, slots=True)
class LevelTiles:
    """Noisy counts of disjoint level tiles that cover the levels 1..top one after the other."""

    n_people: int
    rate: Fraction
    starts: NDArray[np.int64]
    widths: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def top(self) -> int:
        """The highest level measured."""
        return int(self.starts[-1] + self.widths[-1]) if len(self.starts) else 0


def measure_levels(degrees: NDArray[Any], rate: Fraction, noise: Noise, width: WidthRule) -> LevelTiles:
    """Count boxes in level tiles up to the highest possible degree, with discrete Laplace noise of this rate."""
    n = len(degrees)
    boxes = _boxes_up_to(degrees)
    starts, widths, counts = [], [], []
    level, height = 0, float(n)
    while level < n - 1:
        size = min(max(1, width(level, height)), n - 1 - level)
        count = add_discrete_laplace(noise, int(boxes[level + size] - boxes[level]), rate)
        starts.append(level)
        widths.append(size)
        counts.append(count)
        level += size
        height = min(height, max(0.0, count / size))
    return LevelTiles(n, rate, *(np.array(column, dtype=np.int64) for column in (starts, widths, counts)))


def _boxes_up_to(degrees: NDArray[Any]) -> NDArray[np.int64]:
    """Entry j: the number of boxes at levels 1..j, for j in 0..n-1."""
    n = len(degrees)
    if n == 0:
        return np.zeros(1, dtype=np.int64)
    heights = np.bincount(degrees, minlength=n)[::-1].cumsum()[::-1]
    heights[0] = 0
    return heights.cumsum()


def fit_heights(tiles: LevelTiles, threshold: float) -> FloatArray:
    """C(0..top + 1) from noisy tiles: falling, from n to 0.

    Tile means are made to fall by isotonic regression; from the top down, tiles whose count does not pass the threshold
    are taken for empty; between the tiles' centres C is interpolated linearly.
    """
    from scipy.optimize import isotonic_regression

    n = tiles.n_people
    full = np.flatnonzero(tiles.counts > threshold)
    kept = int(full[-1]) + 1 if len(full) else 0
    if kept == 0:
        return np.array([n, 0.0])
    starts, widths = tiles.starts[:kept], tiles.widths[:kept]
    means = np.clip(tiles.counts[:kept] / widths, 0, n)
    means = isotonic_regression(means, weights=widths.astype(np.float64) ** 2, increasing=False).x
    end = int(starts[-1] + widths[-1]) + 1
    centres = starts + (widths + 1) / 2
    levels = np.arange(end + 1)
    return np.interp(levels, np.concatenate(([0], centres, [end])), np.concatenate(([n], means, [0.0])))


def height_bounds(tiles: LevelTiles, failure: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(low, high) with low(j) <= C(j) <= high(j) for all j in 0..top + 1, but for a probability of `failure`.

    Tiles are chosen by earlier noise, so their number is random; the failure probability is therefore shared out over
    all levels in advance (in proportion to 1 / (level + 10)), and each tile uses the share of its first level. From
    bounds on the tile counts, bounds on single heights follow since heights fall.
    """
    n, top = tiles.n_people, tiles.top
    low, high = np.zeros(top + 2, dtype=np.int64), np.zeros(top + 2, dtype=np.int64)
    low[0] = high[0] = n
    slack = _tile_slack(tiles, failure)
    least = np.maximum(tiles.counts - slack, 0)
    most = np.minimum(tiles.counts + slack, n * tiles.widths)
    ceilings = np.minimum.accumulate(np.concatenate(([float(n)], most / tiles.widths)))
    floors = np.maximum.accumulate(np.concatenate(([0.0], (least / tiles.widths)[::-1])))[::-1]
    for k, (start, width) in enumerate(zip(tiles.starts, tiles.widths, strict=True)):
        position = np.arange(1, width + 1)
        above, below = ceilings[k], floors[k + 1]
        upper = np.minimum(above, (most[k] - (width - position) * below) / position)
        lower = np.maximum(below, (least[k] - (position - 1) * above) / (width - position + 1))
        high[start + 1 : start + width + 1] = np.floor(upper + 1e-9)
        low[start + 1 : start + width + 1] = np.ceil(lower - 1e-9)
    return low, high


def _tile_slack(tiles: LevelTiles, failure: float) -> NDArray[np.int64]:
    """The smallest k per tile with P(|noise| > k) at most the tile's share of the failure probability."""
    shares = 1 / (np.arange(max(1, tiles.n_people)) + 10.0)
    shares *= failure / shares.sum()
    x = float(tiles.rate)
    tail = np.log(2 / (shares[tiles.starts] * (1 + math.exp(-x)))) / x
    slack: NDArray[np.int64] = np.maximum(0, np.ceil(tail * (1 + 1e-12)) - 1).astype(np.int64)
    return slack
