"""Tiles of a Young diagram measured in many runs at once, each run choosing its own tiles: what audits draw.

The rules of `falling` and `young` are applied to all runs side by side, a tile at a time; the noise of one tile is
drawn for all runs together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import StepByStep
from graphveil.statistics.degrees.edge_tiles import (
    diagonal_width,
    level_prefix,
    measure_diagram,
    measure_levels,
    rank_prefix,
    rank_reach,
    rank_width,
)
from graphveil.statistics.degrees.monotone_tiles import Integers, WidthRule


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
        return tile_runs([(level_prefix(degrees), len(degrees))], _all_the_same(count), rate, noise, width).sums

    return StepByStep(partial(measure_levels, degrees, rate, width=width), runs)


def diagram_of(degrees: NDArray[Any], rate: Fraction) -> StepByStep:
    """Levels and ranks of a diagram, as a measurement; drawn once it is a `YoungDiagram`."""
    return StepByStep(partial(measure_diagram, degrees, rate), partial(_diagram_runs, degrees, rate))


def tile_runs(
    sequences: Sequence[tuple[Integers, int]], which: Integers, rate: Fraction, noise: Noise, width: WidthRule
) -> TileRuns:
    """`falling.measure_tiles` in many runs: sequences are given by (prefix, ceiling), `which` tells every run's.

    There is a column for every place of the longest sequence, since no run has more tiles than places.
    """
    places = np.array([len(prefix) - 1 for prefix, _ in sequences])
    most = int(places.max())
    prefixes = np.array([np.pad(prefix, (0, most + 1 - len(prefix))) for prefix, _ in sequences], dtype=np.int64)
    place, height = np.zeros_like(which), np.array([float(ceiling) for _, ceiling in sequences])[which]
    widths, sums = np.zeros((2, len(which), most), dtype=np.int64)
    for tile in range(most):
        size = np.minimum(_wanted(width, place, height), places[which] - place)
        going = size > 0
        if not going.any():
            break
        exact = prefixes[which, place + size] - prefixes[which, place]
        noisy = np.where(going, add_discrete_laplace(noise, exact, rate), 0)
        widths[:, tile], sums[:, tile] = size, noisy
        place = place + size
        height = np.where(going, np.minimum(height, np.maximum(0.0, noisy / np.maximum(size, 1))), height)
    return TileRuns(widths, sums)


def _all_the_same(runs: int) -> Integers:
    return np.zeros(runs, dtype=np.int64)


def _wanted(width: WidthRule, place: Integers, height: NDArray[np.float64]) -> Integers:
    """The rule at every place and height; it is asked once about those that are alike."""
    alike, which = np.unique(place + 1j * height, return_inverse=True)
    return np.array([width(int(point.real), float(point.imag)) for point in alike], dtype=np.int64)[which]


def _diagram_runs(degrees: NDArray[Any], rate: Fraction, noise: Noise, count: int) -> Integers:
    """`young.measure_diagram`, in that many runs: the sums of the levels, then those of the ranks."""
    n = len(degrees)
    levels = tile_runs([(level_prefix(degrees), n)], _all_the_same(count), rate, noise, diagonal_width(rate))
    heights, which = np.unique(levels.last_means(), return_inverse=True)
    reaches = np.array([rank_reach(n, height, rate) for height in heights.tolist()])[which]
    corners, which = np.unique(np.column_stack((levels.widths.sum(axis=1), reaches)), axis=0, return_inverse=True)
    sequences = [(rank_prefix(degrees, corner, reach), max(0, n - 1 - corner)) for corner, reach in corners.tolist()]
    ranks = tile_runs(sequences, which.ravel(), rate, noise, rank_width(rate)).sums
    return np.hstack((levels.sums, np.pad(ranks, ((0, 0), (0, n - ranks.shape[1])))))
