"""Sums of degrees over neighbours and over edges; nothing here is private."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph


def neighbour_degree_sums(graph: Graph) -> NDArray[np.int64]:
    """For every node, the sum of the degrees of its neighbours.

    >>> neighbour_degree_sums(Graph.from_edges([(0, 1), (0, 2)])).tolist()
    [2, 2, 2]
    """
    sums = np.zeros(len(graph.indices) + 1, dtype=np.int64)
    np.cumsum(graph.degrees[graph.indices], out=sums[1:])
    return sums[graph.indptr[1:]] - sums[graph.indptr[:-1]]


def exact_degree_products(graph: Graph) -> int:
    """The sum of d_u d_v over all edges uv."""
    return int(graph.degrees.astype(np.int64) @ neighbour_degree_sums(graph)) // 2


def two_largest(values: NDArray[np.int64]) -> tuple[int, int]:
    """The two largest entries, 0 where there are none."""
    first, second = np.sort(np.append(values, [0, 0]))[:-3:-1]
    return int(first), int(second)
