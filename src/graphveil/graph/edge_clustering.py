"""What the common neighbours of every edge weigh, class by class and capped; nothing here is private.

A node of degree d belongs to class k[d] with weight low[d] and to the next class with weight high[d]; degrees beyond
the tables are read as their last entry. An edge collects these weights from the common neighbours of its ends; each
class of it counts up to a cap, and classes are added up over all edges. Each edge is handled from its end of larger
degree, whose row is marked, through the other, shorter row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.kernels import kernel

Whole = NDArray[np.int64]


def capped_class_sums(graph: Graph, k: Whole, low: Whole, high: Whole, caps: Whole) -> Whole:
    """For every class, the sum over edges of min(cap, weight of the common neighbours in the class)."""
    sums: Whole = _scan_edges(graph.indptr, graph.indices, k, low, high, caps)
    return sums


@kernel
def _scan_edges(indptr: Any, indices: Any, k: Any, low: Any, high: Any, caps: Any) -> Any:
    n_nodes = len(indptr) - 1
    marked = np.zeros(n_nodes, dtype=np.uint8)
    sums = np.zeros(len(caps), dtype=np.int64)
    weights = np.zeros(len(caps), dtype=np.int64)
    for x in range(n_nodes):
        row = indices[indptr[x] : indptr[x + 1]]
        for v in row:
            marked[v] = 1
        for y in row:
            degree = indptr[y + 1] - indptr[y]
            if degree > len(row) or (degree == len(row) and y > x):
                continue
            weights[:] = 0
            for i in range(indptr[y], indptr[y + 1]):
                v = indices[i]
                if marked[v]:
                    d = min(indptr[v + 1] - indptr[v], len(k) - 1)
                    weights[k[d]] += low[d]
                    weights[k[d] + 1] += high[d]
            for c in range(len(caps)):
                sums[c] += min(caps[c], weights[c])
        for v in row:
            marked[v] = 0
    return sums
