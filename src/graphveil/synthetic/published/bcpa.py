"""Joint-degree perturbation in groups of similar betweenness (BCPA), as published.

Paper      Huang, Wang, Tang, Zhang 2019, Algorithms 1 and 2
Unit       edge
Trust      central
Guarantee  claimed epsilon, refuted: no epsilon holds
Estimator  unbiased counts of the tuples that occur, standard deviation sqrt(2) (4 d_g + 1) / epsilon in group g
Cost       O(n m) for the betweenness of all edges
Differs    noise on the integers instead of the reals; only the noise step, not the graph made from it

Tuples are sorted by the mean betweenness of their edges and cut into groups, each with its own largest degree. One edge
can change the whole order, and with it the noise scale of any tuple.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.degree_table import DegreeTable
from graphveil.kernels import kernel
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.synthetic.published.noisy_tuples import Integers, TuplePerturbation


@dataclass(frozen=True, slots=True, kw_only=True)
class Bcpa(TuplePerturbation):
    """Groups by mean edge betweenness.

    >>> from fractions import Fraction
    >>> from graphveil.graph.degree_table import exact_joint_degrees
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> page = Bcpa(epsilon=Fraction(1), n_groups=2)
    >>> page.order(path, exact_joint_degrees(path)).tolist()
    [0, 1]
    """

    claim: ClassVar[PublishedClaim] = PublishedClaim(
        paper="Huang et al. 2019, Theorems 4 and 5",
        statement="noise of scale (4 d_g + 1) / epsilon within every group of 2K tuples is epsilon-edge-private",
        verdict=Verdict.REFUTED,
        reason="only tuples that occur are published, order, groups and scales come from the private graph, and one "
        "edge changes many groups",
        true_epsilon=None,
    )

    def order(self, graph: Graph, table: DegreeTable) -> Integers:
        """By the mean betweenness of a tuple's edges, from small to large (Algorithm 2)."""
        ends = np.sort(graph.degrees[graph.edges()], axis=1)
        _, tuple_of_edge = np.unique(ends, axis=0, return_inverse=True)
        betweenness = detached_betweenness(graph)
        means = np.bincount(tuple_of_edge.ravel(), betweenness, minlength=len(table)) / table.counts
        return np.argsort(means.round(12), kind="stable")


def detached_betweenness(graph: Graph) -> NDArray[np.float64]:
    """Equation 2: over ordered pairs s, t not on the edge, the share of shortest paths through it, / (N-1)(N-2).

    >>> detached_betweenness(Graph.from_edges([(0, 1), (1, 2), (2, 3)])).round(3).tolist()
    [0.0, 0.333, 0.0]
    """
    n = graph.n_nodes
    sums: NDArray[np.float64] = _sum_detached(graph.indptr, graph.indices, graph.edges())
    return sums / max(1, (n - 1) * (n - 2))


@kernel
def _sum_detached(indptr: Any, indices: Any, edges: Any) -> Any:
    """Brandes (2001) with both ends of an edge left out as source and as target.

    From source s, the paths to all t beyond w that step from v to w have the share paths(v) / paths(w) times the
    dependency of w; t = w itself is not in that, and steps out of s are skipped.
    """
    n = len(indptr) - 1
    through = np.zeros(n)
    sums = np.zeros(len(edges))
    for s in range(n):
        distance = np.full(n, -1, dtype=np.int64)
        paths = np.zeros(n)
        order = np.empty(n, dtype=np.int64)
        distance[s], paths[s], order[0] = 0, 1.0, s
        head, tail = 0, 1
        while head < tail:
            v = order[head]
            head += 1
            for w in indices[indptr[v] : indptr[v + 1]]:
                if distance[w] < 0:
                    distance[w] = distance[v] + 1
                    order[tail] = w
                    tail += 1
                if distance[w] == distance[v] + 1:
                    paths[w] += paths[v]
        through[:] = 0.0
        for place in range(tail - 1, 0, -1):
            w = order[place]
            for v in indices[indptr[w] : indptr[w + 1]]:
                if distance[v] == distance[w] - 1:
                    through[v] += paths[v] / paths[w] * (1 + through[w])
        for e in range(len(edges)):
            v, w = edges[e, 0], edges[e, 1]
            if distance[v] > distance[w]:
                v, w = w, v
            if v != s and distance[v] >= 0 and distance[w] == distance[v] + 1:
                sums[e] += paths[v] / paths[w] * through[w]
    return sums
