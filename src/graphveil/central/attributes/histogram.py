"""How many people have each value of an attribute, under node privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       node; a person's value is hidden with the person
Trust      central
Guarantee  pure epsilon
Estimator  every number is unbiased before it is raised to 0
Cost       O(n)

Sensitivity: 1, for all numbers together. A person is counted under one value, or under `(none)`, so one person more
raises one number by 1. Somebody whose value changes leaves and joins: that costs twice epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.node_mixing import ASSUMED, check_private
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.mechanisms.accuracy import Accuracy, discrete_laplace_accuracy
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes

PUBLIC_THERE = (
    "it takes people's attributes for public, as it protects edges alone",
    "mixing (its groups)",
)


@dataclass(frozen=True, slots=True)
class AttributeHistogram(Query):
    """The number of people with each of the values that are counted, and with none of them."""

    query = "attribute-histogram"
    unit = "node"
    assumes = (ASSUMED,)
    why_one_unit = PUBLIC_THERE

    column: PeopleColumn

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_private(self.query, self.column)
        self.column.check_groups()

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """All numbers with all of epsilon."""
        groups = self.column.groups_of(label_list(graph.labels, graph.n_nodes))
        counts = np.bincount(groups, minlength=len(self.column.groups)).astype(np.int64)
        return (NoisyVector(what="people with each value", exact=counts, sensitivity=1, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy numbers, raised to 0 where they are below."""
        value = tuple(np.maximum(0, outcomes[0]).tolist())
        accuracy = discrete_laplace_accuracy(value, self.epsilon, entries=len(value), support=(0, math.inf))
        stages = (Stage("raised numbers below 0 to 0"),)
        return Answer(value, accuracy, stages, {"labels": self.column.groups})

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise does not depend on the people."""
        return discrete_laplace_accuracy(0, self.epsilon, entries=len(self.column.groups))
