"""Exact samplers on integers: no floating-point number takes part in the law of a draw.

Canonne, Kamath and Steinke (2020) reduce the discrete Laplace and Gaussian laws to coins of probability exp(-x) with
rational x, and those to uniform integers. Scalars only; `bulk` holds the compiled form for long vectors.
"""

from __future__ import annotations

from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.mechanisms.source import Noise


def bernoulli(noise: Noise, probability: Fraction) -> bool:
    """True with a rational probability."""
    return noise.below(probability.denominator) < probability.numerator


def bernoulli_exp(noise: Noise, x: Fraction) -> bool:
    """True with probability exp(-x), x >= 0."""
    if x < 0:
        raise ParameterError(f"exp(-x) is a probability for x >= 0, not {x}")
    whole, rest = divmod(x, 1)
    return all(_bernoulli_exp_below_one(noise, Fraction(1)) for _ in range(whole)) and _bernoulli_exp_below_one(
        noise, rest
    )


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
    while _bernoulli_exp_below_one(noise, Fraction(1)):
        whole += 1
    return (whole * denominator + fine) // numerator


def sample_discrete_laplace(noise: Noise, rate: Fraction) -> int:
    """X with P(X = x) proportional to exp(-rate |x|)."""
    while True:
        size = sample_geometric(noise, rate)
        negative = noise.bits(1) == 1
        if size or not negative:
            return -size if negative else size
