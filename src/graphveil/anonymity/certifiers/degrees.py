"""k-degree anonymity, checked: how many people have each degree."""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.certificate import Certificate, certificate_of_classes
from graphveil.graph.core import Graph


def certify_k_degree(graph: Graph, k: int) -> Certificate:
    """Whether at least k people have each degree that occurs.

    >>> certify_k_degree(Graph.from_edges([(0, 1), (1, 2)]), 2).worst_class
    WorstClass(size=1, members=(1,), shared='degree 2')
    """
    degrees = graph.degrees.astype(np.int64)
    return certificate_of_classes(
        graph, degrees, method="k-degree", k=k, shared="degree {degree}", basis="exact: all degrees counted"
    )
