"""Half-widths for a draw from a ladder that is itself only known through a noisy bound.

An integer y bounds the ladder, and z = y + Y is released, Y discrete Laplace. The half-width is a public function w(z),
made so that for every y

    sum_k P(Y = k) P_y(|X| > w(y + k)) <= failure,

with the proved tail bounds of `ladder_accuracy` for P_y. Asking for an upper end of y first, and then for a quantile on
the ladder of that upper end, would be valid too; but a z that is far too low is rare, and then X is still within w more
often than not. Averaging over both gives intervals a third to two thirds as wide.

The function is the half-width at (z + shift) for a somewhat smaller failure probability, and the shift is found by
bisection. Everything here depends on public parameters and is computed on a grid of y: floats, for reports only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.mechanisms.ladder_accuracy import Floats

OWN_PART = 0.9  # of the failure probability, for the draw alone
FAILURES = np.concatenate([np.linspace(1.0, 0.3, 30), np.geomspace(0.29, 1e-7, 60)])
GRID_POINTS = 48
STEPS = 64  # of the noise of the bound, on each side
FARTHEST = 18.0  # in multiples of its scale; what lies below counts as failed
MARGIN = 0.995  # for what happens between grid points


@dataclass(frozen=True, slots=True, eq=False)
class NoisyLadder:
    """The half-widths of all ladders that a noisy bound may stand for."""

    bounds: Floats
    widths: Floats  # row: bound, column: failure
    rate: float

    @classmethod
    def build(cls, widths: Callable[[int, Floats], Floats], least: int, most: int, rate: Fraction) -> NoisyLadder:
        """From the half-widths that belong to a bound, for bounds within a public range."""
        finest = max(1.0, 0.05 / float(rate))
        points = np.geomspace(finest, max(finest, most - least), GRID_POINTS).astype(np.int64)
        bounds = np.unique(np.minimum(least + np.concatenate([[0], points]), most))
        rows = [widths(int(bound), FAILURES) for bound in bounds]
        return cls(bounds.astype(np.float64), np.array(rows), float(rate))

    def rule(self, failure: float) -> Callable[[int], int]:
        """From the noisy bound to a distance between value and truth, passed with at most this probability."""
        column = np.array([np.interp(-OWN_PART * failure, -FAILURES, row) for row in self.widths])
        low, high = 0.0, float(self.bounds[-1] - self.bounds[0])
        for _ in range(20):
            shift = (low + high) / 2
            low, high = (low, shift) if self._largest_failure(column, shift) <= MARGIN * failure else (shift, high)
        return lambda noisy: math.ceil(float(np.interp(noisy + high, self.bounds, column)))

    def _largest_failure(self, column: Floats, shift: float) -> float:
        """The probability of failing, at the bound where it is largest."""
        lows, masses = self._noise_cells()
        widths = np.interp(self.bounds[:, None] + lows + shift, self.bounds, column)
        failed = [np.interp(width, row, FAILURES) @ masses for width, row in zip(widths, self.widths, strict=True)]
        return float(max(failed)) + math.exp(-FARTHEST)

    def _noise_cells(self) -> tuple[Floats, Floats]:
        """Low ends and probabilities of cells of the noise of the bound."""
        edges = np.unique(np.rint(np.linspace(-FARTHEST, FARTHEST, 2 * STEPS + 1) / self.rate))
        decay = math.exp(-self.rate)
        before = np.where(edges <= 0, decay ** (1 - edges) / (1 + decay), 1 - decay**edges / (1 + decay))
        return edges, np.diff(np.append(before, 1.0))
