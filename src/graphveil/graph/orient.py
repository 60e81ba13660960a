"""Each edge once, from its end of lower degree to its end of higher degree.

With ties broken by node number this makes an acyclic graph in which no out-degree passes sqrt(2m), so all pairs of
out-edges together cost O(m^1.5): what every pass over triangles starts from (Latapy 2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.graph.core import Graph, IntArray
from graphveil.kernels import kernel


def oriented_rows(graph: Graph) -> tuple[IntArray, IntArray]:
    """(indptr, indices) of the neighbours that follow each node in the order of (degree, number)."""
    return orient(graph.indptr, graph.indices)


def orient(indptr: IntArray, indices: IntArray) -> tuple[IntArray, IntArray]:
    """The same for rows that are given as such."""
    rows: tuple[IntArray, IntArray] = _orient(indptr, indices)
    return rows


@kernel
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
