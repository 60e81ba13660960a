"""Exponentials of rationals between two rationals: how exact code compares a probability with e^epsilon."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def exp_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Two rationals around exp(x), closer together than a 2^-bits part of it.

    The decimal module rounds exp correctly to the nearest, so the neighbours of its result enclose the true value; the
    argument itself is divided out downwards for the lower end and upwards for the upper end.

    >>> low, high = exp_bounds(Fraction(1), bits=64)
    >>> low < high, high - low < low / 2**64, round(float(low), 12)
    (True, True, 2.718281828459)
    """
    digits = bits * 302 // 1000 + len(str(abs(x.numerator) // x.denominator)) + 4
    down = Context(prec=digits, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
    up = Context(prec=digits, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
    numerator, denominator = Decimal(x.numerator), Decimal(x.denominator)
    low = down.next_minus(down.exp(down.divide(numerator, denominator)))
    high = up.next_plus(up.exp(up.divide(numerator, denominator)))
    return Fraction(low), Fraction(high)
