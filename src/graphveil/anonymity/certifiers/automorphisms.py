"""k-automorphism, checked: k - 1 maps of the graph onto itself that send everybody to k - 1 different others.

Definition (Zou, Chen and Özsu 2009): automorphisms F_1 … F_{k-1} with v, F_1(v), …, F_{k-1}(v) all different for every
person v. If one automorphism moves everybody in a cycle of at least k, its powers are such maps; that one map is what
an anonymised graph is published with, and checking it takes one pass over the edges.

Without a map, colour refinement rejects most graphs at once: people of different colours are on no common cycle. Else a
map is looked for, and a found one is checked like a published one. Only small graphs are searched exhaustively, so a
large regular graph may be left undecided; that is said, never guessed.
"""

from __future__ import annotations

import numpy as np

from graphveil.anonymity.certificate import Certificate, certificate_of_classes
from graphveil.anonymity.certifiers.cycles import cycles_of, long_cycled_automorphism
from graphveil.anonymity.certifiers.isomorphism import START, isomorphisms, keeps_edges, refine
from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

EXHAUSTIVE_UP_TO = 60
METHOD = "k-automorphism"


def certify_k_automorphism(graph: Graph, k: int, automorphism: Integers | None = None) -> Certificate:
    """Whether the graph is k-automorphic, by the given map if there is one.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> certify_k_automorphism(square, 4, np.array([1, 2, 3, 0])).holds
    True
    """
    if automorphism is not None:
        return _check_map(graph, k, np.asarray(automorphism), "exact: every edge mapped by the published automorphism")
    colours = colour_classes(graph)
    if graph.n_nodes == 0 or np.bincount(colours).min() < k:
        return _by_colours(graph, k, colours, METHOD)
    found = long_cycled_automorphism(graph, k)
    if found is not None:
        return _check_map(graph, k, found, "exact: every edge mapped by an automorphism that was found")
    if graph.n_nodes > EXHAUSTIVE_UP_TO:
        raise ParameterError(
            f"k-automorphism of {graph.n_nodes:,} people could not be decided; give the automorphism the graph was "
            "published with, or certify k-refinement, which is weaker"
        )
    return _search(graph, k)


def certify_k_refinement(graph: Graph, k: int) -> Certificate:
    """Whether everybody shares the stable colour of refinement with at least k - 1 others.

    This stops whoever counts friends, friends of friends by their numbers of friends, and so on (Hay et al. 2008); it
    is weaker than k-automorphism.
    """
    return _by_colours(graph, k, colour_classes(graph), "k-refinement")


def colour_classes(graph: Graph) -> Integers:
    """For every node the number of its stable colour."""
    colours = np.full(graph.n_nodes, START, dtype=np.uint64)
    refine(graph.indptr, graph.indices, colours)
    return np.unique(colours, return_inverse=True)[1].astype(np.int64)


def _by_colours(graph: Graph, k: int, colours: Integers, method: str) -> Certificate:
    return certificate_of_classes(
        graph,
        colours,
        method=method,
        k=k,
        shared="degree {degree} and everything else that colour refinement sees",
        basis="exact: colour refinement",
    )


def _check_map(graph: Graph, k: int, image: Integers, basis: str) -> Certificate:
    everybody = np.arange(graph.n_nodes)
    rows = (graph.indptr, graph.indices)
    if not np.array_equal(np.sort(image), everybody) or not keeps_edges(*rows, *rows, image):
        basis, image = "the given map is no automorphism of this graph", everybody
    return certificate_of_classes(
        graph,
        cycles_of(image),
        method=METHOD,
        k=k,
        shared="one cycle of the automorphism (degree {degree})",
        basis=basis,
    )


def _search(graph: Graph, k: int) -> Certificate:
    """Try all families of automorphisms of a small graph."""
    fixed = np.eye(graph.n_nodes, dtype=np.bool_)
    found = _family_exists((graph.indptr, graph.indices), k - 1, fixed)
    classes = np.zeros(graph.n_nodes, dtype=np.int64) if found else np.arange(graph.n_nodes)
    return certificate_of_classes(
        graph, classes, method=METHOD, k=k, shared="automorphisms found by search", basis="exact: exhaustive search"
    )


def _family_exists(rows: tuple[Integers, Integers], missing: int, taken: Bits) -> bool:
    """Whether so many more automorphisms exist that avoid the taken pairs and each other."""
    if missing == 0:
        return True
    for image in isomorphisms(rows, rows, taken):
        with_image = taken.copy()
        with_image[np.arange(len(image)), image] = True
        if _family_exists(rows, missing - 1, with_image):
            return True
    return False
