"""Total weight of all edges under node privacy.

Paper      Day, Li, Lyu 2016 for the truncation, here with weights
Unit       node; people who keep their names
Trust      central
Guarantee  pure epsilon
Estimator  the total after truncation at a strength S of everybody, plus noise of scale S / epsilon; biased downwards
Cost       O(m log m)

Edges are taken in a public order, and of each as much weight is kept as both ends have room for, with room S each.
An edge of weight w is the same as w parallel edges of weight 1 that follow one another, and each of these is kept while
both ends have room: the truncation of `graph.project` with parallel edges. Its proof does not use that edges are
different. So a new person with kept strength s <= S moves the kept strengths of the others by at most s in total and
upwards in sum by at most s, and the total grows by 0 to S.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.central.weighted.total import total_accuracy
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.order import edge_order
from graphveil.graph.weighted import WeightedGraph, with_weights
from graphveil.kernels import kernel
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes

DEFAULT_STRENGTH = 1_000


@dataclass(frozen=True, slots=True)
class NodeWeightedTotal(Query):
    """The sum of the weights that are kept when everybody's edges weigh at most `max_strength` together.

    >>> from graphveil.graph.weighted import WeightedGraph
    >>> graph = WeightedGraph.from_ties([(0, 1), (1, 2)], [3, 50])
    >>> run(NodeWeightedTotal(epsilon=Fraction(1000), max_strength=10), graph, SeededNoise(1)).value
    10
    """

    query = "weighted-total"
    unit = "node"
    reads = "weights"

    max_strength: int = DEFAULT_STRENGTH

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if self.max_strength < 1:
            raise ParameterError(f"max_strength must be a whole number of at least 1, not {self.max_strength}")

    @property
    def rate(self) -> Fraction:
        """Rate of the noise: epsilon over the strength."""
        return self.epsilon / self.max_strength

    def measure(self, graph: Graph) -> tuple[NoisyInteger]:
        """The total weight that is kept."""
        kept = kept_total(with_weights(graph), self.max_strength)
        return (NoisyInteger(what="kept weight", exact=kept, sensitivity=self.max_strength, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public here
        """The noisy total, raised to 0 if it is negative."""
        value = max(0, int(outcomes[0]))
        kept = Stage(f"kept weight, in a public order of edges, while both ends had less than {self.max_strength:,}")
        return Answer(value, total_accuracy(value, self.rate, self.max_strength, of="person's strength"), (kept,))

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the noise depends on the cap alone
        """The noise at the cap; what truncation removes is not in the forecast."""
        unbounded = (-math.inf, math.inf)
        return total_accuracy(0, self.rate, self.max_strength, support=unbounded, of="person's strength")


def kept_total(graph: WeightedGraph, max_strength: int) -> int:
    """The total weight that a scan keeps, which takes of each edge what both of its ends have room for."""
    edges = graph.edges()
    room = np.full(graph.n_nodes, max_strength, dtype=np.int64)
    return int(_scan(edges, graph.weights, edge_order(graph, edges, 0), room))


@kernel
def _scan(edges: Any, weights: Any, order: Any, room: Any) -> Any:
    """The sum of what is kept; `room` of both ends shrinks by it."""
    total = 0
    for e in order:
        u, v = edges[e]
        kept = min(weights[e], room[u], room[v])
        room[u] -= kept
        room[v] -= kept
        total += kept
    return total
