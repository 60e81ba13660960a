"""Discrete staircase noise: what a number of known sensitivity needs, with less variance than Laplace noise has.

Paper: Geng and Viswanath 2014 (continuous and discrete; they show that no noise of its kind is better).

A whole number that one entry changes by at most w gets noise X with P(X = x) = P(X = -x) and, for x >= 0,

    P(X = x) proportional to   e^-(epsilon g)        where x = g w + u and u < step
                               e^-(epsilon (g + 1))  where x = g w + u and step <= u < w

Sensitivity: P falls with |x| and P(|x| + w) = e^-epsilon P(|x|). A shift by at most w moves |x| by at most w, so no
ratio passes e^epsilon, whatever step in 1..w is taken; the step only decides how large the noise is.

Sampling is exact: u is uniform and kept with probability 1 or e^-epsilon, g is geometric, and of the two signs of 0 one
is drawn again.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.mechanisms.noise.bulk import MAX_WHOLE, draw_geometric, fit_rate
from graphveil.mechanisms.noise.person_noise import WORDS, fill_personal
from graphveil.mechanisms.noise.person_streams import in_parts
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noise.stream import below, exp_coin, ran_out

LARGEST = 2**61


def add_personal_staircase(noise: Noise, values: ArrayLike, epsilon: Fraction, widths: ArrayLike) -> Integers:
    """Each person's integer plus noise for a change of up to that person's width.

    >>> from graphveil.mechanisms.noise.person_streams import CrowdNoise
    >>> add_personal_staircase(CrowdNoise(1, range(4)), [0, 0, 0, 0], Fraction(1), [9, 9, 9, 9]).tolist()
    [0, -4, 2, -10]
    """
    centres, wide = np.asarray(values, dtype=np.int64), np.asarray(widths, dtype=np.int64)
    fitted = fit_rate(epsilon)
    widest = LARGEST // (int(MAX_WHOLE / fitted) + 1)  # the noise has at most that many widths: no overflow
    if wide.shape != centres.shape or (len(wide) and not (wide.min() >= 1 and wide.max() <= widest)):
        raise ParameterError(f"{len(centres)} people need as many widths, each from 1 to {widest}")
    numerator, denominator = np.uint64(fitted.numerator), np.uint64(fitted.denominator)
    bounds, steps = wide.astype(np.uint64), best_steps(epsilon, wide).astype(np.uint64)
    noisy = centres.copy()
    for part, part_noise in in_parts(noise, len(centres), WORDS):
        parameters = (bounds[part], steps[part], numerator, denominator)
        noisy[part] += fill_personal(part_noise, part.stop - part.start, _fill_rows, *parameters)
    return noisy


def best_steps(epsilon: Fraction, widths: Integers) -> Integers:
    """The step of least variance for each width (the best share of a width in closed form, rounded).

    Above epsilon 12 it would be so short that nearly every draw is turned down; it is a 64th of the width there.
    """
    b = np.exp(-float(epsilon))
    share = (b * (1 - b) ** 3 * (1 + b) / 2) ** (1 / 3) / (1 - b) ** 2 - b / (1 - b)
    steps: Integers = np.clip(np.rint(max(share, 1 / 64) * widths).astype(np.int64), 1, widths)
    return steps


def staircase_variance(epsilon: Fraction, widths: ArrayLike) -> Floats:
    """Of the noise for each width.

    >>> staircase_variance(Fraction(4), [100, 1]).round(2).tolist()
    [649.71, 0.04]
    """
    wide = np.asarray(widths, dtype=np.int64)
    step, w, b = best_steps(epsilon, wide).astype(np.float64), wide.astype(np.float64), np.exp(-float(epsilon))
    weight = step + (w - step) * b
    mean = (_sums(step) * (1 - b) + _sums(w) * b) / weight
    square = (_square_sums(step) * (1 - b) + _square_sums(w) * b) / weight
    whole, whole_square = b / (1 - b), b * (1 + b) / (1 - b) ** 2
    double_zero = (1 - b) / weight / 2
    return np.asarray((square + 2 * w * mean * whole + w**2 * whole_square) / (1 - double_zero))


def staircase_reach(epsilon: Fraction, confidence: float = 0.95) -> float:
    """How many standard deviations the noise of a large width stays within, with that probability.

    More than for Laplace noise (2.12) where epsilon is about 4: most noise is then within one step, the rest far off.

    >>> [round(staircase_reach(Fraction(epsilon)), 2) for epsilon in ("1/2", "3", "4", "6")]
    [2.13, 2.56, 2.47, 0.86]
    """
    width, b = 1 << 40, np.exp(-float(epsilon))
    step = float(best_steps(epsilon, np.array([width]))[0]) / width
    weight = step + (1 - step) * b
    low, high = 0.0, 800.0 / float(epsilon) + 1
    for _ in range(100):
        t = (low + high) / 2
        whole, part = int(t), t - int(t)
        beyond = (max(0.0, step - part) + min(1 - part, 1 - step) * b) / weight
        tail = b**whole * ((1 - b) * beyond + b)
        low, high = (t, high) if tail > 1 - confidence else (low, t)
    return high * width / float(np.sqrt(staircase_variance(epsilon, [width])[0]))


def _sums(count: Floats) -> Floats:
    """0 + 1 + ... + (count - 1)."""
    return np.asarray(count * (count - 1) / 2)


def _square_sums(count: Floats) -> Floats:
    return np.asarray((count - 1) * count * (2 * count - 1) / 6)


@kernel
def _fill_rows(halves: Any, out: Any, waiting: Any, widths: Any, steps: Any, above: Any, under: Any) -> Any:
    finished = np.zeros(len(waiting), dtype=np.bool_)
    for i in range(len(waiting)):
        person = waiting[i]
        cursor = np.zeros(1, dtype=np.int64)
        x = _draw(halves[i], cursor, widths[person], steps[person], above, under)
        if not ran_out(halves[i], cursor):
            out[person] = x
            finished[i] = True
    return finished


@kernel
def _draw(halves: Any, cursor: Any, width: Any, step: Any, above: Any, under: Any) -> Any:
    while not ran_out(halves, cursor):
        fine = below(halves, cursor, width)
        if fine >= step and not _low_coin(halves, cursor, above, under):
            continue
        size = np.int64(fine + width * draw_geometric(halves, cursor, above, under))
        negative = below(halves, cursor, np.uint64(2)) == np.uint64(1)
        if size != 0 or not negative:
            return -size if negative else size
    return np.int64(0)


@kernel
def _low_coin(halves: Any, cursor: Any, above: Any, under: Any) -> Any:
    """A coin that is true with probability e^-epsilon, exactly."""
    one = np.uint64(1)
    for _ in range(above // under):
        if not exp_coin(halves, cursor, one, one, one, one):
            return False
    return exp_coin(halves, cursor, above % under, under, one, one)
