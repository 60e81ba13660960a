"""The heaviest pair of nodes, where a pair weighs by its degrees and by those of its common neighbours; not private.

The weight of a pair is at most the sum over all neighbours of one of its nodes, plus what its two ends can weigh. Nodes
are taken in falling order of that sum, so the wedge pass ends with the first node that cannot beat the best pair found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.kernels import kernel

Weights = NDArray[np.int64]


def heaviest_pair(graph: Graph, end: Weights, common: Weights) -> int:
    """The largest end[p] + end[q] + (sum of common[d] over common neighbours) over pairs that have one; 0 without any.

    p and q are the degrees of the two without their own edge, d the degree of a common neighbour; weights are not
    negative.

    >>> flat = np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])
    >>> heaviest_pair(Graph.from_edges([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]), *flat)
    2
    """
    reach = _sum_over_neighbours(graph.indptr, graph.indices, common)
    return int(_scan_pairs(graph.indptr, graph.indices, np.argsort(-reach), reach, end, common))


@kernel
def _sum_over_neighbours(indptr: Any, indices: Any, common: Any) -> Any:
    sums = np.zeros(len(indptr) - 1, dtype=np.int64)
    for u in range(len(sums)):
        for k in range(indptr[u], indptr[u + 1]):
            w = indices[k]
            sums[u] += common[indptr[w + 1] - indptr[w]]
    return sums


@kernel
def _scan_pairs(indptr: Any, indices: Any, order: Any, reach: Any, end: Any, common: Any) -> Any:
    n_nodes = len(indptr) - 1
    weight = np.zeros(n_nodes, dtype=np.int64)
    friend = np.zeros(n_nodes, dtype=np.uint8)
    best = np.int64(0)
    heaviest_ends = 2 * end.max()
    for u in order:
        if reach[u] + heaviest_ends <= best:
            break
        row = indices[indptr[u] : indptr[u + 1]]
        for w in row:
            friend[w] = 1
            for k in range(indptr[w], indptr[w + 1]):
                weight[indices[k]] += common[indptr[w + 1] - indptr[w]]
        for w in row:
            for k in range(indptr[w], indptr[w + 1]):
                v = indices[k]
                if weight[v] > 0 and v != u:
                    ends = end[len(row) - friend[v]] + end[indptr[v + 1] - indptr[v] - friend[v]]
                    best = max(best, weight[v] + ends)
                weight[v] = 0
        for w in row:
            friend[w] = 0
    return best
