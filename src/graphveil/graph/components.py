"""Exact connected components; nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.kernels import kernel


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """`labels[u]` is the number of u's component; components are numbered by their first node."""

    labels: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def count(self) -> int:
        """Number of components."""
        return len(self.sizes)

    @property
    def largest(self) -> int:
        """Size of the largest component."""
        return int(self.sizes.max(initial=0))


def exact_components(graph: Graph) -> Components:
    """The connected components; a person without edges is one of their own.

    >>> exact_components(Graph.from_edges([(0, 2), (1, 3)], n_nodes=5)).labels.tolist()
    [0, 1, 0, 1, 2]
    """
    labels = _label_components(graph.indptr, graph.indices)
    return Components(labels, np.bincount(labels))


@kernel
def _label_components(indptr: Any, indices: Any) -> Any:
    n_nodes = len(indptr) - 1
    labels = np.full(n_nodes, -1, dtype=np.int64)
    queue = np.empty(n_nodes, dtype=np.int64)
    component = 0
    for root in range(n_nodes):
        if labels[root] >= 0:
            continue
        labels[root] = component
        queue[0] = root
        head, tail = 0, 1
        while head < tail:
            u = queue[head]
            head += 1
            for v in indices[indptr[u] : indptr[u + 1]]:
                if labels[v] < 0:
                    labels[v] = component
                    queue[tail] = v
                    tail += 1
        component += 1
    return labels
