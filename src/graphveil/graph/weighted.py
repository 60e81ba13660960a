"""A graph whose edges have weights: whole numbers such as the number of messages between two people."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import AnyArray, AnyIntegers, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph, extend

HEAVIEST = 2**40  # weights above it are cut: sums of all weights stay within 64 bits


@dataclass(frozen=True, eq=False, repr=False)
class WeightedGraph(Graph):
    """A simple undirected graph with a weight for each edge, in the order of `edges()`.

    >>> graph = WeightedGraph.from_ties([(0, 1), (1, 0), (1, 2)], [3, 4, 5])
    >>> graph.edges().tolist(), graph.weights.tolist()
    ([[0, 1], [1, 2]], [7, 5])
    """

    weights: Integers = field(kw_only=True)

    def __post_init__(self) -> None:
        Graph.__post_init__(self)
        if len(self.weights) != self.n_edges or (len(self.weights) and int(self.weights.min()) < 0):
            raise ParameterError(f"{len(self.weights)} weights were given for {self.n_edges} edges; each is 0 or more")
        self.weights.setflags(write=False)

    @classmethod
    def from_ties(
        cls,
        pairs: ArrayLike,
        weights: ArrayLike,
        *,
        n_nodes: int | None = None,
        labels: AnyArray | None = None,
        roster_declared: bool | None = None,
        named: bool | None = None,
        source: str | None = None,
    ) -> WeightedGraph:
        """A weighted graph of pairs, in either direction; the weights of a pair that is listed again add up."""
        ends = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
        given = np.minimum(np.asarray(weights, dtype=np.int64), HEAVIEST)
        if len(given) != len(ends):
            raise ParameterError(f"{len(given)} weights were given for {len(ends)} pairs")
        graph = Graph.from_edges(ends, n_nodes=n_nodes, labels=labels, roster_declared=roster_declared, named=named)
        proper = ends[:, 0] != ends[:, 1]
        _, place = np.unique(ends[proper], axis=0, return_inverse=True)
        total = np.zeros(graph.n_edges, dtype=np.int64)
        np.add.at(total, place.ravel(), given[proper])
        return extend(graph, cls, source=source, weights=np.minimum(total, HEAVIEST))

    def __eq__(self, other: object) -> bool:
        same = Graph.__eq__(self, other)
        return same and np.array_equal(self.weights, other.weights) if isinstance(other, WeightedGraph) else same

    __hash__ = Graph.__hash__

    def strengths(self, max_weight: int = HEAVIEST) -> Integers:
        """What everybody's edges weigh together, each edge at most `max_weight`."""
        ends, cut = self.edges(), np.minimum(self.weights, max_weight)
        total = np.zeros(self.n_nodes, dtype=np.int64)
        np.add.at(total, ends[:, 0], cut)
        np.add.at(total, ends[:, 1], cut)
        return total

    def renumbered(self, number: AnyIntegers, labels: AnyArray) -> WeightedGraph:
        """The same people in another order: node u becomes node `number[u]`, and `labels` are the names in it."""
        return WeightedGraph.from_ties(
            number[self.edges()],
            self.weights,
            n_nodes=self.n_nodes,
            labels=labels,
            roster_declared=self.roster_declared,
            named=self.named,
            source=self.source,
        )


def with_weights(graph: Graph) -> WeightedGraph:
    """The graph with weight 1 on every edge; one that has weights as it is.

    Releases never do this: they refuse a graph without weights.
    """
    if isinstance(graph, WeightedGraph):
        return graph
    return extend(graph, WeightedGraph, weights=np.ones(graph.n_edges, dtype=np.int64))
