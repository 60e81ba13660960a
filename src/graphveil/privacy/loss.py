"""Privacy losses as exact numbers.

A loss given as a decimal is kept as that decimal: 0.1 is 1/10, not the float next to it, so three releases at
0.1 fit a budget of 0.3. Whatever is turned back into a float is rounded up: a printed loss never understates.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeAlias

from graphveil.errors import ParameterError

Number: TypeAlias = int | float | str | Decimal | Fraction

MIN_EPSILON = Fraction(1, 10**12)
MAX_EPSILON = 10_000
_LONGEST_TEXT = 60


def exact(value: Number, name: str) -> Fraction:
    """The exact value of a number as its writer meant it; refuses NaN, infinities and rubbish.

    A float is read through its shortest decimal form, and numpy's numbers are read like Python's own: left as they
    are, they would overflow within the arithmetic that has to be exact.
    """
    given: object = value
    try:
        if isinstance(given, bool):
            raise ValueError
        if isinstance(given, Rational):
            return Fraction(int(given.numerator), int(given.denominator))
        return Fraction(str(given)) if isinstance(given, Real) else _parse(str(given))
    except (ArithmeticError, ValueError, TypeError):
        point = "; write decimals with a point, such as 0.5" if "," in str(value) else ""
        raise ParameterError(f"{name} must be a finite number, not {value!r}{point}") from None


def _parse(text: str) -> Fraction:
    """A decimal or a ratio of whole numbers; 1e999999999 must not be written out."""
    if len(text) > _LONGEST_TEXT:
        raise ValueError
    if "/" not in text and abs(Decimal(text).adjusted()) > _LONGEST_TEXT:
        raise ValueError
    return Fraction(text)


def exact_epsilon(value: Number, name: str = "epsilon") -> Fraction:
    """An epsilon: finite, above 0 by more than a trace, at most 10,000.

    >>> exact_epsilon(0.1), exact_epsilon("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    epsilon = exact(value, name)
    if not MIN_EPSILON <= epsilon <= MAX_EPSILON:
        raise ParameterError(f"{name} must be above 0 (at least 1e-12) and at most {MAX_EPSILON:,}, not {value}")
    return epsilon


def exact_delta(value: Number) -> Fraction:
    """A delta: at least 0, below 1."""
    delta = exact(value, "delta")
    if not 0 <= delta < 1:
        raise ParameterError(f"delta must be at least 0 and below 1, not {value}")
    return delta


@dataclass(frozen=True, slots=True)
class Pure:
    """Pure differential privacy: probabilities differ by at most the factor e^epsilon."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        if self.epsilon < 0:
            raise ParameterError(f"epsilon must not be negative, not {self.epsilon}")

    @property
    def rho(self) -> Fraction:
        """The rho of the zCDP loss that it implies: epsilon^2 / 2 (Bun and Steinke 2016)."""
        return self.epsilon**2 / 2


@dataclass(frozen=True, slots=True)
class Approximate:
    """Approximate differential privacy: as pure, but for events of total probability delta."""

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        if self.epsilon < 0 or not 0 <= self.delta <= 1:
            raise ParameterError(f"not a loss: epsilon {self.epsilon}, delta {self.delta}")


@dataclass(frozen=True, slots=True)
class Concentrated:
    """Zero-concentrated differential privacy (zCDP) with parameter rho."""

    rho: Fraction

    def __post_init__(self) -> None:
        if self.rho < 0:
            raise ParameterError(f"rho must not be negative, not {self.rho}")


Loss: TypeAlias = Pure | Approximate | Concentrated
