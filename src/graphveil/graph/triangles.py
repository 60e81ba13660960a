"""Exact triangle counts, for the curator's eyes: nothing here is private.

Every triangle u, v, w is found once, from the end that comes first in the order of (degree, number): mark the later
neighbours of u, then look each later neighbour of such a v up. The look-up adds its mark, 0 or 1, without asking:
a branch there is a coin flip for the processor and costs three times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.orient import oriented_rows
from graphveil.kernels import kernel


def exact_triangles(graph: Graph) -> int:
    """Number of triangles."""
    return int(exact_triangles_per_node(graph).sum()) // 3


def exact_triangles_per_node(graph: Graph) -> NDArray[np.int64]:
    """For every node, the number of triangles it is part of.

    >>> exact_triangles_per_node(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])).tolist()
    [1, 1, 1, 0]
    """
    if isinstance(graph, EdgeTable):
        return graph.triangles_per_node()
    counts: NDArray[np.int64] = _count_triangles(*oriented_rows(graph))
    return counts


@kernel
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
