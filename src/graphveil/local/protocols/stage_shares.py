"""How `two_stage` divides epsilon between the number of a group and the place within it."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.errors import ParameterError
from graphveil.mechanisms.enclosure import exp_bounds


def left_for_group(epsilon: Fraction, place: Fraction) -> Fraction:
    """What remains of epsilon after ln((1 + e^place) / 2), a little less so that rounding never spends more."""
    _, high = exp_bounds(place, bits=120)
    half = (1 + high) / 2
    context = Context(prec=50, rounding=ROUND_CEILING)
    upper = context.next_plus(context.ln(context.divide(Decimal(half.numerator), Decimal(half.denominator))))
    left = (epsilon - Fraction(upper)).limit_denominator(10**12) - Fraction(1, 10**12)
    if left <= 0:
        raise ParameterError(f"epsilon {float(epsilon):.3g} is too small to be split between two stages")
    return left


@lru_cache(maxsize=256)
def best_place_epsilon(epsilon: Fraction, n_groups: int) -> Fraction:
    """Least q (1 - q) / ((p - q) P)^2, the variance of a share up to a constant."""

    def variance(place: Fraction) -> float:
        b = float(place)
        a = float(epsilon) - np.logaddexp(0, b) + math.log(2)
        return float(-b - 2 * np.log1p(-np.exp(-b)) + 2 * np.log1p((n_groups - 1) * np.exp(-a)))

    return min((epsilon * k / 16 for k in range(1, 17)), key=variance)
