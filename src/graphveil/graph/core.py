"""The one graph type: simple, undirected, immutable, in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import AnyArray, AnyIntegers, Integers
from graphveil.display.html import card
from graphveil.errors import ParameterError
from graphveil.graph.csr import edges_of_rows, rows_from_edges

EDGES_AT_ONCE = 2**18
SPARSE = 2**24  # so many nodes without edges are taken for a mistake
EdgeFunction = Callable[[Integers], Integers]
Extended = TypeVar("Extended", bound="Graph")


@dataclass(frozen=True, eq=False)
class Graph:
    """A simple undirected graph.

    Row u of the matrix, `indices[indptr[u]:indptr[u + 1]]`, lists the neighbours of node u in rising order.
    `labels[u]` is the persistent name of node u (integers or strings); without labels, nodes are named by
    their number. `named` says whether these names stay with people, as ids in a file or given labels do, or merely
    tell their position: then everybody after a person who leaves gets another one, and node privacy cannot hold.
    `roster_declared` says whether the set of people was given as such, or merely read off the edges: a person
    without edges is then missing, and a guarantee has to say so. `source` is the name of the file it was read from;
    `reading` says in one line what was read and left out, if it was read. `public` says that it was drawn from released
    numbers, so that it may be handed out.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 1), (2, 2)], n_nodes=4)
    >>> graph
    Graph(n_nodes=4, n_edges=2)
    >>> graph.degrees.tolist(), graph.neighbors(1).tolist()
    ([1, 2, 1, 0], [0, 2])
    """

    n_nodes: int
    indptr: AnyIntegers
    indices: AnyIntegers
    labels: AnyArray | None = None
    roster_declared: bool = field(default=True, kw_only=True)
    named: bool | None = field(default=None, kw_only=True)  # None: as labels are given or not
    source: str | None = field(default=None, kw_only=True)
    reading: object = field(default=None, kw_only=True)
    public: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.named is None:
            object.__setattr__(self, "named", self.labels is not None)
        if len(self.indptr) != self.n_nodes + 1:
            raise ParameterError(f"indptr has {len(self.indptr)} entries; {self.n_nodes} nodes need {self.n_nodes + 1}")
        if self.labels is not None and len(self.labels) != self.n_nodes:
            raise ParameterError(f"{len(self.labels)} labels were given for {self.n_nodes} nodes")
        self._check_rows()
        self._freeze()

    def _check_rows(self) -> None:
        """Kernels do not check bounds, so rows that point outside must not come in; symmetry is the maker's duty."""
        rows_fit = (
            self.indptr[0] == 0 and self.indptr[-1] == len(self.indices) and bool(np.all(np.diff(self.indptr) >= 0))
        )
        if not rows_fit:
            raise ParameterError(f"indptr must rise from 0 to the number of indices, {len(self.indices)}")
        if len(self.indices) and not 0 <= int(self.indices.min()) <= int(self.indices.max()) < self.n_nodes:
            raise ParameterError(
                f"indices name a node outside 0..{self.n_nodes - 1}; make graphs with Graph.from_edges"
            )

    def _freeze(self) -> None:
        for array in (self.indptr, self.indices, self.labels):
            if array is not None:
                array.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._freeze()  # numpy's arrays come out of a pickle or a copy writable

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike,
        *,
        n_nodes: int | None = None,
        labels: AnyArray | None = None,
        roster_declared: bool | None = None,
        named: bool | None = None,
    ) -> Graph:
        """Fold node pairs into a simple graph: direction, repeats and loops are dropped.

        People count as declared if `n_nodes` says how many there are, also without edges, or `roster_declared` says so.
        Without `labels` they are known by position, unless `named` states that the numbers are ids which stay.
        """
        pairs = np.asarray(edges)
        if pairs.size == 0:
            pairs = np.empty((0, 2), dtype=np.int64)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
            raise ParameterError(
                f"edges must be pairs of integers, not an array of shape {pairs.shape} {pairs.dtype}; pairs of names "
                "are for gv.as_graph"
            )
        listed = int(pairs.max()) + 1 if len(pairs) else 0
        if n_nodes is None and listed > 16 * len(pairs) + SPARSE:
            raise ParameterError(
                "edges number nodes from 0 on, and here nearly all numbers have no edge: ids are for gv.as_graph; if "
                "they are positions, say how many nodes there are (n_nodes=)"
            )
        n = listed if n_nodes is None else n_nodes
        if n < listed or (len(pairs) and int(pairs.min()) < 0):
            raise ParameterError(f"edges name a node outside 0..{n - 1}")
        indptr, indices = rows_from_edges(pairs[:, 0], pairs[:, 1], n)
        if roster_declared is None:
            roster_declared = n_nodes is not None
        return cls(n, indptr, indices, _distinct(labels), roster_declared=roster_declared, named=named)

    @property
    def n_edges(self) -> int:
        """The number of edges, each counted once; a row of the adjacency holds it twice."""
        return len(self.indices) // 2

    @cached_property
    def degrees(self) -> AnyIntegers:
        """The number of neighbours of every node, as an array that cannot be written to."""
        degrees = np.diff(self.indptr)
        degrees.setflags(write=False)
        return degrees

    def neighbors(self, node: int) -> AnyIntegers:
        """Neighbours of one node, in rising order."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def has_edge(self, u: int, v: int) -> bool:
        """Whether u and v are joined."""
        row = self.neighbors(u)
        position = int(np.searchsorted(row, v))
        return position < len(row) and int(row[position]) == v

    def edges(self) -> Integers:
        """All edges once, as an (m, 2) array with u < v, sorted."""
        return edges_of_rows(self.indptr, self.indices)

    def sum_over_edges(self, of_degrees: EdgeFunction) -> Integers:
        """A function of the degrees at both ends of edges, given as rows; that of some rows and others must add up."""
        edges = self.edges()
        parts = [edges[first : first + EDGES_AT_ONCE] for first in range(0, max(1, len(edges)), EDGES_AT_ONCE)]
        total = of_degrees(self.degrees[parts[0]].astype(np.int64))
        for part in parts[1:]:
            total += of_degrees(self.degrees[part].astype(np.int64))
        return total

    def label_of(self, node: int) -> Any:
        """Persistent name of a node."""
        return node if self.labels is None else self.labels[node]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.n_nodes == other.n_nodes
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and _same_labels(self, other)
        )

    def __hash__(self) -> int:
        return hash((self.n_nodes, self.n_edges))

    def _repr_html_(self) -> str:
        facts = [("people", f"{self.n_nodes:,}"), ("edges", f"{self.n_edges:,}")]
        facts += [("names", "names that stay" if self.named else "positions only; node privacy needs names")]
        facts += [("set of people", "declared" if self.roster_declared else "as the edges name them")]
        facts += [] if self.reading is None else [("read", str(self.reading))]
        return card("Synthetic graph" if self.public else "Graph (private: for the curator's eyes)", facts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n_nodes={self.n_nodes}, n_edges={self.n_edges})"


def extend(graph: Graph, kind: type[Extended], **ties: Any) -> Extended:
    """The graph as one of a kind that keeps more of its edges, such as their directions."""
    return kind(**{each.name: getattr(graph, each.name) for each in fields(Graph)} | ties)


def _distinct(labels: AnyArray | None) -> AnyArray | None:
    """Return an own copy of the labels, and refuse two people of one name."""
    if labels is None:
        return None
    own = np.array(labels)
    if len(np.unique(own)) < len(own):
        raise ParameterError("labels must be distinct: two people carry the same name")
    return own


def _same_labels(a: Graph, b: Graph) -> bool:
    if a.labels is None and b.labels is None:
        return True
    first = np.arange(a.n_nodes) if a.labels is None else a.labels
    second = np.arange(b.n_nodes) if b.labels is None else b.labels
    return bool(np.array_equal(first, second))
