"""Neighbouring graphs differ in exactly one edge or one person, and every kind of change is tried."""

import numpy as np
import pytest

from graphveil.audit.engine.pairs import as_pair, edge_toggles, node_removals, remove_node, seed_graphs, toggle_edge
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph


def edge_set(graph):
    return {tuple(edge) for edge in graph.edges().tolist()}


def test_toggles_differ_in_one_edge():
    for pair in edge_toggles(seed_graphs()):
        assert pair.first.n_nodes == pair.second.n_nodes
        assert len(edge_set(pair.first) ^ edge_set(pair.second)) == 1


def test_all_kinds_of_edges_are_toggled():
    graph = seed_graphs()["two stars"]
    words = [pair.words for pair in edge_toggles({"two stars": graph})]
    assert len(words) == 5  # hub-hub, hub-own leaf, hub-other leaf, leaf-leaf of one star, of both
    assert "two stars, edge 0-1 there or not" in words


def test_removing_a_person_keeps_the_names_of_the_others():
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)], labels=np.array(["a", "b", "c", "d"]))
    smaller = remove_node(graph, 1)
    assert smaller.labels.tolist() == ["a", "c", "d"]
    assert edge_set(smaller) == {(1, 2)}
    assert remove_node(Graph.from_edges([(0, 1), (1, 2)]), 0).labels.tolist() == [1, 2]
    for pair in node_removals(seed_graphs()):
        assert pair.first.n_nodes == pair.second.n_nodes + 1


def test_toggling_twice_gives_the_graph_back():
    graph = seed_graphs()["a clique with a tail"]
    assert toggle_edge(toggle_edge(graph, 0, 7), 0, 7) == graph
    assert toggle_edge(toggle_edge(graph, 0, 1), 0, 1) == graph


def test_a_pair_of_one_input_tests_nothing_and_is_refused():
    with pytest.raises(ParameterError, match="two inputs that differ"):
        as_pair((41, 41))
