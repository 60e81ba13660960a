"""The order of BCPA: joint-degree tuples by the mean betweenness of their edges (Huang et al. 2019, Algorithm 2).

The betweenness of all edges takes O(n m). Above n m = 1e8 it is estimated from sampled people, and the estimate is
compared with a second one from as many others, to say how far off it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.degree_table import DegreeTable
from graphveil.graph.detached_betweenness import detached_betweenness

STEPS = 100_000_000  # walks along an edge that are affordable: a source takes one for each edge
LEAST_SOURCES = 256


@dataclass(frozen=True, slots=True)
class TupleOrder:
    """`places` lists the tuples in order.

    Of an order by betweenness, `error` is the mean relative error of a tuple's betweenness, each tuple weighted by its
    betweenness: 0 with everybody as `sources`, else estimated from the difference of two halves of the sample.
    """

    places: NDArray[np.int64]
    sources: int | None = None
    error: float = 0.0

    def to_json(self) -> dict[str, float]:
        """What to tell about the order."""
        if self.sources is None:
            return {}
        return {"betweenness_sources": self.sources, "betweenness_error": self.error}


def betweenness_order(
    graph: Graph, table: DegreeTable, *, seed: int = 0, least_sources: int = LEAST_SOURCES
) -> TupleOrder:
    """Order the tuples of a graph; in a large one from at least so many people.

    >>> from graphveil.graph.degree_table import exact_joint_degrees
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> betweenness_order(path, exact_joint_degrees(path)).places.tolist()
    [0, 1]
    """
    ends = np.sort(graph.degrees[graph.edges()], axis=1)
    base = int(graph.degrees.max(initial=0)) + 1
    tuple_of_edge = np.searchsorted(table.degrees @ np.array([base, 1]), ends @ np.array([base, 1]))

    def mean(betweenness: NDArray[np.float64]) -> NDArray[np.float64]:
        means: NDArray[np.float64] = np.bincount(tuple_of_edge, betweenness, minlength=len(table)) / table.counts
        return means

    affordable = max(least_sources, STEPS // max(1, graph.n_edges))
    if graph.n_nodes <= affordable:
        exact = mean(detached_betweenness(graph))
        return TupleOrder(np.argsort(exact.round(12), kind="stable"), graph.n_nodes, 0.0)
    people = np.random.default_rng(seed).choice(graph.n_nodes, affordable, replace=False)
    halves = [mean(detached_betweenness(graph, half)) for half in np.array_split(people, 2)]
    average = (halves[0] + halves[1]) / 2
    # the error of an average of two is half the difference of the two, in the mean
    error = float(np.abs(halves[0] - halves[1]).sum() / 2 / max(average.sum(), 1e-300))
    return TupleOrder(np.argsort(average.round(12), kind="stable"), affordable, error)
