"""How far a released value may lie from the truth, as data computed from public and noisy values only.

A band says: with this probability over the noise, the truth lies between value - below and value + above. Bands are
kept at a few confidence levels, so that a stored release can be read back without the code that made it. For vectors
the band is simultaneous over all entries, unless it says otherwise; an infinite side means that nothing is known there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from graphveil.errors import ParameterError

Number: TypeAlias = int | float
Spread: TypeAlias = float | tuple[float, ...]
Ends: TypeAlias = Number | tuple[Number, ...]
Value: TypeAlias = "Number | str | tuple[Value, ...]"

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Band:
    """With probability `confidence` the truth is within [value - below, value + above]."""

    confidence: float
    below: Spread
    above: Spread


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Standard deviation, known bias and confidence bands of one released value.

    `support` is the range every truth lies in for public reasons (a count is not negative); bands are cut to it.
    `scope` says what the bands speak of where that is not simply the statistic asked for. Names and published edges are
    no numbers near a true one: there `center` is what the bands are around, the error of what was named or published,
    and `faultless` says in words what it means that this error is 0. `simultaneous` is false where the bands of a
    vector hold for each entry by itself, and not for all of them at once.
    """

    value: Value
    std: Spread | None
    bands: tuple[Band, ...]
    bias: str = "none"
    support: tuple[float, float] = (-math.inf, math.inf)
    scope: str = ""
    center: Number | None = None
    faultless: str = ""
    simultaneous: bool = True

    def interval(self, confidence: float = 0.95) -> tuple[Ends, Ends]:
        """The band at the next kept level that is not below the one asked for."""
        band = self.band(confidence)
        return self._end(band.below, -1), self._end(band.above, 1)

    def band(self, confidence: float) -> Band:
        """The kept band whose level is the next that is not below the one asked for."""
        if not 0 < confidence < 1:
            raise ParameterError(f"confidence must lie between 0 and 1, not {confidence}")
        for band in self.bands:
            if band.confidence >= confidence:
                return band
        highest = self.bands[-1].confidence if self.bands else None
        raise ParameterError(f"no band is kept for a confidence of {confidence}; the highest is {highest}")

    def _end(self, spread: Spread, sign: int) -> Ends:
        low, high = self.support
        middle = self.value if self.center is None else self.center

        def cut(value: Value, distance: float) -> Number:
            assert isinstance(value, int | float)
            return min(max(value + sign * distance, low), high)

        if not isinstance(middle, tuple):
            assert not isinstance(spread, tuple)
            return cut(middle, spread)
        distances = spread if isinstance(spread, tuple) else (spread,) * len(middle)
        return tuple(cut(value, distance) for value, distance in zip(middle, distances, strict=True))

    def scaled(self, factor: float) -> Accuracy:
        """The same statement about every entry times a public factor above 0."""

        def times(entries: Any) -> Any:
            return tuple(entry * factor for entry in entries) if isinstance(entries, tuple) else entries * factor

        return replace(
            self,
            value=times(self.value),
            std=None if self.std is None else times(self.std),
            bands=tuple(Band(band.confidence, times(band.below), times(band.above)) for band in self.bands),
            support=times(self.support),
        )

    def to_json(self) -> dict[str, Any]:
        """Standard deviation and 95 % interval, for the JSON contract; infinities become null.

        `simultaneous` says that an interval of several entries holds for all of them at once.
        """
        return {
            "std": None if self.std is None else finite_or_null(self.std),
            "interval95": [finite_or_null(end) for end in self.interval(0.95)] if self.bands else None,
            "simultaneous": (
                self.simultaneous and isinstance(self.value, tuple) and self.center is None and bool(self.bands)
            ),
            "bias": self.bias,
            "scope": self.scope,
        }


def finite_or_null(value: Ends) -> Any:
    """Numbers as JSON has them: it knows no infinity.

    >>> finite_or_null((0.0, math.inf))
    [0.0, None]
    """
    if isinstance(value, tuple):
        return [finite_or_null(entry) for entry in value]
    return value if math.isfinite(value) else None


def discrete_laplace_std(rate: Fraction) -> float:
    """Standard deviation of the discrete Laplace law: sqrt(2 r) / (1 - r), r = e^-rate."""
    r = math.exp(-float(rate))
    return math.sqrt(2 * r) / -math.expm1(-float(rate))


def discrete_laplace_quantile(rate: Fraction, confidence: float) -> int:
    """The smallest k with P(|X| <= k) >= confidence, from P(|X| > k) = 2 e^(-rate (k + 1)) / (1 + e^-rate)."""
    x = float(rate)
    tail = math.log(2 / ((1 - confidence) * (1 + math.exp(-x)))) / x
    return max(0, math.ceil(tail * (1 + 1e-12)) - 1)


def discrete_gaussian_accuracy(
    value: Value, sigma_squared: Fraction, *, entries: int = 1, support: tuple[float, float] = (-math.inf, math.inf)
) -> Accuracy:
    """Accuracy of integers with independent discrete Gaussian noise, simultaneous over `entries` of them.

    The noise is subgaussian: P(|X| >= x) <= 2 exp(-x^2 / (2 sigma^2)), and its variance is at most sigma^2 (Canonne,
    Kamath and Steinke 2020).

    >>> discrete_gaussian_accuracy(0, Fraction(100)).interval(0.95)
    (-28.0, 28.0)
    """
    bands = tuple(
        Band(level, float(k), float(k))
        for level in LEVELS
        for k in (math.ceil(math.sqrt(2 * float(sigma_squared) * math.log(2 * entries / (1 - level)))),)
    )
    return Accuracy(value, math.sqrt(sigma_squared), bands, support=support)


def discrete_laplace_accuracy(
    value: Value, rate: Fraction, *, entries: int = 1, support: tuple[float, float] = (-math.inf, math.inf)
) -> Accuracy:
    """Accuracy of integers with independent discrete Laplace noise, simultaneous over `entries` of them."""
    bands = tuple(
        Band(level, float(k), float(k))
        for level in LEVELS
        for k in (discrete_laplace_quantile(rate, 1 - (1 - level) / entries),)
    )
    return Accuracy(value, discrete_laplace_std(rate), bands, support=support)
