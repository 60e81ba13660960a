"""Exact numbers, their roots, logarithms and exponentials, rounded in a stated direction.

The decimal module rounds these functions correctly, to within half a unit of the last digit. An argument rounded in
the wanted direction, and the result moved by one whole unit, therefore give a true upper or lower bound: a formula
built from them and from fractions never understates a loss.

Exponentials of rationals between two rationals: how exact code compares a probability with e^epsilon.

Numbers in texts: whole numbers stay whole, others are shown with six digits, large ones without those after the point.
The ends of an interval are rounded outwards, so what is shown holds whenever the interval itself holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_DIGITS = 40


def directed(digits: int) -> tuple[Context, Context]:
    """Decimal arithmetic of that many digits that rounds down, and such that rounds up, with the widest exponents."""
    down, up = (
        Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
        for rounding in (ROUND_FLOOR, ROUND_CEILING)
    )
    return down, up


_DOWN, _UP = directed(_DIGITS)


def round_up(value: Fraction) -> float:
    """The smallest float that is not below an exact value.

    >>> round_up(Fraction(1, 10)), Fraction(round_up(Fraction(1, 3))) >= Fraction(1, 3)
    (0.1, True)
    """
    nearest = float(value)
    if nearest == float("inf") or Fraction(repr(nearest)) >= value:
        return nearest
    return math.nextafter(nearest, math.inf)


def round_down(value: Fraction) -> float:
    """The largest float that is not above an exact value: what is left is never overstated."""
    return 0.0 - round_up(-value)  # a plain minus would turn 0 into -0.0


def log_up(x: Fraction) -> Fraction:
    """At least ln x, x > 0."""
    return _above(_UP.ln(quotient(x, _UP)))


def exp_up(x: Fraction) -> Fraction:
    """A rational that is at least e^x, and close to it."""
    return _above(_UP.exp(quotient(x, _UP)))


def exp_down(x: Fraction) -> Fraction:
    """A rational that is at most e^x, and close to it."""
    return _below(_DOWN.exp(quotient(x, _DOWN)))


def sqrt_up(x: Fraction) -> Fraction:
    """At least the root of x >= 0."""
    return _above(_UP.sqrt(quotient(x, _UP)))


def sqrt_down(x: Fraction) -> Fraction:
    """At most the root of x >= 0."""
    return _below(_DOWN.sqrt(quotient(x, _DOWN)))


def tidy_up(x: Fraction, digits: int = 15) -> Fraction:
    """The smallest number of that many significant digits that is not below x."""
    return Fraction(quotient(x, directed(digits)[1]))


def tidy_down(x: Fraction, digits: int = 15) -> Fraction:
    """The largest number of that many significant digits that is not above x."""
    return Fraction(quotient(x, directed(digits)[0]))


def text_up(x: Fraction) -> str:
    """Six digits for a message, never below x.

    >>> text_up(Fraction(1, 3)), text_down(Fraction(1, 3)), text_down(Fraction(20)), text_up(Fraction(1, 10**9))
    ('0.333334', '0.333333', '20', '1e-09')
    """
    return f"{float(tidy_up(x, 6)):g}"


def text_down(x: Fraction) -> str:
    """Six digits for a message, never above x."""
    return f"{float(tidy_down(x, 6)):g}"


def quotient(x: Fraction, context: Context) -> Decimal:
    """A fraction as a decimal number, rounded as the context says."""
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
    down, up = directed(digits)
    low = down.next_minus(down.exp(quotient(x, down)))
    high = up.next_plus(up.exp(quotient(x, up)))
    return Fraction(low), Fraction(high)


_LARGE = 100_000  # from here on six digits are all before the point


def lower_end(value: float) -> str:
    """A lower end, never above itself.

    >>> lower_end(1342293.0), lower_end(1342293.7), lower_end(12.3456789), lower_end(-2 / 3)
    ('1,342,293', '1,342,293', '12.3456', '-0.666667')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, math.floor)
    return f"{float(tidy_down(_as_printed(value), 6)):,g}"


def upper_end(value: float) -> str:
    """An upper end, never below itself.

    >>> upper_end(1342299.0), upper_end(1342299.2), upper_end(12.3456712), upper_end(0.1), upper_end(1e-9)
    ('1,342,299', '1,342,300', '12.3457', '0.1', '1e-09')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, math.ceil)
    return f"{float(tidy_up(_as_printed(value), 6)):,g}"


def nearest(value: float) -> str:
    """A value that is no end of anything.

    >>> nearest(1342293), nearest(1342293.5), nearest(2 / 3)
    ('1,342,293', '1,342,294', '0.666667')
    """
    if math.isinf(value) or abs(value) >= _LARGE or float(value).is_integer():
        return _whole(value, round)
    return f"{float(value):,.6g}"


def _whole(value: float, to_integer: Callable[[float], int]) -> str:
    return f"{value:g}" if math.isinf(value) else f"{to_integer(value):,}"


def _as_printed(value: float) -> Fraction:
    """The shortest decimal that stands for a float: 0.1 is not a little more than a tenth."""
    return Fraction(str(float(value)))
