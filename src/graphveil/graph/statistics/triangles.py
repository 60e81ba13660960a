"""Exact triangle counts, for the curator's eyes: nothing here is private.

Every triangle u, v, w is found once, from the end that comes first in the order of (degree, number): mark the later
neighbours of u, then look each later neighbour of such a v up. The look-up adds its mark, 0 or 1, without asking:
a branch there is a coin flip for the processor and costs three times as much.

Each edge once, from its end of lower degree to its end of higher degree.

With ties broken by node number this makes an acyclic graph in which no out-degree passes sqrt(2m), so all pairs of
out-edges together cost O(m^1.5): what every pass over triangles starts from (Latapy 2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.graph.core import Graph
from graphveil.graph.csr import bucket_by_lower_end
from graphveil.graph.edge_table import EdgeTable
from graphveil.kernels import light_kernel


def oriented_rows(graph: Graph) -> tuple[AnyIntegers, AnyIntegers]:
    """(indptr, indices) of the neighbours that follow each node in the order of (degree, number)."""
    return orient(graph.indptr, graph.indices)


def orient(indptr: AnyIntegers, indices: AnyIntegers) -> tuple[AnyIntegers, AnyIntegers]:
    """The same for rows that are given as such."""
    rows: tuple[AnyIntegers, AnyIntegers] = _orient(indptr, indices)
    return rows


@light_kernel
def _orient(indptr: Any, indices: Any) -> Any:
    n_nodes = len(indptr) - 1
    later_indptr = np.zeros(n_nodes + 1, dtype=np.int64)
    later = np.empty(len(indices) // 2, dtype=indices.dtype)
    write = 0
    for u in range(n_nodes):
        degree = indptr[u + 1] - indptr[u]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            other = indptr[v + 1] - indptr[v]
            if other > degree or (other == degree and v > u):
                later[write] = v
                write += 1
        later_indptr[u + 1] = write
    return later_indptr, later


def exact_triangles(graph: Graph) -> int:
    """The number of triangles: a third of the sum over nodes, since each has three corners."""
    return int(exact_triangles_per_node(graph).sum()) // 3


def exact_triangles_per_node(graph: Graph) -> Integers:
    """For every node, the number of triangles it is part of.

    >>> exact_triangles_per_node(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])).tolist()
    [1, 1, 1, 0]
    """
    if isinstance(graph, EdgeTable):
        return graph.triangles_per_node()
    counts: Integers = _count_triangles(*oriented_rows(graph))
    return counts


def triangles_of_edges(u: AnyIntegers, v: AnyIntegers, degrees: AnyIntegers) -> Integers:
    """The same for edges in any order, each once. Degrees may be any numbers that say which nodes come first.

    Nodes are numbered by degree, so that those that are met most often lie side by side.
    """
    rank = np.empty(len(degrees), dtype=np.int32)
    rank[np.argsort(degrees, kind="stable")] = np.arange(len(degrees), dtype=np.int32)
    counts: Integers = _count_triangles(*bucket_by_lower_end(rank[u], rank[v], len(degrees)))
    return counts[rank]


@light_kernel
def _count_triangles(indptr: Any, later: Any) -> Any:
    n_nodes = len(indptr) - 1
    triangles = np.zeros(n_nodes, dtype=np.int64)
    marked = np.zeros(n_nodes, dtype=np.uint8)
    for u in range(n_nodes):
        first, end = indptr[u], indptr[u + 1]
        if end - first < 2:
            continue
        for i in range(first, end):
            marked[later[i]] = 1
        of_u = np.int64(0)
        for i in range(first, end):
            v = later[i]
            of_v = np.int64(0)
            for j in range(indptr[v], indptr[v + 1]):
                hit = np.int64(marked[later[j]])
                of_v += hit
                triangles[later[j]] += hit
            triangles[v] += of_v
            of_u += of_v
        triangles[u] += of_u
        for i in range(first, end):
            marked[later[i]] = 0
    return triangles
