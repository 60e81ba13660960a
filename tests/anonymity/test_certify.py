"""Certifiers agree with the definitions, on graphs that nobody made for them."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import (
    any_graph,
    as_networkx,
    is_k_automorphic,
    smallest_degree_class,
    smallest_neighborhood_class,
    smallest_seed,
)

from graphveil.anonymity.certifiers.cycles import cycles_of, long_cycled_automorphism
from graphveil.anonymity.certifiers.isomorphism import DIFFERENT, isomorphisms, match
from graphveil.anonymity.certify import certify
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi

HEXAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)]
TWO_TRIANGLES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]


def all_graphs(n_nodes):
    pairs = list(combinations(range(n_nodes), 2))
    for bits in range(2 ** len(pairs)):
        yield Graph.from_edges([pair for i, pair in enumerate(pairs) if bits >> i & 1], n_nodes=n_nodes)


@given(any_graph())
def test_smallest_classes_are_those_of_the_definitions(graph):
    smallest = {
        "k-degree": smallest_degree_class(graph),
        "k-neighbourhood": smallest_neighborhood_class(graph),
        "k-seed": smallest_seed(graph),
    }
    for method, size in smallest.items():
        certificate = certify(graph, method=method, k=size)
        assert certificate.holds
        assert (certificate.worst_class.size, len(certificate.worst_class.members)) == (size, size)
        assert certificate.people_at_risk == 0
        beyond = certify(graph, method=method, k=size + 1)
        assert not beyond.holds
        assert beyond.people_at_risk >= size


def test_automorphism_is_decided_as_by_trying_all_permutations():
    for graph in all_graphs(4):
        for k in (2, 3, 4):
            assert certify(graph, method="k-automorphism", k=k).holds == is_k_automorphic(graph, k)


@settings(max_examples=25)
@given(any_graph(most=6), st.integers(2, 4))
def test_automorphism_is_decided_on_drawn_graphs(graph, k):
    assert certify(graph, method="k-automorphism", k=k).holds == is_k_automorphic(graph, k)


def test_neighbourhoods_that_colours_cannot_tell_apart_are_told_apart():
    """A hexagon and two triangles have equal colours. Three people over the one, one over the other: k = 2 fails."""
    edges = []
    for centre, inside in enumerate((HEXAGON, HEXAGON, HEXAGON, TWO_TRIANGLES)):
        edges += [(7 * centre + a, 7 * centre + b) for a, b in inside]
        edges += [(7 * centre + a, 7 * centre + 6) for a in range(6)]
    certificate = certify(Graph.from_edges(edges), method="k-neighbourhood", k=2)
    assert not certificate.holds
    assert certificate.worst_class.members == (27,)


@pytest.mark.parametrize("regular", ["hexagon", "petersen", "rook"])
def test_regular_graphs_are_matched_by_search(regular):
    graph = {
        "hexagon": nx.cycle_graph(6),
        "petersen": nx.petersen_graph(),
        "rook": nx.line_graph(nx.complete_bipartite_graph(4, 4)),
    }[regular]
    first = nx.convert_node_labels_to_integers(graph)
    shuffled = nx.relabel_nodes(first, dict(enumerate(np.random.default_rng(3).permutation(len(first)).tolist())))
    rows = [(g.indptr, g.indices) for g in (Graph.from_edges(list(h.edges), n_nodes=len(h)) for h in (first, shuffled))]
    image = next(isomorphisms(*rows))
    assert all(shuffled.has_edge(int(image[u]), int(image[v])) for u, v in first.edges)


def test_graphs_that_only_search_tells_apart():
    """The rook's graph and Shrikhande's have the same colours and the same parameters."""
    rook = nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))
    steps = ((0, 1), (1, 0), (1, 1))
    shrikhande = nx.Graph(
        (4 * a + b, 4 * ((a + x) % 4) + (b + y) % 4) for a in range(4) for b in range(4) for x, y in steps
    )
    rows = [(g.indptr, g.indices) for g in (Graph.from_edges(list(h.edges), n_nodes=16) for h in (rook, shrikhande))]
    assert match(*rows[0], *rows[1]) != DIFFERENT  # not decided by the quick comparison
    assert next(isomorphisms(*rows), None) is None


def test_a_published_automorphism_is_checked_and_not_believed():
    ring = Graph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    turn = np.roll(np.arange(6), -1)
    assert certify(ring, method="k-automorphism", k=6, automorphism=turn).holds
    assert not certify(ring, method="k-automorphism", k=7, automorphism=turn).holds
    for lie in (
        np.array([2, 3, 1, 5, 0, 4]),
        np.array([1, 0, 2, 3, 4, 5]),
        np.zeros(6, dtype=int),
        np.arange(7),
        np.array([1, 2, 3, 4, 5, 9]),
    ):
        assert not certify(ring, method="k-automorphism", k=2, automorphism=lie).holds


def test_an_automorphism_is_found_on_a_graph_too_large_to_search():
    """Five copies of a random graph, names shuffled: turning the copies is the only way."""
    one = erdos_renyi(60, m=150, seed=5).edges()
    edges = np.concatenate([one + 60 * copy for copy in range(5)])
    graph = Graph.from_edges(np.random.default_rng(0).permutation(300)[edges], n_nodes=300)
    image = long_cycled_automorphism(graph, 5)
    assert np.bincount(cycles_of(image))[cycles_of(image)].min() >= 5
    assert nx.utils.edges_equal(
        list(as_networkx(graph).edges), [(image[u], image[v]) for u, v in graph.edges().tolist()]
    )
    assert certify(graph, method="k-automorphism", k=5).holds
    assert certify(graph, method="k-automorphism", k=6).holds is False


def test_exchangeable_people_are_run_through_in_one_cycle():
    """Two complete bipartite graphs of 35 and 35: four sets of people with the same friends, exchanged in pairs."""
    sides = np.arange(140).reshape(4, 35)
    edges = [(u, v) for left, right in (sides[:2], sides[2:]) for u in left for v in right]
    assert certify(Graph.from_edges(edges), method="k-automorphism", k=70).holds


def test_certificates_name_people_by_their_labels():
    path = Graph.from_edges([(0, 1), (1, 2)], labels=np.array(["ann", "bob", "cem"], dtype=np.dtypes.StringDType()))
    document = certify(path, method="k-degree", k=2).to_json()
    assert document["worst_class"] == {"size": 1, "members": ["bob"], "shared": "degree 2"}
    assert (document["method"], document["k"], document["holds"], document["people_at_risk"]) == (
        "k-degree",
        2,
        False,
        1,
    )


def test_what_cannot_be_certified_is_refused():
    ring = Graph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    with pytest.raises(ParameterError, match="unknown notion"):
        certify(ring, method="k-anything", k=2)
    with pytest.raises(ParameterError, match="k is 0"):
        certify(ring, method="k-degree", k=0)


def test_nobody_is_vacuously_anonymous():
    nobody = Graph.from_edges([], n_nodes=0)
    for method in ("k-degree", "k-neighbourhood", "k-refinement", "k-automorphism", "k-seed"):
        assert certify(nobody, method=method, k=3).holds
