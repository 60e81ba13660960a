"""Noise calibrated to a sensitivity: the Laplace and the Gaussian mechanism on integers.

Sensitivity: noise of rate epsilon / sensitivity on each entry costs epsilon when two neighbouring inputs give integer
vectors at L1 distance of at most `sensitivity`: the probability of an output is a product of factors
exp(-rate |y - x|), each of which changes by at most exp(rate |x - x'|). Gaussian noise of variance sigma^2 costs
rho = (L2 distance)^2 / (2 sigma^2) of zero-concentrated differential privacy (Canonne, Kamath and Steinke 2020). Both
hold on the integers only: a real-valued statistic is first put on a public grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numpy.typing import ArrayLike

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.additive import add_discrete_gaussian, add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Concentrated, Number, Pure, exact, exact_epsilon


def exact_sensitivity(value: Number, name: str = "sensitivity") -> Fraction:
    """A sensitivity: finite and above 0."""
    sensitivity = exact(value, name)
    if sensitivity <= 0:
        raise ParameterError(f"{name} must be above 0, not {value}")
    return sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class PureMechanism(ABC):
    """Public parameters of what costs epsilon for a known sensitivity."""

    epsilon: Fraction
    sensitivity: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        object.__setattr__(self, "sensitivity", exact_sensitivity(self.sensitivity))

    @property
    def loss(self) -> Pure:
        """Pure epsilon."""
        return Pure(self.epsilon)

    @property
    @abstractmethod
    def rate(self) -> Fraction:
        """How fast probabilities fall with the distance from the truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceMechanism(PureMechanism):
    """Discrete Laplace noise for integers whose L1 sensitivity is known.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> mechanism = LaplaceMechanism(epsilon=0.5, sensitivity=2)
    >>> mechanism.rate, round(mechanism.variance(), 1)
    (Fraction(1, 4), 31.8)
    >>> mechanism.run([10, 20, 30], SeededNoise(1)).tolist()
    [6, 16, 33]
    """

    @property
    def rate(self) -> Fraction:
        """The noise rate, epsilon / sensitivity."""
        return self.epsilon / self.sensitivity

    def run(self, values: ArrayLike, noise: Noise) -> Any:
        """The noisy integer or vector."""
        return add_discrete_laplace(noise, values, self.rate)

    def variance(self) -> float:
        """Of each entry: 2 r / (1 - r)^2 with r = exp(-rate)."""
        return discrete_laplace_std(self.rate) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianMechanism:
    """Discrete Gaussian noise for integers whose L2 sensitivity is known; given squared, as it is often a root.

    >>> GaussianMechanism(rho="1/8", squared_sensitivity=2).sigma_squared
    Fraction(8, 1)
    """

    rho: Fraction
    squared_sensitivity: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", exact_epsilon(self.rho, "rho"))
        squared = exact_sensitivity(self.squared_sensitivity, "squared sensitivity")
        object.__setattr__(self, "squared_sensitivity", squared)

    @property
    def loss(self) -> Concentrated:
        """The rho of zero-concentrated differential privacy."""
        return Concentrated(self.rho)

    @property
    def sigma_squared(self) -> Fraction:
        """(L2 sensitivity)^2 / (2 rho)."""
        return self.squared_sensitivity / (2 * self.rho)

    def run(self, values: ArrayLike, noise: Noise) -> Any:
        """The noisy integer or vector."""
        return add_discrete_gaussian(noise, values, self.sigma_squared)

    def variance(self) -> float:
        """Of each entry, at most: the discrete law varies no more than the continuous one."""
        return float(self.sigma_squared)
