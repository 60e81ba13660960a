"""Roots, logarithms and exponentials of exact numbers, rounded in a stated direction.

The decimal module rounds these functions correctly, to within half a unit of the last digit. An argument rounded in
the wanted direction, and the result moved by one whole unit, therefore give a true upper or lower bound: a formula
built from them and from fractions never understates a loss.

Exponentials of rationals between two rationals: how exact code compares a probability with e^epsilon.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_DIGITS = 40


def _context(digits: int, rounding: str) -> Context:
    return Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)


_UP = _context(_DIGITS, ROUND_CEILING)
_DOWN = _context(_DIGITS, ROUND_FLOOR)


def log_up(x: Fraction) -> Fraction:
    """At least ln x, x > 0."""
    return _above(_UP.ln(_decimal(x, _UP)))


def exp_up(x: Fraction) -> Fraction:
    """At least e^x."""
    return _above(_UP.exp(_decimal(x, _UP)))


def exp_down(x: Fraction) -> Fraction:
    """At most e^x."""
    return _below(_DOWN.exp(_decimal(x, _DOWN)))


def sqrt_up(x: Fraction) -> Fraction:
    """At least the root of x >= 0."""
    return _above(_UP.sqrt(_decimal(x, _UP)))


def sqrt_down(x: Fraction) -> Fraction:
    """At most the root of x >= 0."""
    return _below(_DOWN.sqrt(_decimal(x, _DOWN)))


def tidy_up(x: Fraction, digits: int = 15) -> Fraction:
    """The smallest number of that many significant digits that is not below x."""
    return Fraction(_decimal(x, _context(digits, ROUND_CEILING)))


def tidy_down(x: Fraction, digits: int = 15) -> Fraction:
    """The largest number of that many significant digits that is not above x."""
    return Fraction(_decimal(x, _context(digits, ROUND_FLOOR)))


def text_up(x: Fraction) -> str:
    """Six digits for a message, never below x.

    >>> text_up(Fraction(1, 3)), text_down(Fraction(1, 3)), text_down(Fraction(20)), text_up(Fraction(1, 10**9))
    ('0.333334', '0.333333', '20', '1e-09')
    """
    return f"{float(tidy_up(x, 6)):g}"


def text_down(x: Fraction) -> str:
    """Six digits for a message, never above x."""
    return f"{float(tidy_down(x, 6)):g}"


def _decimal(x: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(x.numerator), Decimal(x.denominator))


def _above(x: Decimal) -> Fraction:
    return Fraction(_UP.next_plus(x)) if x else Fraction(0)  # zero is exact here, and its next number is unwieldy


def _below(x: Decimal) -> Fraction:
    return Fraction(_DOWN.next_minus(x)) if x else Fraction(0)


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
