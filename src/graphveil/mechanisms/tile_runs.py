"""Tiles of a Young diagram measured in many runs at once, each run choosing its own tiles: what audits draw.

The rules of `falling` and `young` are applied to all runs side by side, a tile at a time; the noise of one tile is
drawn for all runs together.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.falling import Integers, WidthRule
from graphveil.mechanisms.measurement import StepByStep
from graphveil.mechanisms.source import Noise
from graphveil.mechanisms.young import (
    diagonal_width,
    level_prefix,
    measure_diagram,
    measure_levels,
    rank_prefix,
    rank_reach,
    rank_width,
)


@dataclass(frozen=True, slots=True, eq=False)
class TileRuns:
    """A row a run: widths and noisy sums of its tiles, in order, then zeros."""

    widths: Integers
    sums: Integers

    def last_means(self) -> NDArray[np.float64]:
        """Noisy height of the last tile of every run; 0 where there is none."""
        if not self.widths.shape[1]:
            return np.zeros(len(self.widths))
        last = np.maximum(np.count_nonzero(self.widths, axis=1) - 1, 0)[:, None]
        width, total = (np.take_along_axis(part, last, axis=1)[:, 0] for part in (self.widths, self.sums))
        return np.asarray(total / np.maximum(width, 1))


def levels_of(degrees: NDArray[Any], rate: Fraction, width: WidthRule) -> StepByStep:
    """The heights of a diagram by level tiles, as a measurement; drawn once it is `FallingTiles`."""

    def runs(noise: Noise, count: int) -> Integers:
        return tile_runs(level_prefix(degrees), len(degrees), rate, noise, width, count).sums

    return StepByStep(partial(measure_levels, degrees, rate, width=width), runs)


def diagram_of(degrees: NDArray[Any], rate: Fraction) -> StepByStep:
    """Levels and ranks of a diagram, as a measurement; drawn once it is a `YoungDiagram`."""
    return StepByStep(partial(measure_diagram, degrees, rate), partial(_diagram_runs, degrees, rate))


def tile_runs(prefix: Integers, ceiling: int, rate: Fraction, noise: Noise, width: WidthRule, runs: int) -> TileRuns:
    """`falling.measure_tiles`, in that many runs; a column for every place, since no run has more tiles than places."""
    places = len(prefix) - 1
    place, height = np.zeros(runs, dtype=np.int64), np.full(runs, float(ceiling))
    widths, sums = np.zeros((2, runs, places), dtype=np.int64)
    for tile in range(places):
        size = np.minimum(_wanted(width, place, height), places - place)
        going = size > 0
        if not going.any():
            break
        noisy = np.where(going, add_discrete_laplace(noise, prefix[place + size] - prefix[place], rate), 0)
        widths[:, tile], sums[:, tile] = size, noisy
        place = place + size
        height = np.where(going, np.minimum(height, np.maximum(0.0, noisy / np.maximum(size, 1))), height)
    return TileRuns(widths, sums)


def _wanted(width: WidthRule, place: Integers, height: NDArray[np.float64]) -> Integers:
    """The rule at every place and height; it is asked once about those that are alike."""
    alike, which = np.unique(place + 1j * height, return_inverse=True)
    return np.array([width(int(point.real), float(point.imag)) for point in alike], dtype=np.int64)[which]


def _diagram_runs(degrees: NDArray[Any], rate: Fraction, noise: Noise, count: int) -> Integers:
    """`young.measure_diagram`, in that many runs: the sums of the levels, then those of the ranks."""
    n = len(degrees)
    levels = tile_runs(level_prefix(degrees), n, rate, noise, diagonal_width(rate), count)
    corners = levels.widths.sum(axis=1)
    reaches = np.array([rank_reach(n, last, rate) for last in levels.last_means().tolist()])
    ranks = np.zeros((count, n), dtype=np.int64)
    for corner, reach in np.unique(np.column_stack((corners, reaches)), axis=0).tolist():
        mine = np.flatnonzero((corners == corner) & (reaches == reach))
        prefix = rank_prefix(degrees, corner, reach)
        part = tile_runs(prefix, max(0, n - 1 - corner), rate, noise, rank_width(rate), len(mine)).sums
        ranks[mine, : part.shape[1]] = part
    return np.hstack((levels.sums, ranks))
