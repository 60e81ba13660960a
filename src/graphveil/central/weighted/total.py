"""Total weight of all edges under edge privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; two people connected or not, with whatever weight; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  the total with every weight cut at a cap W, plus noise of scale W / epsilon; biased by what the cap cuts off
Cost       O(m)

Sensitivity: an edge more or less adds or removes its weight, cut at W: at most W. An edge whose weight changes is one
edge less and one more, which loses twice epsilon. The cap is public, or a tenth of epsilon chooses it (`weight_cap`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.central.weighted.weight_cap import WeightCap
from graphveil.graph.core import Graph
from graphveil.graph.weighted import with_weights
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes

WEIGHT_ASSUMES = "an edge is all that is between two people; a weight that changes loses twice epsilon"


@dataclass(frozen=True, slots=True)
class WeightedTotal(Query):
    """The sum of the weights of all edges, each cut at a cap.

    >>> from graphveil.graph.weighted import WeightedGraph
    >>> graph = WeightedGraph.from_ties([(0, 1), (1, 2)], [3, 50])
    >>> run(WeightedTotal(epsilon=Fraction(200), max_weight=10), graph, SeededNoise(1)).value
    13
    """

    query = "weighted-total"
    unit = "edge"
    reads = "weights"
    assumes = (WEIGHT_ASSUMES,)

    max_weight: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        self.cap.__post_init__()

    @property
    def cap(self) -> WeightCap:
        """How the weight of one edge is bounded."""
        return WeightCap(self.max_weight, self.epsilon)

    def measure(self, graph: Graph) -> Measurements:
        """The total of the weights cut at the cap."""
        weighted, cap = with_weights(graph), self.cap

        def total(most: int) -> Measurements:
            exact = int(np.minimum(weighted.weights, most).sum())
            return (NoisyInteger(what="total weight", exact=exact, sensitivity=most, epsilon=cap.rest),)

        return cap.measure(weighted, total)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - no public fact helps
        """The noisy total, raised to 0 if it is negative."""
        cap, derived, (noisy,) = self.cap.conclude(outcomes)
        value = max(0, int(noisy))
        stages = (self.cap.stage(cap), Stage("raised the total to 0 if it was negative"))
        return Answer(value, total_accuracy(value, self.cap.rest / cap, cap), stages, derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the noise depends on the cap alone
        """The noise at the cap; what the cap cuts off is not in the forecast."""
        cap = self.cap.guess()
        return total_accuracy(0, self.cap.rest / cap, cap, support=(-math.inf, math.inf))


def total_accuracy(
    value: int, rate: Fraction, cap: int, support: tuple[float, float] = (0, math.inf), of: str = "weight"
) -> Accuracy:
    """The interval of the total of cut weights, around a value that was raised to 0."""
    bands = tuple(
        Band(level, float(k), float(k)) for level in LEVELS for k in (discrete_laplace_quantile(rate, level),)
    )
    scope = f"the total with every {of} cut at {cap:,}; the whole total is at least the lower end"
    bias = f"downward by what the cap of {cap:,} cuts off; none if no {of} is larger"
    return Accuracy(value, discrete_laplace_std(rate), bands, bias=bias, support=support, scope=scope)
