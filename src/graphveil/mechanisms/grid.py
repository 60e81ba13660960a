"""Numbers clipped to a range and brought to a public grid, so that noise on the integers is exact.

The rule looks at one number alone: whatever rounding it does, one record changes one whole number within the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact

MAX_STEPS = 2**31  # sums over 2^31 records then fit 64 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingGrid:
    """The points numbers are brought to: both ends are multiples of `step`, and so is half the width.

    >>> ClippingGrid(lower=0, upper=100, step="1/2").to_steps([-3, 49.9, 1e9]).tolist()
    [-100, 0, 100]
    """

    lower: Fraction
    upper: Fraction
    step: Fraction

    def __post_init__(self) -> None:
        for name in ("lower", "upper", "step"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        if not (self.lower < self.upper and self.step > 0):
            raise ParameterError(
                f"a range needs lower < upper and step > 0, not {self.lower}, {self.upper}, {self.step}"
            )
        if any(part.denominator != 1 for part in (self.lower / self.step, self.upper / self.step, self._half)):
            raise ParameterError(f"step {self.step} must divide {self.lower}, {self.upper} and half their distance")
        if max(abs(self.lower), abs(self.upper)) / self.step > MAX_STEPS:
            raise ParameterError(f"step {self.step} is too fine: at most 2^31 steps may lie between 0 and either end")

    @property
    def middle(self) -> Fraction:
        """The point numbers are centred on."""
        return (self.lower + self.upper) / 2

    @property
    def half_steps(self) -> int:
        """Half the width, in steps."""
        return int(self._half)

    @property
    def _half(self) -> Fraction:
        return (self.upper - self.lower) / (2 * self.step)

    def to_steps(self, values: ArrayLike) -> NDArray[np.int64]:
        """Each number as steps from the middle; what is not a number counts as the middle."""
        with np.errstate(all="ignore"):  # a warning would speak of private values
            distance = (np.asarray(values, dtype=np.float64) - float(self.middle)) / float(self.step)
        steps = np.clip(np.rint(np.nan_to_num(distance, nan=0.0)), -self.half_steps, self.half_steps)
        return np.asarray(steps, dtype=np.int64)
