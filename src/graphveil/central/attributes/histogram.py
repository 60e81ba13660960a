"""How many people have each value of an attribute, under node privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       node; a person's value is hidden with the person
Trust      central
Guarantee  pure epsilon; with `delta`, (epsilon, delta) where Gaussian noise is smaller
Estimator  every number is unbiased before it is raised to 0
Cost       O(n)

Sensitivity: 1, for all numbers together. A person is counted under one value, or under `(none)`, so one person more
raises one number by 1. Somebody whose value changes leaves and joins: that costs twice epsilon.

People may have several values, with semicolons between them, such as interests. With `most_values` m a person is
counted under the first m of them in the order of the values that are counted, so one person more raises up to m numbers
by 1: the L1 sensitivity is m, the L2 sensitivity root m. Laplace noise has the deviation root 2 m / epsilon; Gaussian
noise of zCDP loss rho has root (m / 2 rho). The latter grows more slowly and is smaller from about eleven values on (at
epsilon 1 and delta 10^-6). Which of the two is drawn follows from epsilon, delta and m, which are public.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.node_mixing import ASSUMED, check_private
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.mechanisms.accuracy import (
    Accuracy,
    discrete_gaussian_accuracy,
    discrete_laplace_accuracy,
    discrete_laplace_std,
)
from graphveil.mechanisms.algorithm import stated_guarantee
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.privacy.convert import largest_concentrated
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Approximate, Concentrated, Loss, Pure, exact_delta

PUBLIC_THERE = ("it takes people's attributes for public, as it protects edges alone", "mixing (its groups)")


@dataclass(frozen=True, slots=True)
class AttributeHistogram(Query):
    """The number of people with each of the values that are counted, and with none of them."""

    query = "attribute-histogram"
    unit = "node"
    assumes = (ASSUMED,)
    why_one_unit = PUBLIC_THERE

    column: PeopleColumn
    most_values: int = 1
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_private(self.query, self.column)
        self.column.check_groups()
        exact_delta(self.delta)
        if not 1 <= self.most_values <= len(self.column.values):
            raise ParameterError(
                f"most_values is how many of the {len(self.column.values)} values one person may have, not "
                f"{self.most_values}"
            )

    @property
    def rho(self) -> Fraction:
        """The zCDP loss that keeps epsilon and delta; 0 where noise is Laplace's, which keeps epsilon alone."""
        if not self.delta:
            return Fraction(0)
        rho = largest_concentrated(Approximate(self.epsilon, self.delta)).rho
        smaller = rho > 0 and self.most_values / (2 * rho) < discrete_laplace_std(self._rate) ** 2
        return rho if smaller else Fraction(0)

    @property
    def _rate(self) -> Fraction:
        return self.epsilon / self.most_values

    @property
    def guarantee(self) -> Guarantee:
        """Epsilon for one person, and delta if the noise is Gaussian."""
        return replace(stated_guarantee(self), delta=self.delta if self.rho else Fraction(0))

    @property
    def loss(self) -> Loss:
        """The zCDP loss of Gaussian noise, or epsilon."""
        return Concentrated(self.rho) if self.rho else Pure(self.epsilon)

    def counts(self, names: Sequence[Any]) -> Integers:
        """How many of these people have each value; who has none of them is counted once, at the end."""
        places = [place for name in names for place in self.column.several(name, self.most_values)]
        return np.bincount(np.array(places, dtype=np.int64), minlength=len(self.column.groups)).astype(np.int64)

    def measure(self, graph: Graph) -> tuple[NoisyVector | GaussianVector]:
        """All numbers with all of epsilon."""
        counts, what = self.counts(label_list(graph.labels, graph.n_nodes)), "people with each value"
        if self.rho:
            return (GaussianVector(what=what, exact=counts, squared_sensitivity=self.most_values, rho=self.rho),)
        return (NoisyVector(what=what, exact=counts, sensitivity=self.most_values, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy numbers, raised to 0 where they are below."""
        value = tuple(np.maximum(0, outcomes[0]).tolist())
        stages = (Stage("raised numbers below 0 to 0"),)
        return Answer(value, self._accuracy(value, (0, math.inf)), stages, {"labels": self.column.groups})

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise does not depend on the people."""
        return self._accuracy(0, (-math.inf, math.inf))

    def _accuracy(self, value: Any, support: tuple[float, float]) -> Accuracy:
        entries = len(self.column.groups)
        if self.rho:
            spread = Fraction(self.most_values) / (2 * self.rho)
            return discrete_gaussian_accuracy(value, spread, entries=entries, support=support)
        return discrete_laplace_accuracy(value, self._rate, entries=entries, support=support)
