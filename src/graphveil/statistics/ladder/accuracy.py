"""How far a draw from a smoothed ladder lies from the middle, from upper bounds of the ladder alone.

Let r = (1 + kappa) e^-g < 1. Rung t >= 1 holds between 2 J_{t-1} and 2 (1 + kappa) J_{t-1} integers, J_{t+s} is at most
(1 + kappa)^s J_t, and the middle holds n_0 = 1 + 2 C_0 >= 2 gamma J_0. With S = 2 sum_{t>=1} J_{t-1} e^{-g t}, which is
at most 2 J_0 e^-g / (1 - r),

    P(rung > t) <= (1 + kappa) r^t S / (n_0 + S) <= A r^t,   A = (1 + kappa) a / (1 + a),   a = e^-g / ((1 - r) gamma)

(a is infinite where gamma = 0). As n_0 >= 1, S / (n_0 + S) is also at most b / (1 + b) for any b >= S; on every ladder
that starts at or below J_0, b = 2 J_0 e^-g / (1 - r) will do. At a large epsilon this is next to nothing: the draw then
is the middle itself, and the half-width 0. r, A and, for a public J_0, b are public. Within a rung the draw is uniform,
so between the reach of two rungs the tail falls linearly, and b and all B_t grow with the ladder: a ladder that is
nowhere below the true one gives a bound for the true one. These are floats, for reports; no noise depends on them.

Half-widths for a draw from a ladder that is itself only known through a noisy bound.

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

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.ladder_sampler import Rungs, rung_sizes
from graphveil.statistics.ladder.ladder import SmoothedLadder

SAFE = 1 + 1e-9  # more than what rounding of floats can take away


def ladder_half_widths(rungs: SmoothedLadder, failures: Floats) -> Floats:
    """Distances (to be rounded up) that a draw passes with at most these probabilities, here and on lower ladders."""
    g, growth = float(rungs.rate), 1 + 1 / rungs.q
    r = max(growth * math.exp(-g), 1e-300)
    start = min(1.0, growth * _passes_the_middle(rungs, math.exp(-g) / (1 - r)))
    rung = np.floor(np.log(np.minimum(failures / start, 1)) / math.log(r)).astype(np.int64)
    reach = rungs.reach(int(rung.max()) + 2).astype(np.float64)
    above, below = start * r**rung, start * r ** (rung + 1)
    beyond = reach[rung] + (reach[rung + 1] - reach[rung]) * (above - np.minimum(failures, above)) / (above - below)
    within = reach[0] * (1 - failures) / (1 - start) if start < 1 else np.zeros(len(failures))
    return SAFE * np.where(failures < start, beyond, within)


def _passes_the_middle(rungs: SmoothedLadder, series: float) -> float:
    """A bound on S / (n_0 + S), here and on lower ladders; S is at most 2 J_0 times the series."""
    most = 2 * int(rungs.widths(1)[0]) * series
    if rungs.gamma:
        most = min(most, series / float(rungs.gamma))
    return max(most / (1 + most), 1e-300)


def ladder_std(rungs: Rungs) -> float:
    """Standard deviation of a draw from exactly this ladder."""
    count = max(2, math.ceil(60 / (float(rungs.rate) - math.log(rungs.tail(1)[1]))))
    reach: list[int] = rungs.reach(count).tolist()
    total = second = inner = 0.0
    for t, (size, far) in enumerate(zip(rung_sizes(reach), reach, strict=True)):
        weight, squares = math.exp(-float(rungs.rate) * t), far * (far + 1) * (2 * far + 1) / 3  # of all up to here
        total += weight * size
        second += weight * (squares - inner)
        inner = squares
    return math.sqrt(second / total)


OWN_PART = 0.9  # of the failure probability, for the draw alone
FAILURES = np.concatenate([np.linspace(1.0, 0.3, 30), np.geomspace(0.29, 1e-7, 60)])
GRID_POINTS = 48
STEPS = 64  # of the noise of the bound, on each side
FARTHEST = 18.0  # in multiples of its scale; what lies below counts as failed
MARGIN = 0.995  # for what happens between grid points


def fine_grid(least: int, most: int, rate: Fraction) -> Integers:
    """Bounds for half-widths in proportion to them: the steps of the grid grow with the distance from the least."""
    finest = max(1.0, 0.05 / float(rate))
    points = np.geomspace(finest, max(finest, most - least), GRID_POINTS).astype(np.int64)
    return np.unique(np.minimum(least + np.concatenate([[0], points]), most))


def even_grid(least: int, most: int) -> Integers:
    """Bounds for half-widths that rise by a factor from one to the next: all steps are alike."""
    return np.unique(np.linspace(least, most, GRID_POINTS).astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class NoisyLadder:
    """The half-widths of all ladders that a noisy bound may stand for."""

    bounds: Floats
    widths: Floats  # row: bound, column: failure
    rate: float

    @classmethod
    def build(cls, widths: Callable[[int, Floats], Floats], bounds: Integers, rate: Fraction) -> NoisyLadder:
        """From the half-widths that belong to a bound, on a grid of bounds from the least possible to the largest."""
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
