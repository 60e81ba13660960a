"""Exact triangles by the groups of their corners, and how many of each kind one further edge could close; not private.

A kind is three groups a <= b <= c, and its place in a list follows from `kinds_of`.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import oriented_rows
from graphveil.kernels import kernel


def kinds_of(n_groups: int) -> list[tuple[int, int, int]]:
    """The three groups of every kind of triangle, in order."""
    return list(combinations_with_replacement(range(n_groups), 3))


def exact_group_triangles(graph: Graph, groups: Integers, n_groups: int) -> Integers:
    """How many triangles of each kind there are.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)])
    >>> exact_group_triangles(graph, np.array([0, 0, 1, 1]), 2).tolist()
    [0, 1, 1, 0]
    """
    table: Integers = _count_kinds(*oriented_rows(graph), groups, n_groups)
    counts = [sum(int(table[kind]) for kind in _orders(kind)) for kind in kinds_of(n_groups)]
    return np.array(counts, dtype=np.int64)


def most_common_by_group(graph: Graph, groups: Integers, n_groups: int) -> Integers:
    """The most triangles of each kind that one pair of people would close: their common neighbours in the third group.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)])
    >>> most_common_by_group(graph, np.array([0, 0, 1, 1]), 2).tolist()
    [0, 1, 1, 0]
    """
    table: Integers = _scan_common(graph.indptr, graph.indices, groups, n_groups)
    most = [max(int(table[kind]) for kind in _orders(kind)) for kind in kinds_of(n_groups)]
    return np.array(most, dtype=np.int64)


def _orders(kind: tuple[int, int, int]) -> set[tuple[int, int, int]]:
    a, b, c = kind
    return {(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)}


@kernel
def _count_kinds(indptr: Any, later: Any, groups: Any, n_groups: Any) -> Any:
    """Triangles by the groups of their corners, in the order in which these are met."""
    n_nodes = len(indptr) - 1
    table = np.zeros((n_groups, n_groups, n_groups), dtype=np.int64)
    marked = np.zeros(n_nodes, dtype=np.uint8)
    for u in range(n_nodes):
        for i in range(indptr[u], indptr[u + 1]):
            marked[later[i]] = 1
        for i in range(indptr[u], indptr[u + 1]):
            v = later[i]
            for j in range(indptr[v], indptr[v + 1]):
                table[groups[u], groups[v], groups[later[j]]] += np.int64(marked[later[j]])
        for i in range(indptr[u], indptr[u + 1]):
            marked[later[i]] = 0
    return table


@kernel
def _scan_common(indptr: Any, indices: Any, groups: Any, n_groups: Any) -> Any:
    """The most common neighbours in each group, over pairs, by the groups of the two and of the neighbours."""
    n_nodes = len(indptr) - 1
    table = np.zeros((n_groups, n_groups, n_groups), dtype=np.int64)
    common = np.zeros((n_nodes, n_groups), dtype=np.int32)
    for u in range(n_nodes):
        for i in range(indptr[u], indptr[u + 1]):
            w = indices[i]
            for j in range(indptr[w], indptr[w + 1]):
                common[indices[j], groups[w]] += 1
        for i in range(indptr[u], indptr[u + 1]):
            w = indices[i]
            c = groups[w]
            for j in range(indptr[w], indptr[w + 1]):
                v = indices[j]
                if v != u:
                    table[groups[u], groups[v], c] = max(table[groups[u], groups[v], c], np.int64(common[v, c]))
                common[v, c] = 0
    return table
