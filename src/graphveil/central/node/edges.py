"""Number of edges under node privacy, with a degree bound that is chosen from the graph and paid for.

Paper      Day, Li, Lyu 2016 (edge-by-edge projection); the bound from the h-index, ours
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound and count together
Estimator  of the graph truncated at the bound, unbiased; so at most the number of all edges
Cost       O(m log m) for the public order of the edges, then O(m)
Differs    Day et al. choose the bound for histograms by an exponential mechanism over a grid

Sensitivity: D for a bound D. A new person with k kept edges moves others' degrees by at most k in total, so the
number of kept edges, half the sum of all degrees, grows by at most (k + k) / 2 <= D, and it does not fall below.

The bound: per unit by which D falls, about one edge is lost for each person above D, and D / epsilon of noise grows
by 1 / epsilon; so D should leave only a few people above it. Five h-indices did so on the benchmark graphs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.node.projected_count import ProjectedCount, TruncatedCount


@dataclass(frozen=True, slots=True)
class NodeEdgeCount(TruncatedCount):
    """The number of edges that truncation at a degree bound leaves, plus discrete Laplace noise.

    `max_degree` is the bound if it is public; without it the bound is chosen from the noisy h-index and paid for.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(NodeEdgeCount(epsilon=Fraction(1000)), graph, SeededNoise(1)).value
    3
    """

    query = "edges"

    @property
    def count(self) -> ProjectedCount:
        """The number of edges, whose sensitivity is the bound itself."""
        multiple = 5 * math.pow(self.epsilon, 0.3)
        return ProjectedCount.share_out(
            "number of kept edges",
            lambda graph: graph.n_edges,
            lambda bound: bound,
            self.epsilon,
            self.max_degree,
            multiple,
        )
