"""`certify`: is a graph anonymous in a given sense? Found from the graph alone, whoever made it."""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.certificate import Certificate, certificate_of_classes
from graphveil.anonymity.certifiers.automorphisms import certify_k_automorphism, certify_k_refinement
from graphveil.anonymity.certifiers.equivalence import certify_k_seed
from graphveil.anonymity.certifiers.neighborhoods import certify_k_neighborhood
from graphveil.anonymity.claim import notion_named
from graphveil.arrays import Integers
from graphveil.errors import ParameterError
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


CERTIFIERS = {
    "k-degree": certify_k_degree,
    "k-neighbourhood": certify_k_neighborhood,
    "k-refinement": certify_k_refinement,
    "k-automorphism": certify_k_automorphism,
    "k-seed": certify_k_seed,
}


def certify(graph: Graph, *, method: str, k: int, automorphism: Integers | None = None) -> Certificate:
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
