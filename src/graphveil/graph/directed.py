"""A graph that keeps the directions of its edges.

It is the folded graph, in which two people are joined if either points at the other, together with the list of arcs: u
follows v. Whatever reads edges alone works on it as on any graph, and sees the fold. What needs directions asks
`arcs_of`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import AnyArray, AnyIntegers, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph, extend
from graphveil.graph.csr import rows_from_edges


@dataclass(frozen=True, eq=False, repr=False)
class DirectedGraph(Graph):
    """A simple graph with directions: `arcs` lists every pair (u, v) of which u points at v, once, sorted.

    >>> graph = DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2), (2, 2)])
    >>> graph.n_edges, len(graph.arcs), graph.out_degrees.tolist(), graph.in_degrees.tolist()
    (2, 3, [1, 2, 0], [1, 1, 1])
    """

    arcs: Integers = field(kw_only=True)

    def __post_init__(self) -> None:
        Graph.__post_init__(self)
        folded = np.unique(np.sort(self.arcs, axis=1), axis=0) if len(self.arcs) else self.arcs
        if len(folded) != self.n_edges:
            raise ParameterError("the arcs are not those of the graph; make directed graphs with from_arcs")
        self.arcs.setflags(write=False)

    @classmethod
    def from_arcs(
        cls,
        arcs: ArrayLike,
        *,
        n_nodes: int | None = None,
        labels: AnyArray | None = None,
        roster_declared: bool | None = None,
        named: bool | None = None,
        source: str | None = None,
    ) -> DirectedGraph:
        """A directed graph of pairs (u, v): u points at v. Repeats and loops are dropped."""
        try:
            pairs = np.asarray(arcs, dtype=np.int64).reshape(-1, 2)
        except (TypeError, ValueError):
            raise ParameterError(
                "arcs are pairs of positions, whole numbers from 0 on; for pairs of names give gv.as_graph(pairs, "
                "directed=True)"
            ) from None
        folded = Graph.from_edges(pairs, n_nodes=n_nodes, labels=labels, roster_declared=roster_declared, named=named)
        kept = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
        return extend(folded, cls, source=source, arcs=kept)

    def __eq__(self, other: object) -> bool:
        same = Graph.__eq__(self, other)
        return same and np.array_equal(self.arcs, other.arcs) if isinstance(other, DirectedGraph) else same

    __hash__ = Graph.__hash__

    @property
    def out_degrees(self) -> Integers:
        """How many people each person points at."""
        return np.bincount(self.arcs[:, 0], minlength=self.n_nodes)

    @property
    def in_degrees(self) -> Integers:
        """How many people point at each person."""
        return np.bincount(self.arcs[:, 1], minlength=self.n_nodes)

    @property
    def mutual(self) -> Graph:
        """The graph of the pairs who point at each other."""
        codes = self.arcs[:, 0] * self.n_nodes + self.arcs[:, 1]
        back = self.arcs[:, 1] * self.n_nodes + self.arcs[:, 0]
        both = self.arcs[np.isin(codes, back)]
        indptr, indices = rows_from_edges(both[:, 0], both[:, 1], self.n_nodes)
        return Graph(self.n_nodes, indptr, indices, self.labels, roster_declared=self.roster_declared)

    def renumbered(self, number: AnyIntegers, labels: AnyArray) -> DirectedGraph:
        """The same people in another order: node u becomes node `number[u]`, and `labels` are the names in it."""
        return DirectedGraph.from_arcs(
            number[self.arcs],
            n_nodes=self.n_nodes,
            labels=labels,
            roster_declared=self.roster_declared,
            named=self.named,
            source=self.source,
        )


def oriented(graph: Graph) -> DirectedGraph:
    """The graph with every edge pointing from the earlier person to the later; one that has directions as it is.

    One edge more or less is one arc more or less. Releases never do this: they refuse a graph without directions.
    """
    if isinstance(graph, DirectedGraph):
        return graph
    return extend(graph, DirectedGraph, arcs=graph.edges().astype(np.int64))
