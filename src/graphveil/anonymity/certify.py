"""`certify`: is a graph anonymous in a given sense? Found from the graph alone, whoever made it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.certificate import Certificate
from graphveil.anonymity.certifiers.automorphisms import certify_k_automorphism, certify_k_refinement
from graphveil.anonymity.certifiers.degrees import certify_k_degree
from graphveil.anonymity.certifiers.neighborhoods import certify_k_neighborhood
from graphveil.anonymity.certifiers.twins import certify_k_seed
from graphveil.anonymity.claim import notion_named
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

CERTIFIERS = {
    "k-degree": certify_k_degree,
    "k-neighbourhood": certify_k_neighborhood,
    "k-refinement": certify_k_refinement,
    "k-automorphism": certify_k_automorphism,
    "k-seed": certify_k_seed,
}


def certify(graph: Graph, *, method: str, k: int, automorphism: NDArray[np.int64] | None = None) -> Certificate:
    """Check a graph for the notion of the method; `automorphism` is the published proof of k-automorphism, if any.

    >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> certify(ring, method="k-degree", k=4).holds, certify(ring, method="k-seed", k=4).holds
    (True, False)
    """
    if k < 1:
        raise ParameterError(f"k is {k}; give a whole number of at least 1")
    notion = notion_named(method)
    if notion == "k-automorphism":
        return certify_k_automorphism(graph, k, automorphism)
    return CERTIFIERS[notion](graph, k)
