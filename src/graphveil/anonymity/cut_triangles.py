"""Cut all triangles that certain people are in, by few edges: always the edge that is in most of them.

Edges wait at the level of the triangles they were last seen in. A level is served from the top; an edge that is in
fewer triangles by then waits at its new level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.edge_edits import edge_table, edges_in
from graphveil.graph.core import Graph
from graphveil.graph.pair_set import discard_pair, has_pair
from graphveil.kernels import kernel


def cut_triangles(graph: Graph, of_whom: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The edges left when nobody of those marked is in a triangle any more."""
    edges = graph.edges()
    table = edge_table(edges, 0)
    _cut(table, graph.indptr, graph.indices, edges, of_whom)
    return edges_in(table)


@kernel
def _cut(table: Any, indptr: Any, indices: Any, edges: Any, of_whom: Any) -> None:
    level_of = np.empty(len(edges), dtype=np.int64)
    for e in range(len(edges)):
        level_of[e] = _count_triangles(table, indptr, indices, edges[e, 0], edges[e, 1], of_whom)
    top = level_of.max() if len(edges) else 0
    for level in range(top, 0, -1):
        for e in range(len(edges)):
            if level_of[e] == level:
                u, v = edges[e]
                level_of[e] = _count_triangles(table, indptr, indices, u, v, of_whom)
                if level_of[e] == level:
                    discard_pair(table, u, v)
                    level_of[e] = 0


@kernel
def _count_triangles(table: Any, indptr: Any, indices: Any, u: Any, v: Any, of_whom: Any) -> Any:
    """Triangles on the edge uv with a marked person."""
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    marked = of_whom[u] or of_whom[v]
    count = 0
    for i in range(indptr[u], indptr[u + 1]):
        w = indices[i]
        if (marked or of_whom[w]) and has_pair(table, v, w) and has_pair(table, u, w):
            count += 1
    return count
