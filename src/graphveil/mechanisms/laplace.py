"""Whole numbers with discrete Laplace noise, as measurements.

Adding noise X with P(X = x) proportional to exp(-rate |x|) to an integer that neighbours change by at most
`sensitivity` has a probability ratio of at most exp(rate * sensitivity) at every outcome (Ghosh, Roughgarden and
Sundararajan 2009). So rate = epsilon / sensitivity costs epsilon. For a vector the sensitivity is the largest L1
distance between neighbours. With weights w_i, entry i gets noise of rate epsilon w_i / sensitivity, and the sensitivity
is the largest sum of w_i |change of entry i|.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import LARGEST, add_discrete_laplace
from graphveil.mechanisms.noise.bulk import LIMIT as LIMIT
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure


def laplace_rate(epsilon: Fraction, sensitivity: int | Fraction) -> Fraction:
    """The rate of the noise that costs epsilon for this sensitivity."""
    if not (epsilon > 0 and sensitivity > 0):
        raise ParameterError(f"epsilon and sensitivity must be above 0, not {epsilon} and {sensitivity}")
    return epsilon / Fraction(sensitivity)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyInteger:
    """A whole number with noise for its sensitivity.

    >>> edges = NoisyInteger(what="number of edges", exact=40, sensitivity=1, epsilon=Fraction(1, 2))
    >>> edges.loss, edges.rate, edges.draws(SeededNoise(1), 3).tolist()
    (Pure(epsilon=Fraction(1, 2)), Fraction(1, 2), [38, 38, 41])
    """

    what: str
    exact: int
    sensitivity: int | Fraction
    epsilon: Fraction

    def __post_init__(self) -> None:
        laplace_rate(self.epsilon, self.sensitivity)
        given: object = self.exact  # a plug-in may hand over anything
        if not isinstance(given, Integral) or self.sensitivity < 1:
            raise ParameterError(
                f"{self.what}: integer noise needs a whole number and a sensitivity of 1 or more; multiply both by a "
                "public denominator first"
            )

    @property
    def rate(self) -> Fraction:
        """The rate of the noise: epsilon over the sensitivity."""
        return laplace_rate(self.epsilon, self.sensitivity)

    @property
    def loss(self) -> Pure:
        """Pure epsilon, since the scale of the noise follows from it."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is measured, how much it can change, and the scale of the noise."""
        return (
            f"measured the {self.what}, which changes by at most {_number(self.sensitivity)}, with integer Laplace "
            f"noise of scale {_number(1 / self.rate)}"
        )

    def draws(self, noise: Noise, runs: int) -> Any:
        """The number with noise, many times; numbers too large for 64 bits are Python's own."""
        if runs == 1 or abs(self.exact) > LARGEST:
            drawn = [add_discrete_laplace(noise, int(self.exact), self.rate) for _ in range(runs)]
            return np.array(drawn, dtype=np.int64 if max(map(abs, drawn)) < LARGEST else object)
        return add_discrete_laplace(noise, np.full(runs, self.exact), self.rate)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoisyVector:
    """Whole numbers with independent noise for their joint sensitivity.

    `weights` are whole numbers or Fractions above 0, one for each entry; without them every entry weighs 1. `units` say
    what 1 stands for in each entry, where entries are on a finer grid than what they measure; only texts use them.

    >>> halves = np.array([Fraction(1), Fraction(1, 2)])
    >>> NoisyVector(what="counts", exact=np.array([3, 4]), sensitivity=2, epsilon=Fraction(1), weights=halves).rates()
    [Fraction(1, 2), Fraction(1, 4)]
    """

    what: str
    exact: Integers
    sensitivity: int | Fraction
    epsilon: Fraction
    weights: AnyArray | None = None
    units: AnyArray | None = None

    def __post_init__(self) -> None:
        laplace_rate(self.epsilon, self.sensitivity)
        if self.exact.size and not np.issubdtype(self.exact.dtype, np.integer):
            raise ParameterError(f"{self.what}: integer noise needs whole numbers; put them on a public grid first")
        if self.weights is None:
            return
        exact_weights = all(isinstance(weight, (Integral, Fraction)) for weight in self.weights.tolist())
        if self.weights.shape != self.exact.shape or not exact_weights or (self.weights <= 0).any():
            raise ParameterError("a vector needs one weight above 0, an integer or a Fraction, for each entry")

    @property
    def rate(self) -> Fraction:
        """Epsilon over the sensitivity: the rate of the noise of an entry of weight 1."""
        return laplace_rate(self.epsilon, self.sensitivity)

    def rates(self) -> list[Fraction]:
        """The rate of the noise of each entry: epsilon times its weight over the sensitivity."""
        if self.weights is None:
            return [self.rate] * self.exact.size
        return [self.rate * weight for weight in self.weights.tolist()]

    @property
    def loss(self) -> Pure:
        """Pure epsilon for all entries together."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What is measured, how much it can change in total, and the scale of the noise."""
        counted = f"measured the {self.what}, {self.exact.size:,} numbers"
        if (self.weights is None and self.units is None) or not self.exact.size:
            return (
                f"{counted} which change by at most {_number(self.sensitivity)} in total, with integer Laplace noise "
                f"of scale {_number(1 / self.rate)}"
            )
        units = [1] * self.exact.size if self.units is None else self.units.tolist()
        scales = [unit / rate for unit, rate in zip(units, self.rates(), strict=True)]
        least, most = _number(min(scales)), _number(max(scales))
        if least == most:
            return f"{counted}, with Laplace noise of scale {least} on each"
        return f"{counted}, with Laplace noise of scale {least} to {most}, larger where one change moves more"

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The numbers with noise, a row a run."""
        tiled = np.tile(self.exact, (runs, 1))
        if self.weights is None:
            return add_discrete_laplace(noise, tiled, self.rate)
        noisy = tiled.astype(np.int64)
        for weight, same in _equal_entries(self.weights):
            noisy[:, same] = _add_noise(noise, tiled[:, same], self.rate * weight)
        return noisy


def _add_noise(noise: Noise, values: Integers, rate: Fraction) -> Integers:
    """Noise on every value: at once, or one by one where there is one only or the rate is too small for bulk.

    Results beyond 2^61 are cut to that, which is post-processing.
    """
    if values.size > 1 and rate * LIMIT >= 1:
        return add_discrete_laplace(noise, values, rate)
    drawn = [add_discrete_laplace(noise, value, rate) for value in values.ravel().tolist()]
    cut = [min(max(-LARGEST, value), LARGEST) for value in drawn]
    return np.array(cut, dtype=np.int64).reshape(values.shape)


def _equal_entries(weights: AnyArray) -> Iterator[tuple[int | Fraction, Integers]]:
    """Every different weight in the order of first appearance, with the places that have it."""
    number: dict[int | Fraction, int] = {}
    numbers = np.array([number.setdefault(weight, len(number)) for weight in weights.tolist()], dtype=np.int64)
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=len(number)))
    return zip(number, np.split(order, ends[:-1]), strict=True) if number else iter(())


def _number(value: int | Fraction) -> str:
    return f"{float(value):.4g}"
