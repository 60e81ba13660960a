"""Sums of degrees over neighbours and over edges; nothing here is private."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.kernels import kernel


def neighbour_degree_sums(graph: Graph) -> NDArray[np.int64]:
    """For every node, the sum of the degrees of its neighbours.

    >>> neighbour_degree_sums(Graph.from_edges([(0, 1), (0, 2)])).tolist()
    [2, 2, 2]
    """
    if isinstance(graph, EdgeTable):
        return graph.neighbour_degree_sums()
    sums: NDArray[np.int64] = _sum_rows(graph.indptr, graph.indices, graph.degrees)
    return sums


def exact_degree_products(graph: Graph) -> int:
    """The sum of d_u d_v over all edges uv."""
    totals = np.zeros(int(graph.degrees.max(initial=0)) + 1, dtype=np.int64)  # products may pass 2^63 together
    np.add.at(totals, graph.degrees, neighbour_degree_sums(graph))
    return sum(degree * total for degree, total in enumerate(totals.tolist())) // 2


def two_largest(values: NDArray[np.int64]) -> tuple[int, int]:
    """The two largest entries, 0 where there are none."""
    first, second = np.sort(np.append(values, [0, 0]))[:-3:-1]
    return int(first), int(second)


@kernel
def _sum_rows(indptr: Any, indices: Any, degrees: Any) -> Any:
    sums = np.zeros(len(degrees), dtype=np.int64)
    for u in range(len(degrees)):
        total = 0
        for k in range(indptr[u], indptr[u + 1]):
            total += degrees[indices[k]]
        sums[u] = total
    return sums
