"""Exact core numbers; nothing here is private.

The core number of a node is the largest k for which it lies in a subgraph of minimum degree k. Peeling nodes by rising
remaining degree, with nodes kept in buckets by that degree, takes O(n + m) (Batagelj and Zaversnik 2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.kernels import light_kernel


def exact_core_numbers(graph: Graph) -> Integers:
    """Core number of every node.

    >>> exact_core_numbers(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])).tolist()
    [2, 2, 2, 1]
    """
    cores: Integers = _peel(graph.indptr, graph.indices)
    return cores


def exact_degeneracy(graph: Graph) -> int:
    """The largest core number (0 without nodes)."""
    if isinstance(graph, EdgeTable):
        return graph.degeneracy()
    return int(exact_core_numbers(graph).max(initial=0))


@light_kernel
def _peel(indptr: Any, indices: Any) -> Any:
    """`order` holds the nodes by remaining degree, `place` where each one stands, `start` where each degree begins."""
    n_nodes = len(indptr) - 1
    remaining = indptr[1:] - indptr[:-1]
    start = np.zeros(n_nodes + 1, dtype=np.int64)
    for u in range(n_nodes):
        start[remaining[u] + 1] += 1
    for degree in range(n_nodes):
        start[degree + 1] += start[degree]
    order = np.empty(n_nodes, dtype=np.int64)
    place = np.empty(n_nodes, dtype=np.int64)
    filled = start.copy()
    for u in range(n_nodes):
        place[u] = filled[remaining[u]]
        order[place[u]] = u
        filled[remaining[u]] += 1
    for i in range(n_nodes):
        u = order[i]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if remaining[v] > remaining[u]:
                front = start[remaining[v]]
                swapped = order[front]
                order[front], order[place[v]] = v, swapped
                place[swapped], place[v] = place[v], front
                start[remaining[v]] += 1
                remaining[v] -= 1
    return remaining
