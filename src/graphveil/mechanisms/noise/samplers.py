"""Exact samplers on integers: no floating-point number takes part in the law of a draw.

Canonne, Kamath and Steinke (2020) reduce the discrete Laplace and Gaussian laws to coins of probability exp(-x) with
rational x, and those to uniform integers. Scalars only, of any size; `bulk` holds the compiled form for long vectors.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import Noise

ONE = Fraction(1)


def bernoulli(noise: Noise, probability: Fraction) -> bool:
    """True with a rational probability."""
    if not 0 <= probability <= 1:
        raise ParameterError(f"a probability lies between 0 and 1, not at {probability}")
    return noise.below(probability.denominator) < probability.numerator


def bernoulli_exp(noise: Noise, x: Fraction) -> bool:
    """True with probability exp(-x), x >= 0."""
    if x < 0:
        raise ParameterError(f"exp(-x) is a probability for x >= 0, not {x}")
    whole, rest = divmod(x, 1)
    for _ in range(whole):
        if not _bernoulli_exp_below_one(noise, ONE):
            return False
    return _bernoulli_exp_below_one(noise, rest)


def _bernoulli_exp_below_one(noise: Noise, x: Fraction) -> bool:
    """True with probability exp(-x), 0 <= x <= 1: the parity of a run of coins x/1, x/2, x/3 and so on."""
    k = 1
    while noise.below(x.denominator * k) < x.numerator:
        k += 1
    return k % 2 == 1


def sample_geometric(noise: Noise, rate: Fraction) -> int:
    """X >= 0 with P(X >= x) = exp(-rate x)."""
    if rate <= 0:
        raise ParameterError(f"the rate must be positive, not {rate}")
    numerator, denominator = rate.numerator, rate.denominator
    while True:  # the fraction of the step within one unit of exponent
        fine = noise.below(denominator)
        if _bernoulli_exp_below_one(noise, Fraction(fine, denominator)):
            break
    whole = 0
    while _bernoulli_exp_below_one(noise, ONE):
        whole += 1
    return (whole * denominator + fine) // numerator


def sample_discrete_laplace(noise: Noise, rate: Fraction) -> int:
    """X with P(X = x) proportional to exp(-rate |x|)."""
    while True:
        size = sample_geometric(noise, rate)
        negative = noise.bits(1) == 1
        if size or not negative:
            return -size if negative else size


def sample_discrete_gaussian(noise: Noise, sigma_squared: Fraction) -> int:
    """X with P(X = x) proportional to exp(-x^2 / (2 sigma^2)), by rejection from a discrete Laplace law."""
    if sigma_squared <= 0:
        raise ParameterError(f"sigma squared must be positive, not {sigma_squared}")
    width = laplace_width(sigma_squared)
    while True:
        candidate = sample_discrete_laplace(noise, Fraction(1, width))
        excess = abs(candidate) - sigma_squared / width
        if bernoulli_exp(noise, excess**2 / (2 * sigma_squared)):
            return candidate


def laplace_width(sigma_squared: Fraction) -> int:
    """The scale floor(sigma) + 1 of the Laplace law that a discrete Gaussian is cut out of."""
    return isqrt(sigma_squared.numerator // sigma_squared.denominator) + 1
