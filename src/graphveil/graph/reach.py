"""How many pairs of people are friends or have a common friend; nothing here is private."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.parallel import sum_over_parts
from graphveil.kernels import kernel

PART = 4096


def exact_close_pairs(graph: Graph) -> int:
    """Unordered pairs of nodes at distance 1 or 2, in a pass over all wedges.

    >>> exact_close_pairs(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    5
    """
    return int(count_within_two(graph, np.arange(graph.n_nodes)).sum()) // 2


def count_within_two(graph: Graph, sources: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of nodes at distance 1 or 2, summed over the sources, as an array with one entry."""
    total: NDArray[np.int64] = sum_over_parts(
        lambda part: _count_within_two(graph.indptr, graph.indices, part), sources, PART, None
    )
    return total


@kernel
def _count_within_two(indptr: Any, indices: Any, sources: Any) -> Any:
    seen_from = np.full(len(indptr) - 1, -1, dtype=np.int64)
    total = np.zeros(1, dtype=np.int64)
    for u in sources:
        seen_from[u] = u
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            if seen_from[v] != u:
                seen_from[v] = u
                total[0] += 1
            for j in range(indptr[v], indptr[v + 1]):
                w = indices[j]
                if seen_from[w] != u:
                    seen_from[w] = u
                    total[0] += 1
    return total
