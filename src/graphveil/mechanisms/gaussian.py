"""Whole numbers with discrete Gaussian noise, as a measurement, and programs of measurements accounted by zCDP.

Adding noise X with P(X = x) proportional to exp(-x^2 / (2 sigma^2)) to integers of L2 sensitivity s costs
rho = s^2 / (2 sigma^2) of zero-concentrated differential privacy (Canonne, Kamath and Steinke 2020). The sensitivity is
given squared, as it is often a root.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.mechanisms.measurement import Measurement
from graphveil.mechanisms.noise.additive import add_discrete_gaussian
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.convert import concentrated_to_approximate
from graphveil.privacy.loss import Approximate, Concentrated, Pure, exact_epsilon
from graphveil.privacy.rounding import text_up

Program: TypeAlias = Callable[[], Generator[Measurement, Any, None]]


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interactive:
    """Measurements that follow one another, each made in view of the outcomes before, accounted by zCDP.

    A program yields measurements and gets their outcomes. A pure loss counts epsilon^2 / 2; all of them together may
    cost `rho`. What would cost more is refused before its noise is drawn, so the filter of `privacy.ledger.budget`
    applies: the whole is rho-zCDP, hence (epsilon, `tail`)-DP. `failure` is the probability, under either of two
    neighbours, that an outcome breaks what the sensitivity of a later measurement needs (a bound drawn too low). It
    adds to delta.
    """

    what: str
    program: Program
    rho: Fraction
    tail: Fraction
    failure: Fraction

    @property
    def loss(self) -> Approximate:
        """The conversion of rho at `tail`, and the failures on top."""
        epsilon = concentrated_to_approximate(Concentrated(self.rho), self.tail).epsilon
        return Approximate(epsilon, self.tail + self.failure)

    @property
    def text(self) -> str:
        """What is measured and what it costs in zCDP."""
        return f"measured {self.what}; all measurements together cost rho {float(self.rho):.4g} of zCDP"

    def draws(self, noise: Noise, runs: int) -> list[list[Any]]:
        """The outcomes of all measurements, a list for each run."""
        return [self._run(noise) for _ in range(runs)]

    def _run(self, noise: Noise) -> list[Any]:
        outcomes: list[Any] = []
        program, spent = self.program(), Fraction(0)
        try:
            measurement = next(program)
            while True:
                loss = measurement.loss
                if not isinstance(loss, Pure | Concentrated):
                    raise GuaranteeMismatch(f"{self.what}: a loss of {loss} has no rho")
                spent += loss.rho
                if spent > self.rho:
                    raise GuaranteeMismatch(f"{self.what} may cost rho {self.rho} and would cost {spent}")
                outcomes.append(measurement.draws(noise, 1)[0])
                measurement = program.send(outcomes[-1])
        except StopIteration:
            return outcomes
