"""The methods by name: which notion each one reaches, how it is made, and how large a graph it is practical for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from graphveil.anonymity.claim import OTHER_NAMES
from graphveil.anonymity.k_degree.k_degree import k_degree_edited, k_degree_rebuilt, k_degree_supergraph
from graphveil.anonymity.k_neighborhood import k_neighborhood_edges
from graphveil.anonymity.symmetry.k_automorphism import k_automorphism_edges
from graphveil.anonymity.symmetry.k_seed import k_seed_edges
from graphveil.arrays import Integers
from graphveil.errors import unknown_name
from graphveil.graph.core import Graph

Automorphism = Integers | None
Made = tuple[Integers, Automorphism]
WALKS = 10**11  # about ten minutes of two-step walks on one core


@dataclass(frozen=True, slots=True)
class Method:
    """How one method makes the new edges.

    `most_walks` is the largest number of walks of two steps, the sum of squared degrees, for which it is practical.
    """

    name: str
    notion: str
    make: Callable[[Graph, int, np.random.Generator], Made]
    summary: str
    most_walks: int | None = None

    def is_practical(self, graph: Graph) -> bool:
        """Whether the graph is small enough."""
        return self.most_walks is None or int((graph.degrees.astype(np.int64) ** 2).sum()) <= self.most_walks


def _edges_only(make: Callable[[Graph, int, np.random.Generator], Integers]) -> Callable[..., Made]:
    return lambda graph, k, rng: (make(graph, k, rng), None)


METHODS = {
    method.name: method
    for method in (
        Method("k-degree", "k-degree", _edges_only(k_degree_edited), "few edge changes; keeps almost all edges"),
        Method(
            "k-degree-supergraph", "k-degree", _edges_only(k_degree_supergraph), "only adds edges (Liu and Terzi 2008)"
        ),
        Method("k-degree-rebuilt", "k-degree", _edges_only(k_degree_rebuilt), "a random graph with anonymous degrees"),
        Method("k-neighbourhood", "k-neighbourhood", k_neighborhood_edges, "cuts rare neighbourhoods apart", WALKS),
        Method("k-automorphism", "k-automorphism", k_automorphism_edges, "turns rows of k alike people as one", WALKS),
        Method("k-seed", "k-seed", _edges_only(k_seed_edges), "k people have exactly the same friends", WALKS),
    )
}


def method_named(name: str) -> Method:
    """The method of that name, or of one of its other names."""
    method = METHODS.get(OTHER_NAMES.get(name, name))
    if method is None:
        raise unknown_name("method", name, METHODS)
    return method
