"""The public order of edges depends on names only: nobody's leaving moves anybody else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_graphs import graphs, labelled

from graphveil.graph import order
from graphveil.graph.core import Graph
from graphveil.graph.order import edge_order, label_keys


def ordered_names(graph, number=0):
    edges = graph.edges()
    return [frozenset(map(graph.label_of, edges[e].tolist())) for e in edge_order(graph, edges, number)]


def without(graph, node):
    """The graph on everybody else, renumbered, with their labels."""
    kept = np.delete(np.arange(graph.n_nodes), node)
    edges = [(u, v) for u, v in graph.edges().tolist() if node not in (u, v)]
    return labelled([(graph.label_of(u), graph.label_of(v)) for u, v in edges], graph.labels[kept].tolist())


def named(graph, seed, *, text):
    labels = np.random.default_rng(seed).choice(10**6, graph.n_nodes, replace=False)
    labels = np.array([f"person {label}" for label in labels]) if text else labels
    return Graph(graph.n_nodes, graph.indptr, graph.indices, labels)


@given(graphs(), st.integers(0, 99), st.booleans(), st.integers(0, 3))
def test_removing_a_node_leaves_the_order_of_all_other_edges(graph, seed, text, number):
    graph = named(graph, seed, text=text)
    before = ordered_names(graph, number)
    for node in range(graph.n_nodes):
        gone = graph.label_of(node)
        assert ordered_names(without(graph, node), number) == [edge for edge in before if gone not in edge]


@given(graphs(), st.integers(0, 99))
def test_the_order_does_not_depend_on_node_numbers(graph, seed):
    graph = named(graph, seed, text=False)
    shuffled = np.random.default_rng(seed).permutation(np.array(graph.labels)).tolist()
    names = [tuple(map(graph.label_of, edge)) for edge in graph.edges().tolist()]
    assert ordered_names(labelled(names, shuffled)) == ordered_names(graph)


def test_equal_keys_are_ordered_by_name(monkeypatch):
    monkeypatch.setattr(order, "edge_keys", lambda graph, edges, number: np.zeros(len(edges), dtype=np.uint64))
    graph = labelled([(9, 3), (3, 5), (5, 9), (4, 9)], [9, 5, 4, 3])
    expected = [frozenset(pair) for pair in ((3, 5), (3, 9), (4, 9), (5, 9))]
    assert ordered_names(graph) == expected
    assert ordered_names(labelled([(9, 4), (5, 3), (9, 5)], [5, 3, 4, 9])) == [expected[0], *expected[2:]]


def test_a_whole_number_has_one_key_as_number_and_as_text():
    for numbers in ([0, 1, -5, 2**62], [10**18, 3]):
        as_text = np.array([str(number) for number in numbers])
        assert label_keys(nobody(numbers)).tolist() == label_keys(nobody(as_text)).tolist()
    distinct = np.array(
        ["7", "07", "+7", "seven", " 7", "-7", "-07", "--7", "٧", "7.0", "7" * 5000, "-0", "0", str(2**64 - 7)]
    )
    assert len(set(label_keys(nobody(distinct)).tolist())) == len(distinct)


def test_the_only_textual_name_may_leave():
    edges = [(i, j) for i in range(8) for j in range(i)]
    numbers = labelled(edges, list(range(8)))
    texts = labelled([(str(i), str(j)) for i, j in edges], [*(str(i) for i in range(8)), "ann"])
    as_numbers = [frozenset(map(int, edge)) for edge in ordered_names(texts)]
    assert as_numbers == ordered_names(numbers)


def nobody(labels):
    return Graph.from_edges([], n_nodes=len(labels), labels=np.asarray(labels))


def test_order_numbers_name_unrelated_orders():
    edges = np.stack(np.triu_indices(40, 1), axis=1)
    graph = Graph.from_edges(edges)
    ranks = [np.argsort(edge_order(graph, graph.edges(), number)) for number in (0, 1, 2**63, -1)]
    correlations = np.corrcoef(ranks) - np.eye(len(ranks))
    assert np.abs(correlations).max() < 0.2


@pytest.mark.parametrize("labels", [None, np.array([], dtype=np.int64), np.array([], dtype="U1")])
def test_an_empty_graph_has_an_empty_order(labels):
    graph = Graph.from_edges([], n_nodes=0, labels=labels)
    assert edge_order(graph, graph.edges()).tolist() == []
