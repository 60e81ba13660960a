"""Whole numbers with discrete Gaussian noise, as a measurement.

Adding noise X with P(X = x) proportional to exp(-x^2 / (2 sigma^2)) to integers of L2 sensitivity s costs
rho = s^2 / (2 sigma^2) of zero-concentrated differential privacy (Canonne, Kamath and Steinke 2020). The sensitivity is
given squared, as it is often a root.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import add_discrete_gaussian
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Concentrated, exact_epsilon
from graphveil.privacy.rounding import text_up


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GaussianVector:
    """Whole numbers with independent discrete Gaussian noise.

    >>> GaussianVector(what="counts", exact=np.zeros(2), squared_sensitivity=2, rho=Fraction(1, 8)).sigma_squared
    Fraction(8, 1)
    """

    what: str
    exact: Integers
    squared_sensitivity: int | Fraction
    rho: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.rho, "rho")
        if not self.squared_sensitivity > 0:
            raise ParameterError(f"squared sensitivity must be above 0, not {self.squared_sensitivity}")

    @property
    def sigma_squared(self) -> Fraction:
        """The squared sensitivity over 2 rho."""
        return Fraction(self.squared_sensitivity) / (2 * self.rho)

    @property
    def loss(self) -> Concentrated:
        """The rho of zero-concentrated differential privacy."""
        return Concentrated(self.rho)

    @property
    def text(self) -> str:
        """What is measured and the deviation of the noise."""
        sigma = float(self.sigma_squared) ** 0.5
        cost = f"rho {text_up(self.rho)} of zCDP"
        return f"measured the {self.what} with integer Gaussian noise of deviation {sigma:.4g}, for {cost}"

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The numbers with noise, a row a run."""
        return add_discrete_gaussian(noise, np.tile(self.exact, (runs, 1)), self.sigma_squared)
