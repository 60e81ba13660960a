"""The order of BCPA: joint-degree tuples by the mean betweenness of their edges (Huang et al. 2019, Algorithm 2).

The paper defines betweenness twice. In words (section 3.3.2) it is the share of all shortest paths that use the edge:
the ordinary edge betweenness, as networkx and `graph.statistics.betweenness` have it. Its equation 2 sums over s, t
apart from the edge, divided by (N - 1)(N - 2): paths that start or end at the edge do not count. Edges of people with
one friend are then all worth 0, and the order mixes tuples of very different degrees. `ordinary` is our default.

The betweenness of all edges takes O(n m). Above n m = 1e9, about ten seconds, it is estimated from sampled people, and
the estimate is compared with a second one from as many others, to say how far off it is. Nothing here is private.

The sum over t for one source s comes from Brandes (2001). Since s and t play the same part, sampled sources estimate
the whole without bias: each edge's sum is scaled up to the N - 2 people besides its ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.parallel import sum_over_parts
from graphveil.graph.statistics.betweenness import edge_betweenness
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.kernels import kernel

PARTS = 8


def detached_betweenness(graph: Graph, people: Integers | None = None) -> Floats:
    """Of every edge in the order of `graph.edges()`; estimated from these people as sources, exact without them.

    >>> detached_betweenness(Graph.from_edges([(0, 1), (1, 2), (2, 3)])).round(3).tolist()
    [0.0, 0.333, 0.0]
    """
    n = graph.n_nodes
    sources = np.arange(n) if people is None else people
    if graph.n_edges == 0:
        return np.empty(0)
    if len(sources) < min(3, n):
        raise ParameterError(f"{len(sources)} sources were given; at least 3, so that every edge has one apart from it")
    edges = graph.edges()
    sums = sum_over_parts(
        partial(_sum_detached, graph.indptr, graph.indices, edges), sources, 1 + len(sources) // PARTS, None
    )
    is_source = np.zeros(n, dtype=np.int64)
    is_source[sources] = 1
    apart = len(sources) - is_source[edges].sum(axis=1)
    scaled: Floats = sums * ((n - 2) / np.maximum(apart, 1)) / max(1, (n - 1) * (n - 2))
    return scaled


@kernel
def _sum_detached(indptr: Any, indices: Any, edges: Any, sources: Any) -> Any:
    """Sums over sources and over targets beyond the edge.

    From source s, the paths to all t beyond w that step from v to w have the share paths(v) / paths(w) times the
    dependency of w; t = w itself is not in that, and steps out of s are skipped.
    """
    n = len(indptr) - 1
    distance = np.full(n, -1, dtype=np.int64)
    paths, through = np.zeros(n), np.zeros(n)
    order = np.empty(n, dtype=np.int64)
    sums = np.zeros(len(edges))
    for s in sources:
        distance[:] = -1
        paths[:] = 0.0
        through[:] = 0.0
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


STEPS = 1_000_000_000  # walks along an edge that are affordable: a source takes one for each edge
LEAST_SOURCES = 256
BETWEENNESS = ("ordinary", "equation-2")


@dataclass(frozen=True, slots=True)
class TupleOrder:
    """`places` lists the tuples in order.

    Of an order by betweenness, `error` is the mean relative error of a tuple's betweenness, each tuple weighted by its
    betweenness: 0 with everybody as `sources`, else estimated from the difference of two halves of the sample.
    """

    places: Integers
    sources: int | None = None
    error: float = 0.0

    def to_json(self) -> dict[str, float]:
        """What to tell about the order."""
        if self.sources is None:
            return {}
        return {"betweenness_sources": self.sources, "betweenness_error": self.error}


def betweenness_order(
    graph: Graph,
    table: DegreeTable,
    *,
    betweenness: str = "ordinary",
    seed: int = 0,
    steps: int | None = None,
    least_sources: int = LEAST_SOURCES,
) -> TupleOrder:
    """Order the tuples of a graph; in one that needs more `steps`, from at least so many people.

    >>> from graphveil.graph.statistics.degree_table import exact_joint_degrees
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> betweenness_order(path, exact_joint_degrees(path)).places.tolist()
    [0, 1]
    """
    ends = np.sort(graph.degrees[graph.edges()], axis=1)
    base = int(graph.degrees.max(initial=0)) + 1
    tuple_of_edge = np.searchsorted(table.degrees @ np.array([base, 1]), ends @ np.array([base, 1]))

    def mean(people: Integers | None) -> Floats:
        measured = edge_betweenness(graph, people) if betweenness == "ordinary" else detached_betweenness(graph, people)
        means: Floats = np.bincount(tuple_of_edge, measured, minlength=len(table)) / table.counts
        return means

    affordable = max(least_sources, (STEPS if steps is None else steps) // max(1, graph.n_edges))
    if graph.n_nodes <= affordable:
        exact = mean(None)
        return TupleOrder(np.argsort(exact.round(12), kind="stable"), graph.n_nodes, 0.0)
    people = np.random.default_rng(seed).choice(graph.n_nodes, affordable, replace=False)
    halves = [mean(half) for half in np.array_split(people, 2)]
    average = (halves[0] + halves[1]) / 2
    # the error of an average of two is half the difference of the two, in the mean
    error = float(np.abs(halves[0] - halves[1]).sum() / 2 / max(average.sum(), 1e-300))
    return TupleOrder(np.argsort(average.round(12), kind="stable"), affordable, error)
