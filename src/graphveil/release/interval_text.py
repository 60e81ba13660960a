"""Numbers of a release in text: whole numbers stay whole, and the ends of an interval are rounded outwards.

A number that is no whole one is shown with six digits, a large one without those after the point. What is shown of an
interval therefore holds whatever the interval itself holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from graphveil.privacy.rounding import tidy_down, tidy_up

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
