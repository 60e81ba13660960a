"""What was spent or is left, as an exact pair (epsilon, delta) that reads and compares like the number epsilon."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from numbers import Real
from typing import Any

from graphveil.privacy.rounding import text_down, text_up


class Amount(tuple[Fraction, Fraction]):
    """A pair (epsilon, delta) of exact fractions.

    Beside a number it stands for its epsilon; beside a pair it is one. As text it is rounded down, so that what is left
    is never overstated.

    >>> left = Amount(Fraction(3, 2))
    >>> left, left.epsilon, left > 1, float(left), left == (Fraction(3, 2), 0)
    (1.5, Fraction(3, 2), True, 1.5, True)
    >>> left - 1, 2 * left, Amount(Fraction(3, 2), Fraction(1, 10**6))
    (Fraction(1, 2), Fraction(3, 1), 1.5 (delta 1e-06))
    >>> bool(left), bool(Amount(Fraction(0)))
    (True, False)
    """

    __slots__ = ()

    def __new__(cls, epsilon: Fraction, delta: Fraction = Fraction(0)) -> Amount:
        """The pair of an epsilon and a delta, both exact."""
        return super().__new__(cls, (epsilon, delta))

    @property
    def epsilon(self) -> Fraction:
        """The exact epsilon, by which it stands beside numbers."""
        return self[0]

    @property
    def delta(self) -> Fraction:
        """The exact delta; 0 unless the budget has one."""
        return self[1]

    def __float__(self) -> float:
        return float(self[0])

    def __bool__(self) -> bool:
        return bool(self[0])

    def __round__(self, digits: int = 0) -> float:
        return round(float(self[0]), digits)

    def __repr__(self) -> str:
        return text_down(self[0]) + (f" (delta {text_down(self[1])})" if self[1] else "")

    def __format__(self, spec: str) -> str:
        return format(float(self[0]), spec) if spec else repr(self)

    def _compared(self, other: object, how: Callable[[Any, Any], bool]) -> bool:
        if isinstance(other, Real):
            return how(self[0], other)
        return how(tuple(self), other)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._compared(other, operator.ne)

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, other: Any) -> Any:
        return self[0] + (other[0] if isinstance(other, Amount) else other)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return self[0] * other

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> Any:
        return self[0] - (other[0] if isinstance(other, Amount) else other)

    def __rsub__(self, other: Any) -> Any:
        return other - self[0]

    def __truediv__(self, other: Any) -> Any:
        return self[0] / other


class Spent(Amount):
    """What was spent; as text it is rounded up, so that a loss is never understated.

    >>> Amount(Fraction(1, 3)) < Fraction(repr(Spent(Fraction(1, 3))))
    True
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return text_up(self[0]) + (f" (delta {text_up(self[1])})" if self[1] else "")
