"""Sums and means of clipped numbers, on a public grid so that noise on the integers is exact.

Every number is brought to the nearest point of a grid lower, lower + step, ..., upper, by a rule that looks at that
number alone: whatever rounding it does, one record changes one whole number within the range. What is summed are whole
grid steps.

Sensitivity, in steps, for a range of 2 h steps around its middle:
- sum of x, one record more or less: max(|lower|, |upper|); one record replaced: 2 h;
- sum of x - middle, one record more or less: h; the number of records then: 1.

The mean of a private number N of records is (sum of (x - middle) + noise) / (N + noise): the two parts cost e1 and e2,
the division is free. Centring halves the first noise. Where N is public and records are replaced, only the sum needs
noise. Noise of scale width / N for a private N would give N away.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes
from graphveil.privacy.loss import Pure, exact, exact_epsilon
from graphveil.privacy.unit import Adjacency

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

    def to_steps(self, values: ArrayLike) -> Integers:
        """Each number as steps from the middle; what is not a number counts as the middle."""
        with np.errstate(all="ignore"):  # a warning would speak of private values
            distance = (np.asarray(values, dtype=np.float64) - float(self.middle)) / float(self.step)
        steps = np.clip(np.rint(np.nan_to_num(distance, nan=0.0)), -self.half_steps, self.half_steps)
        return np.asarray(steps, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippedSum:
    """The sum of clipped numbers.

    >>> from graphveil.mechanisms.measurement import draw
    >>> grid = ClippingGrid(lower=0, upper=10, step=1)
    >>> total = ClippedSum(epsilon=1, grid=grid, adjacency=Adjacency.ADD_REMOVE)
    >>> total.conclude(draw(total.measure([3, 4, 50]), SeededNoise(1)))
    17.0
    """

    epsilon: Fraction
    grid: ClippingGrid
    adjacency: Adjacency

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))

    @property
    def loss(self) -> Pure:
        """Pure epsilon for one record more or less."""
        return Pure(self.epsilon)

    @property
    def sensitivity(self) -> Fraction:
        """How much one record can change the sum, in steps."""
        grid = self.grid
        if self.adjacency is Adjacency.REPLACE_ONE:
            return Fraction(2 * grid.half_steps)
        return max(abs(grid.lower), abs(grid.upper)) / grid.step

    def measure(self, values: ArrayLike) -> tuple[NoisyInteger]:
        """Measure the sum of the clipped values, in steps of the grid."""
        steps = self.grid.to_steps(values)
        total = int(steps.sum()) + len(steps) * int(self.grid.middle / self.grid.step)
        return (NoisyInteger(what="sum", exact=total, sensitivity=self.sensitivity, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes) -> float:
        """The noisy sum, in the units of the values."""
        (total,) = outcomes
        return float(self.grid.step * total)

    def variance(self) -> float:
        """Of the noise; rounding to the grid is not in it."""
        return (float(self.grid.step) * discrete_laplace_std(self.epsilon / self.sensitivity)) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippedMean:
    """The mean of a private number of clipped numbers, where one record more or less is protected.

    `count_share` is the part of epsilon that the number of records takes. A quarter suits means not far from the middle
    of the range, a half is best when the mean lies at one end. No variance: that of a ratio depends on private values.

    >>> from graphveil.mechanisms.measurement import draw
    >>> grid = ClippingGrid(lower=0, upper=10, step=1)
    >>> mean = ClippedMean(epsilon=1, grid=grid)
    >>> round(mean.conclude(draw(mean.measure([2, 4] * 500), SeededNoise(1))), 2)
    2.99
    """

    epsilon: Fraction
    grid: ClippingGrid
    count_share: Fraction = Fraction(1, 4)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        object.__setattr__(self, "count_share", exact(self.count_share, "count_share"))
        if not 0 < self.count_share < 1:
            raise ParameterError(f"count_share must lie between 0 and 1, not at {self.count_share}")

    @property
    def loss(self) -> Pure:
        """Pure epsilon: the sum's and the count's parts together."""
        return Pure(self.epsilon)

    def measure(self, values: ArrayLike) -> tuple[NoisyInteger, NoisyInteger]:
        """The centred sum in steps, and the number of records."""
        steps = self.grid.to_steps(values)
        count_epsilon = self.epsilon * self.count_share
        centred = NoisyInteger(
            what="centred sum",
            exact=int(steps.sum()),
            sensitivity=self.grid.half_steps,
            epsilon=self.epsilon - count_epsilon,
        )
        count = NoisyInteger(what="number of records", exact=len(steps), sensitivity=1, epsilon=count_epsilon)
        return centred, count

    def conclude(self, outcomes: Outcomes) -> float:
        """Middle + sum / count, cut to the range of the values; a count below 1 counts as 1."""
        (noisy_sum, noisy_count), grid = map(int, outcomes), self.grid
        mean = grid.middle + grid.step * Fraction(noisy_sum, max(noisy_count, 1))
        return float(min(max(mean, grid.lower), grid.upper))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSizeMean:
    """The mean of a public number of clipped numbers, where the value of one record is protected.

    >>> from graphveil.mechanisms.measurement import draw
    >>> grid = ClippingGrid(lower=0, upper=10, step=1)
    >>> mean = KnownSizeMean(epsilon=1, grid=grid, n_records=1000)
    >>> round(mean.conclude(draw(mean.measure([2, 4] * 500), SeededNoise(1))), 2)
    3.0
    """

    epsilon: Fraction
    grid: ClippingGrid
    n_records: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        if self.n_records < 1:
            raise ParameterError(f"the number of records must be at least 1, not {self.n_records}")

    @property
    def loss(self) -> Pure:
        """Pure epsilon for one record more or less."""
        return Pure(self.epsilon)

    @property
    def sensitivity(self) -> int:
        """How much one record can change the sum: the whole width, in steps."""
        return 2 * self.grid.half_steps

    def measure(self, values: ArrayLike) -> tuple[NoisyInteger]:
        """The centred sum in steps."""
        steps = self.grid.to_steps(values)
        if len(steps) != self.n_records:
            raise ParameterError(f"{len(steps)} records were given where {self.n_records} were declared")
        return (
            NoisyInteger(
                what="centred sum", exact=int(steps.sum()), sensitivity=self.sensitivity, epsilon=self.epsilon
            ),
        )

    def conclude(self, outcomes: Outcomes) -> float:
        """The noisy sum over the public number of records, moved to the middle of the range."""
        (noisy_sum,) = map(int, outcomes)
        return float(self.grid.middle + self.grid.step * Fraction(noisy_sum, self.n_records))

    def variance(self) -> float:
        """Of the noise; rounding to the grid is not in it."""
        return (float(self.grid.step) * discrete_laplace_std(self.epsilon / self.sensitivity) / self.n_records) ** 2
