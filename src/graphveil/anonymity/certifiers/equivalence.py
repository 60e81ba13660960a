"""k-seed equivalence, checked: who has exactly the same friends as whom.

u and v are structurally equivalent (Lorrain and White 1971) if every third person is a friend of both or of neither:
N(u) - {v} = N(v) - {u}. This is an equivalence, and a class of several people is either without edges inside, all
rows alike, or a clique, all rows alike once each has its own node added. So two look-ups of whole rows find it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from graphveil.anonymity.certificate import Certificate, certificate_of_classes
from graphveil.arrays import Integers
from graphveil.graph.core import Graph


def certify_k_seed(graph: Graph, k: int) -> Certificate:
    """Whether everybody has at least k - 1 structural equivalents.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> certify_k_seed(square, 2).holds, certify_k_seed(square, 3).holds
    (True, False)
    """
    return certificate_of_classes(
        graph,
        equivalence_classes(graph),
        method="k-seed",
        k=k,
        shared="the same friends ({degree} of them)",
        basis="exact: all friend lists compared",
    )


def equivalence_classes(graph: Graph) -> Integers:
    """For every node the first node of its class of structural equivalents."""
    without = [graph.neighbors(u).tobytes() for u in range(graph.n_nodes)]
    within = [_with_self(graph, u) for u in range(graph.n_nodes)]
    cliques = Counter(within)
    first: dict[tuple[bool, bytes], int] = {}
    keys = [(True, own) if cliques[own] > 1 else (False, bare) for own, bare in zip(within, without, strict=True)]
    return np.array([first.setdefault(key, u) for u, key in enumerate(keys)], dtype=np.int64)


def _with_self(graph: Graph, node: int) -> bytes:
    row = graph.neighbors(node)
    return np.insert(row, int(np.searchsorted(row, node)), node).tobytes()
