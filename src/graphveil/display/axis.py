"""The scale of a chart: where a value lies on a line of pixels, and at which round values to put marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` on pixels from `start` to `end`; of a logarithmic one both are above 0."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    @classmethod
    def over(
        cls, values: Sequence[float], start: float, end: float, *, logarithmic: bool = False, zero: bool = False
    ) -> Axis:
        """An axis that shows all finite values, and 0 where it is asked for."""
        finite = [value for value in values if math.isfinite(value) and not (logarithmic and value <= 0)]
        if zero and not logarithmic:
            finite.append(0.0)
        low, high = (min(finite), max(finite)) if finite else (1.0, 2.0)
        if low == high:
            low, high = (low / 2, high * 2) if logarithmic else (low - 1, high + 1)
        return cls(low, high, start, end, logarithmic)

    def place(self, value: float) -> float:
        """The pixel of a value; one outside lies at the nearer end."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def marks(self, most: int = 6) -> list[float]:
        """Round values within the axis, at most about so many."""
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if len(powers) <= 3 else (1,)
            inside = [step * 10.0**power for power in powers for step in steps]
            inside = [value for value in inside if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]
            return inside[:: max(1, math.ceil(len(inside) / most))] or [self.low]
        step = _round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def shown(value: float) -> str:
    """The text at a mark: few digits, thousands apart.

    >>> shown(20000.0), shown(0.1 + 0.2), shown(1e7)
    ('20,000', '0.3', '1e+07')
    """
    if abs(value) >= 10**7:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.3g}"


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))
