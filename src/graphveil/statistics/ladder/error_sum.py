"""Half-widths of a sum of independent symmetric errors.

An error is an integer X of a symmetric law that does not rise with |X|, times a weight; it is described by half-widths
w_q with P(|X| > w_q) <= q on a fixed grid of probabilities q, between which the tail is linear. Moving every X != 0
towards 0 by a uniform number in 0..1 gives a law with a density (and an atom at 0) below the same tail, and moves the
weighted sum by at most the sum of the weights.

Birnbaum (1948): if each |X_i| is stochastically below |D_i|, all laws being symmetric, unimodal and independent, then
|sum of X_i| is below |sum of D_i|. D_i gets a density that is constant on the cells of one common grid, does not rise
with the distance from 0, and leaves no less beyond any point than the tail bound: D_i = h (J_i + U_i), J_i whole, U_i
uniform in 0..1. So the sum of the D_i is within h times the number of terms of h times the sum of the J_i, whose law is
a convolution. Adding half-widths at failure probabilities that sum up to the wanted one is valid too, and up to twice
as wide; but where a law has a hole in the middle, as ladders have at a large epsilon, it may be the shorter one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.kernels import kernel

FAILURES: Floats = np.geomspace(1, 1e-8, 240)
CELLS = 512  # on each side of 0


def half_width_at(widths: Floats, failure: float) -> float:
    """The half-width at the next grid probability that is not above the one asked for."""
    return float(widths[np.argmax(failure >= FAILURES)])


def sum_half_width(errors: Sequence[tuple[float, Floats]], failure: float) -> float:
    """A distance that the weighted sum of independent integer errors passes with at most this probability.

    Each error comes as its weight and its half-widths at FAILURES.
    """
    parts = [weight * widths for weight, widths in errors if weight > 0 and widths[-1] > 0]
    if not parts:
        return 0.0
    if failure / 4 / len(parts) < FAILURES[-1]:  # which is less than the grid can tell
        return math.inf
    added = sum(half_width_at(widths, failure / len(parts)) for widths in parts)
    return min(added, _convolved(parts, failure) + sum(weight for weight, _ in errors))


def _convolved(parts: list[Floats], failure: float) -> float:
    """The same for errors with a density."""
    h = sum(half_width_at(widths, failure / 4 / len(parts)) for widths in parts) / CELLS
    lost, masses = 0.0, np.ones(1)
    for widths in parts:
        one_side, beyond = _cell_masses(widths, h)
        lost += beyond
        masses = _convolve(masses, np.concatenate([one_side[::-1], one_side]) / 2)
    # entry i of the masses is the event that the sum of the J is i - CELLS * len(parts)
    from_zero = np.cumsum(masses[::-1])[::-1][CELLS * len(parts) :]  # P(sum of J >= k), k = 0, 1, 2 ...
    enough = np.flatnonzero(2 * from_zero + lost <= failure)
    if not len(enough):
        return math.inf
    return float(h * (enough[0] + len(parts)))


def _cell_masses(widths: Floats, h: float) -> tuple[Floats, float]:
    """Masses of |D| on the cells, not rising, and what lies beyond them."""
    tail = np.interp(h * np.arange(CELLS + 1), widths, FAILURES)
    tail[0] = 1.0  # an error that is often 0 is spread over the first cell
    masses = -np.diff(tail)
    if np.any(np.diff(masses) > 0):
        masses, tail[-1] = _push_outwards(masses, float(tail[-1]))
    return masses, float(tail[-1])


@kernel
def _push_outwards(masses: Any, beyond: Any) -> Any:
    """Move what exceeds the cell before to the cells behind."""
    carry, level = 0.0, np.inf
    levelled = np.empty(len(masses))
    for k in range(len(masses)):
        level = min(level, masses[k] + carry)
        carry += masses[k] - level
        levelled[k] = level
    return levelled, beyond + carry


def _convolve(one: Floats, other: Floats) -> Floats:
    size = len(one) + len(other) - 1
    fast = 1 << size.bit_length()
    product = np.fft.irfft(np.fft.rfft(one, fast) * np.fft.rfft(other, fast), fast)[:size]
    return np.maximum(product, 0)
