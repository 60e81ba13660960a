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
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.ladder import SmoothedLadder
from graphveil.mechanisms.ladder_sampler import Rungs, rung_sizes

Floats = NDArray[np.float64]

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
