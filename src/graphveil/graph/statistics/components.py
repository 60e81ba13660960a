"""Exact connected components; nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.kernels import light_kernel

FIRST_LOOKS = 2  # edges of each node, at most
ENOUGH = 0.5  # of the nodes looked up in one tree: a further first look costs more than it saves
SAMPLE = 1024  # nodes


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
    if isinstance(graph, EdgeTable):
        return Components(*_numbered(graph.component_trees()))
    return Components(*_numbered(_grow_trees(graph.indptr, graph.indices)))


def join_trees(parents: Integers, u: AnyIntegers, v: AnyIntegers) -> Bits:
    """Join trees of nodes along edges; returns which of these edges joined two.

    Each node points to another one of its tree; a root points to itself and is the first node of its tree.

    >>> parents = np.arange(4)
    >>> join_trees(parents, np.array([0, 1, 0]), np.array([1, 2, 2])).tolist(), parents.tolist()
    ([True, True, False], [0, 0, 0, 3])
    """
    joined: Bits = _join_along(parents, u, v)
    return joined


@light_kernel
def _join_along(parents: Any, u: Any, v: Any) -> Any:
    joined = np.empty(len(u), dtype=np.bool_)
    for e in range(len(u)):
        joined[e] = _join(parents, u[e], v[e])
    return joined


@light_kernel
def _grow_trees(indptr: Any, indices: Any) -> Any:
    """Trees of nodes, joined along edges; one or two edges a node join nearly everybody (Sutton, Ben-Nun, Barak 2018).

    The largest tree's own edges need no look then: each edge that leaves it is seen from its other end. Which tree is
    largest is a guess from some nodes; any tree will do.
    """
    n_nodes = len(indptr) - 1
    parents = np.arange(n_nodes).astype(np.uint32)
    largest, share, looks = np.uint32(0), 0.0, 0
    while looks < FIRST_LOOKS and share < ENOUGH:
        for u in range(n_nodes):
            if indptr[u] + looks < indptr[u + 1]:
                _join(parents, u, indices[indptr[u] + looks])
        largest, share = _common_root(parents)
        looks += 1
    for u in range(n_nodes):
        if _root(parents, u) != largest:
            for k in range(indptr[u] + looks, indptr[u + 1]):
                _join(parents, u, indices[k])
    return parents


@light_kernel
def _common_root(parents: Any) -> Any:
    """The root that most of some nodes have, and their share."""
    step = max(1, len(parents) // SAMPLE)
    roots = np.empty((len(parents) + step - 1) // step, dtype=np.uint32)
    for i in range(len(roots)):
        roots[i] = _root(parents, i * step)
    roots.sort()
    largest, most, run = np.uint32(0), 0, 0
    for i in range(len(roots)):
        run = run + 1 if i and roots[i] == roots[i - 1] else 1
        if run > most:
            largest, most = roots[i], run
    return largest, most / max(1, len(roots))


@light_kernel
def _root(parents: Any, u: Any) -> Any:
    """The end of u's path, which is halved on the way; nodes are unsigned, so that no index is asked for its sign."""
    u = np.uint32(u)
    parent = np.uint32(parents[u])
    while parent != u:
        parents[u] = parents[parent]
        u = np.uint32(parents[parent])
        parent = np.uint32(parents[u])
    return u


@light_kernel
def _join(parents: Any, u: Any, v: Any) -> Any:
    """Whether there were two trees; the smaller root is above the other, so that it is its tree's first node."""
    u, v = _root(parents, u), _root(parents, v)
    parents[max(u, v)] = min(u, v)
    return u != v


@light_kernel
def _numbered(parents: Any) -> Any:
    """The component of every node, and the size of every component."""
    labels = np.empty(len(parents), dtype=np.int64)
    sizes = np.zeros(len(parents), dtype=np.int64)
    count = 0
    for u in range(len(parents)):
        root = _root(parents, u)
        if root == u:
            labels[u] = count
            count += 1
        else:
            labels[u] = labels[root]
        sizes[labels[u]] += 1
    return labels, sizes[:count].copy()
