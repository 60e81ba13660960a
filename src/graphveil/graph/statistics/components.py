"""Exact connected components; nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

FIRST_LOOKS = 2  # edges of each node


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """`labels[u]` is the number of u's component; components are numbered by their first node."""

    labels: Integers
    sizes: Integers

    @property
    def count(self) -> int:
        """The number of components; a node without edges is one."""
        return len(self.sizes)

    @property
    def largest(self) -> int:
        """Size of the largest component."""
        return int(self.sizes.max(initial=0))


def exact_components(graph: Graph) -> Components:
    """The connected components; a person without edges is one of their own.

    >>> exact_components(Graph.from_edges([(0, 2), (1, 3)], n_nodes=5)).labels.tolist()
    [0, 1, 0, 1, 2]
    """
    labels = _label_components(graph.indptr, graph.indices)
    return Components(labels, np.bincount(labels))


@kernel
def _label_components(indptr: Any, indices: Any) -> Any:
    """Trees of nodes, joined along edges; two edges a node join nearly everybody (Sutton, Ben-Nun, Barak 2018).

    The largest tree's own edges need no look then: each edge that leaves it is seen from its other end.
    """
    n_nodes = len(indptr) - 1
    parents = np.arange(n_nodes, dtype=np.int32)
    for u in range(n_nodes):
        for k in range(indptr[u], min(indptr[u] + FIRST_LOOKS, indptr[u + 1])):
            _join(parents, u, indices[k])
    sizes = np.zeros(n_nodes, dtype=np.int32)
    for u in range(n_nodes):
        sizes[_root(parents, u)] += 1
    largest = np.argmax(sizes) if n_nodes else 0
    for u in range(n_nodes):
        if _root(parents, u) != largest:
            for k in range(indptr[u] + FIRST_LOOKS, indptr[u + 1]):
                _join(parents, u, indices[k])
    return _numbered(parents)


@kernel
def _root(parents: Any, u: Any) -> Any:
    """The end of u's path, which is halved on the way."""
    while parents[u] != u:
        parents[u] = parents[parents[u]]
        u = parents[u]
    return u


@kernel
def _join(parents: Any, u: Any, v: Any) -> None:
    """The smaller of two roots is above the other, so that each component's root is its first node."""
    u, v = _root(parents, u), _root(parents, v)
    parents[max(u, v)] = min(u, v)


@kernel
def _numbered(parents: Any) -> Any:
    labels = np.empty(len(parents), dtype=np.int64)
    component = 0
    for u in range(len(parents)):
        root = _root(parents, u)
        if root == u:
            labels[u] = component
            component += 1
        else:
            labels[u] = labels[root]
    return labels
