"""Randomised response: a person reports a value of 0..n_values-1 truthfully with a known probability.

Papers: Warner 1965 (one bit); Kairouz, Bonawitz and Ramage 2016 (k values); estimator and variance: Wang et al. 2017;
estimated shares as a distribution: Wang et al. 2020 (`norm_sub`).

Sensitivity: a person's report is one draw from a law that depends on that person's value v only. Its loss is the
largest ratio between the probabilities of one report under two values, `worst_ratio`; all laws here are made of coins
whose rounding (`coins`) keeps that ratio at or below e^epsilon, so the claimed epsilon is never understated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins, keep_threshold, sample_uniform
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure, exact_epsilon


def values_below(values: ArrayLike, n_values: int) -> Integers:
    """What people hold, as a list of integers from 0 to n_values - 1; anything else is refused."""
    array = np.asarray(values)
    if not (np.issubdtype(array.dtype, np.integer) or array.dtype == np.bool_) or array.ndim != 1:
        raise ParameterError(f"values must be a list of integers, not {array.dtype} of {array.ndim} dimensions")
    if len(array) and not (array.min() >= 0 and array.max() < n_values):
        raise ParameterError(f"every value must lie in 0..{n_values - 1}")
    return array.astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response(ABC):
    """What all of them share: a report supports some values, the true one more often than the others."""

    epsilon: Fraction
    n_values: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        if not 2 <= self.n_values <= 2**62:
            raise ParameterError(f"a response needs 2 to 2^62 possible values, not {self.n_values}")
        if self.keep_probability <= self.flip_probability:
            raise ParameterError(f"epsilon {float(self.epsilon):.3g} is too small: reports would say nothing")

    @property
    def loss(self) -> Pure:
        """Pure epsilon for everything the report depends on."""
        return Pure(self.epsilon)

    @property
    @abstractmethod
    def keep_probability(self) -> Fraction:
        """That a report supports the true value."""

    @property
    @abstractmethod
    def flip_probability(self) -> Fraction:
        """That a report supports a given other value."""

    @property
    @abstractmethod
    def worst_ratio(self) -> Fraction:
        """The largest ratio between the probabilities of one report under two values; at most e^epsilon."""

    @abstractmethod
    def perturb(self, values: ArrayLike, noise: Noise) -> Any:
        """One report for each person's value."""

    @abstractmethod
    def count(self, reports: Any) -> Integers:
        """How many reports support each value."""

    def estimate(self, counts: ArrayLike, n_reports: int) -> Floats:
        """Unbiased estimate of how many people hold each value: (counts - n q) / (p - q)."""
        p, q = self.keep_probability, self.flip_probability
        return (np.asarray(counts, dtype=np.float64) - float(n_reports * q)) / float(p - q)

    def variance(self, n_reports: int, holders: int = 0) -> float:
        """Of the estimate for a value that `holders` of the people hold."""
        p, q = self.keep_probability, self.flip_probability
        return float((holders * p * (1 - p) + (n_reports - holders) * q * (1 - q)) / (p - q) ** 2)

    def _checked(self, values: ArrayLike) -> Integers:
        return values_below(values, self.n_values)


@dataclass(frozen=True, slots=True, kw_only=True)
class KaryResponse(Response):
    """The true value with probability p, else one of the others evenly (generalised randomised response).

    >>> response = KaryResponse(epsilon=2, n_values=4)
    >>> reports = response.perturb([0] * 60 + [3] * 40, SeededNoise(1))
    >>> response.estimate(response.count(reports), 100).round().tolist()
    [61.0, 5.0, -1.0, 35.0]
    """

    @property
    def keep_probability(self) -> Fraction:
        """p, e^epsilon / (e^epsilon + n_values - 1) rounded down."""
        return Fraction(self._threshold(), GRID)

    @property
    def flip_probability(self) -> Fraction:
        """(1 - p) / (n_values - 1)."""
        return (1 - self.keep_probability) / (self.n_values - 1)

    @property
    def worst_ratio(self) -> Fraction:
        """Reached by any report, between its own value and another."""
        return self.keep_probability / self.flip_probability

    def perturb(self, values: ArrayLike, noise: Noise) -> Integers:
        """One value for each person."""
        reports = self._checked(values)
        kept = flip_coins(noise, self._threshold(), len(reports))
        others = sample_uniform(noise, self.n_values - 1, len(reports))  # everybody draws both: see `crowd`
        return np.where(kept, reports, others + (others >= reports))

    def count(self, reports: ArrayLike) -> Integers:
        """How many people report each value."""
        return np.bincount(self._checked(reports), minlength=self.n_values).astype(np.int64)

    def _threshold(self) -> int:
        return keep_threshold(self.epsilon, far=self.n_values - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryResponse(KaryResponse):
    """Warner's randomised response on bits: each is flipped with probability 1 / (1 + e^epsilon), rounded up.

    >>> BinaryResponse(epsilon=1).perturb([True, False, True], SeededNoise(2)).tolist()
    [True, True, False]
    """

    n_values: int = field(default=2, init=False)

    def perturb(self, values: ArrayLike, noise: Noise) -> Any:
        """One bit for each bit."""
        bits = self._checked(values).astype(np.bool_)
        return bits ^ ~flip_coins(noise, self._threshold(), len(bits))


def norm_sub(values: ArrayLike, total: float = 1.0) -> Floats:
    """Take the same amount off every value and cut at zero, so that they have this sum: the Euclidean projection.

    >>> norm_sub([0.7, 0.5, -0.2, 0.1]).round(3).tolist(), norm_sub([5, -3], total=0).tolist()
    ([0.6, 0.4, 0.0, 0.0], [0.0, 0.0])
    """
    given = np.asarray(values, dtype=np.float64)
    if total <= 0 or not len(given):
        return np.zeros(len(given))
    falling = np.sort(given)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, len(given) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    return np.asarray(np.maximum(given - excess[kept], 0.0))
