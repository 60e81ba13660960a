"""A falling sequence of whole numbers g(1) >= g(2) >= ... >= 0, known from noisy sums over tiles of places.

Tiles (start, start + width] are disjoint and follow one another from place 1. A public rule chooses their widths one
after the other from the noisy sums so far. So the noisy sums in order hold everything: whoever knows the rule finds
the tiles by going through the sums again. `walk_tiles` does both. It goes through many runs side by side, and what the
sum of a tile is comes from its caller: exact sums with noise where tiles are drawn, outcomes where they are read back.

What a sum costs in privacy is proved where the sequence comes from; `monotone_bounds` bounds the sequence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from graphveil.arrays import AnyArray, Floats, Integers

WidthRule: TypeAlias = Callable[[int, float], int]  # (place, noisy height there) -> width of the next tile, 0 to stop
TileSums: TypeAlias = Callable[[int, Integers, Integers], Integers]  # (number of the tile, start, end) of every run


@dataclass(frozen=True, slots=True)
class FallingTiles:
    """Noisy sums of tiles that cover the places 1..top; `ceiling` bounds g and `places` the places, both public."""

    ceiling: int
    places: int
    rate: Fraction
    starts: Integers
    widths: Integers
    sums: Integers

    @property
    def top(self) -> int:
        """The last place that a tile covers, 0 without tiles."""
        return int(self.starts[-1] + self.widths[-1]) if len(self.starts) else 0

    def up_to(self, place: int) -> FallingTiles:
        """The tiles that cover the places 1..place."""
        kept = int(np.searchsorted(self.starts, place))
        return replace(self, starts=self.starts[:kept], widths=self.widths[:kept], sums=self.sums[:kept])


@dataclass(frozen=True, slots=True, eq=False)
class TileRuns:
    """Widths and noisy sums of the tiles of many runs: a row a run, its tiles in order, then zeros."""

    widths: Integers
    sums: Integers

    def last_means(self) -> Floats:
        """The noisy height of the last tile of every run, 0 where there is none."""
        if not self.widths.shape[1]:
            return np.zeros(len(self.widths))
        last = np.maximum(np.count_nonzero(self.widths, axis=1) - 1, 0)[:, None]
        width, total = (np.take_along_axis(part, last, axis=1)[:, 0] for part in (self.widths, self.sums))
        return np.asarray(total / np.maximum(width, 1))

    def only(self, ceiling: int, places: int, rate: Fraction) -> FallingTiles:
        """The tiles of a single run."""
        (widths,), (sums,) = self.widths, self.sums
        count = np.count_nonzero(widths)
        ends = np.cumsum(widths[:count])
        return FallingTiles(ceiling, places, rate, ends - widths[:count], widths[:count], sums[:count])


def walk_tiles(places: Integers, ceilings: Integers, columns: int, width: WidthRule, sums_of: TileSums) -> TileRuns:
    """The tiles of all runs, a tile of each at a time, until the rule or the places end them.

    A run has so many places and a public ceiling of its sequence. There are as many columns as any run can have places,
    so that a column means the same in every call.
    """
    runs = len(places)
    place, height = np.zeros(runs, dtype=np.int64), ceilings.astype(np.float64)
    widths, sums = np.zeros((2, runs, columns), dtype=np.int64)
    for tile in range(int(places.max(initial=0))):
        size, left = np.zeros(runs, dtype=np.int64), np.flatnonzero(place < places)
        size[left] = np.minimum(_apply_rule(width, place[left], height[left]), (places - place)[left])
        going = size > 0
        if not going.any():
            break
        noisy = np.where(going, sums_of(tile, place, place + size), 0)
        widths[:, tile], sums[:, tile] = size, noisy
        place = place + size
        height = np.where(going, np.minimum(height, np.maximum(0.0, noisy / np.maximum(size, 1))), height)
    return TileRuns(widths, sums)


def _apply_rule(width: WidthRule, place: Integers, height: Floats) -> Integers:
    """The rule at every place and height, evaluated once for equal ones."""
    points, which = np.unique(place + 1j * height, return_inverse=True)
    return np.array([width(int(point.real), float(point.imag)) for point in points], dtype=np.int64)[which]


def fit_falling(tiles: FallingTiles, *, threshold: float = -math.inf, at_zero: float | None = None) -> Floats:
    """Fitted g(1), g(2), ... up to the last tile whose sum passes the threshold.

    Tile means are made to fall by isotonic regression and interpolated linearly between the tiles' centres; `at_zero`
    is g(0) where it is known.
    """
    passing = np.flatnonzero(tiles.sums > threshold)
    kept = int(passing[-1]) + 1 if len(passing) else 0
    if kept == 0:
        return np.empty(0)
    starts, widths = tiles.starts[:kept], tiles.widths[:kept].astype(np.float64)
    means = np.clip(tiles.sums[:kept] / widths, 0, tiles.ceiling)
    means = nearest_falling(means, widths**2)
    centres = starts + (widths + 1) / 2
    if at_zero is not None:
        centres, means = np.concatenate(([0.0], centres)), np.concatenate(([at_zero], means))
    return np.interp(np.arange(1, starts[-1] + widths[-1] + 1), centres, means)


def nearest_falling(values: Floats, weights: Floats) -> Floats:
    """The falling sequence with the least weighted squares of differences: rises are pooled to their means.

    scipy has the same, and takes longer to load than a few hundred values to pool.

    >>> nearest_falling(np.array([5.0, 1.0, 3.0, 2.0]), np.array([1.0, 1.0, 3.0, 1.0])).tolist()
    [5.0, 2.5, 2.5, 2.0]
    """
    means: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    for mean, mass in zip(values.tolist(), weights.tolist(), strict=True):
        length = 1
        while means and means[-1] <= mean:
            pooled = masses[-1] + mass
            mean, mass = (means.pop() * masses.pop() + mean * mass) / pooled, pooled
            length += lengths.pop()
        means.append(mean)
        masses.append(mass)
        lengths.append(length)
    return np.repeat(means, lengths)


def distances(value: AnyArray, low: AnyArray, high: AnyArray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How far the bounds lie below and above the values, for a band; never negative."""
    below: list[float] = np.maximum(0.0, value - low).tolist()
    above: list[float] = np.maximum(0.0, high - value).tolist()
    return tuple(below), tuple(above)
