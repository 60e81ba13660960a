"""A falling sequence of whole numbers g(1) >= g(2) >= ... >= 0, known from noisy sums over tiles of places.

Tiles (start, start + width] are disjoint and follow one another from place 1. Their widths may be chosen one after
the other from the noisy sums so far. What a sum costs in privacy is the business of whoever knows where the sequence
comes from; here it is measured and fitted, in `falling_bounds` it is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise

Integers: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
WidthRule: TypeAlias = Callable[[int, float], int]  # (place, noisy height there) -> width of the next tile, 0 to stop


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
        """The last place measured."""
        return int(self.starts[-1] + self.widths[-1]) if len(self.starts) else 0

    def up_to(self, place: int) -> FallingTiles:
        """The tiles that cover the places 1..place."""
        kept = int(np.searchsorted(self.starts, place))
        return replace(self, starts=self.starts[:kept], widths=self.widths[:kept], sums=self.sums[:kept])


def measure_tiles(prefix: Integers, ceiling: int, rate: Fraction, noise: Noise, width: WidthRule) -> FallingTiles:
    """Sums of successive tiles with discrete Laplace noise of this rate; prefix[j] is g(1) + ... + g(j)."""
    places = len(prefix) - 1
    starts, widths, sums = [], [], []
    place, height = 0, float(ceiling)
    while place < places and (wanted := width(place, height)) > 0:
        size = min(wanted, places - place)
        noisy = add_discrete_laplace(noise, int(prefix[place + size] - prefix[place]), rate)
        starts.append(place)
        widths.append(size)
        sums.append(noisy)
        place += size
        height = min(height, max(0.0, noisy / size))
    first, second, third = (np.array(column, dtype=np.int64) for column in (starts, widths, sums))
    return FallingTiles(ceiling, places, rate, first, second, third)


def fit_falling(tiles: FallingTiles, *, threshold: float = -math.inf, at_zero: float | None = None) -> FloatArray:
    """Fitted g(1), g(2), ... up to the last tile whose sum passes the threshold.

    Tile means are made to fall by isotonic regression and interpolated linearly between the tiles' centres; `at_zero`
    is g(0) where it is known.
    """
    from scipy.optimize import isotonic_regression

    passing = np.flatnonzero(tiles.sums > threshold)
    kept = int(passing[-1]) + 1 if len(passing) else 0
    if kept == 0:
        return np.empty(0)
    starts, widths = tiles.starts[:kept], tiles.widths[:kept].astype(np.float64)
    means = np.clip(tiles.sums[:kept] / widths, 0, tiles.ceiling)
    means = isotonic_regression(means, weights=widths**2, increasing=False).x
    centres = starts + (widths + 1) / 2
    if at_zero is not None:
        centres, means = np.concatenate(([0.0], centres)), np.concatenate(([at_zero], means))
    return np.interp(np.arange(1, starts[-1] + widths[-1] + 1), centres, means)


def distances(
    value: NDArray[Any], low: NDArray[Any], high: NDArray[Any]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How far the bounds lie below and above the values, for a band; never negative."""
    below: list[float] = np.maximum(0.0, value - low).tolist()
    above: list[float] = np.maximum(0.0, high - value).tolist()
    return tuple(below), tuple(above)
