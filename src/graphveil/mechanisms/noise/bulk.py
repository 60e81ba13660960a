"""Exact geometric, discrete Laplace and discrete Gaussian noise in bulk: the samplers of `exact`, compiled.

The laws are those of Canonne, Kamath and Steinke (2020), on integers throughout; `stream` says why cutting the random
stream into chunks leaves them as they are.

Overflow: parameters are bounded by LIMIT = 2^50 and the number of whole exponents by MAX_WHOLE = 2^12, so no product
below reaches 2^63. A geometric law comes to that number with probability exp(-4096), under 10^-1778, and is cut there.
A rate that does not fit is rounded down, a variance up: never less noise than asked for.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.kernels import light_kernel
from graphveil.mechanisms.noise.samplers import laplace_width, sample_discrete_gaussian
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noise.stream import below, exp_coin, fill_from_stream, ran_out

LIMIT = 2**50
MAX_WHOLE = 2**12
MAX_RATE = 2**12
GEOMETRIC, LAPLACE, GAUSSIAN = 0, 1, 2


def bulk_geometric(noise: Noise, rate: Fraction, size: int) -> Integers:
    """That many X >= 0 with P(X >= x) = exp(-rate x)."""
    fitted = fit_rate(rate)
    return _draw(noise, size, GEOMETRIC, fitted.numerator, fitted.denominator)


def bulk_discrete_laplace(noise: Noise, rate: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-rate |x|)."""
    fitted = fit_rate(rate)
    return _draw(noise, size, LAPLACE, fitted.numerator, fitted.denominator)


def bulk_discrete_gaussian(noise: Noise, sigma_squared: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-x^2 / (2 sigma^2)); one by one where sigma passes 10^7."""
    fitted = fit_sigma_squared(sigma_squared)
    width = laplace_width(fitted)
    if fitted.denominator * width**2 > LIMIT:
        return np.array([sample_discrete_gaussian(noise, fitted) for _ in range(size)], dtype=np.int64)
    return _draw(noise, size, GAUSSIAN, fitted.numerator, fitted.denominator, width)


def fit_rate(rate: Fraction) -> Fraction:
    """The rate itself where the kernel can hold it, else the next one below.

    >>> fit_rate(Fraction(1, 3)), fit_rate(Fraction(10**20 + 1, 10**20))
    (Fraction(1, 3), Fraction(1, 1))
    """
    if rate * LIMIT < 1:
        raise ParameterError(f"a noise rate must be at least 2^-50 to fit 64-bit integers, not {float(rate):.3g}")
    if rate.denominator <= LIMIT:
        return min(rate, Fraction(MAX_RATE))
    return min(Fraction(rate * LIMIT // 1, LIMIT), Fraction(MAX_RATE))


def fit_sigma_squared(sigma_squared: Fraction) -> Fraction:
    """The variance itself where its denominator fits the kernel, else the next one above.

    >>> fit_sigma_squared(Fraction(5, 2)), fit_sigma_squared(Fraction(10**20 - 1, 10**20))
    (Fraction(5, 2), Fraction(1, 1))
    """
    if not 0 < sigma_squared <= LIMIT**2:
        raise ParameterError(f"sigma squared must be above 0 and at most 2^100, not {float(sigma_squared):.3g}")
    finest = max(1, LIMIT // (laplace_width(sigma_squared) + 1) ** 2)
    if sigma_squared.denominator <= finest:
        return sigma_squared
    return Fraction(-(-sigma_squared * finest // 1), finest)


def _draw(noise: Noise, size: int, law: int, a: int, b: int, width: int = 1) -> Integers:
    out = np.empty(size, dtype=np.int64)
    fill_from_stream(noise, out, _fill, law, np.uint64(a), np.uint64(b), np.uint64(width))
    return out


@light_kernel
def _fill(halves: Any, out: Any, done: Any, law: Any, a: Any, b: Any, width: Any) -> Any:
    cursor = np.zeros(1, dtype=np.int64)
    for i in range(done, len(out)):
        start = cursor[0]
        if law == LAPLACE:
            x = draw_laplace(halves, cursor, a, b)
        elif law == GAUSSIAN:
            x = _gaussian(halves, cursor, a, b, width)
        else:
            x = np.int64(draw_geometric(halves, cursor, a, b))
        if ran_out(halves, cursor):
            return i, start
        out[i] = x
    return len(out), cursor[0]


@light_kernel
def draw_geometric(halves: Any, cursor: Any, s: Any, t: Any) -> Any:
    """X with P(X >= x) = exp(-x s/t)."""
    one = np.uint64(1)
    fine = below(halves, cursor, t)
    while not exp_coin(halves, cursor, fine, t, one, one) and not ran_out(halves, cursor):
        fine = below(halves, cursor, t)
    whole = np.uint64(0)
    while whole < MAX_WHOLE and exp_coin(halves, cursor, one, one, one, one):
        whole += one
    return (fine + t * whole) // s


@light_kernel
def draw_laplace(halves: Any, cursor: Any, s: Any, t: Any) -> Any:
    """X with P(X = x) proportional to exp(-|x| s/t)."""
    while not ran_out(halves, cursor):
        size = np.int64(draw_geometric(halves, cursor, s, t))
        negative = below(halves, cursor, np.uint64(2)) == np.uint64(1)
        if size != 0 or not negative:
            return -size if negative else size
    return np.int64(0)


@light_kernel
def _gaussian(halves: Any, cursor: Any, a: Any, b: Any, width: Any) -> Any:
    """X with P(X = x) proportional to exp(-x^2 b / 2a)."""
    while not ran_out(halves, cursor):
        x = draw_laplace(halves, cursor, np.uint64(1), width)
        if _accept_gaussian(halves, cursor, np.uint64(abs(x)), a, b, width):
            return x
    return np.int64(0)


@light_kernel
def _accept_gaussian(halves: Any, cursor: Any, size: Any, a: Any, b: Any, width: Any) -> Any:
    """True with probability exp(-(|x| - sigma^2/w)^2 / (2 sigma^2)) for |x| = size, sigma^2 = a/b, w = width.

    The exponent is (z / 2a)(z / b w^2) with z = |size b w - a|. With whole parts i, j and rests r, s it is
    i j + i s + j r + r s: that many coins of exponent 1, s, r and one of r s, none of which needs more than 64 bits.
    """
    one = np.uint64(1)
    reached = size * b * width
    z = reached - a if reached > a else a - reached
    p, q = a + a, b * width * width
    i, j, r, s = z // p, z // q, z % p, z % q
    for _ in range(i):
        for _ in range(j):
            if not exp_coin(halves, cursor, one, one, one, one):
                return False
        if not exp_coin(halves, cursor, s, q, one, one):
            return False
    for _ in range(j):
        if not exp_coin(halves, cursor, r, p, one, one):
            return False
    return exp_coin(halves, cursor, r, p, s, q)
