"""Graphs to and from other libraries."""

import sys

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.interop import from_igraph, from_networkx, from_scipy, to_igraph, to_networkx, to_scipy
from graphveil.graph.labels import integer_labels, text_labels


@st.composite
def graphs(draw):
    names = draw(st.one_of(st.none(), *(st.lists(kind, min_size=1, max_size=7, unique=True) for kind in KINDS)))
    n = draw(st.integers(1, 7)) if names is None else len(names)
    edges = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=15))
    return Graph.from_edges(edges, n_nodes=n, labels=None if names is None else _labels(names))


KINDS = (st.integers(0, 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"]), max_size=4))


def _labels(names):
    return text_labels(names) if isinstance(names[0], str) else integer_labels(np.array(names, dtype=np.int64))


@settings(deadline=None)
@given(graphs())
def test_there_and_back(graph):
    assert from_networkx(to_networkx(graph)) == graph
    assert from_igraph(to_igraph(graph)) == graph
    labels = None if graph.labels is None else graph.labels.tolist()
    assert from_scipy(to_scipy(graph), labels=labels) == graph


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_direction_repeats_and_loops_of_networkx_are_folded(kind):
    theirs = kind([("b", "a"), ("a", "b"), ("a", "b"), ("c", "c")])
    graph = from_networkx(theirs)
    assert graph == Graph.from_edges([(0, 1)], n_nodes=3, labels=text_labels(["b", "a", "c"]))


def test_direction_repeats_and_loops_of_igraph_are_folded():
    theirs = igraph.Graph(n=4, edges=[(1, 0), (0, 1), (0, 1), (2, 2)], directed=True)
    assert from_igraph(theirs) == Graph.from_edges([(0, 1)], n_nodes=4)


def test_stored_zeros_and_both_triangles_of_a_matrix():
    matrix = scipy.sparse.coo_array(([1.0, 0.0, 2.0], ([2, 0, 1], [0, 1, 1])), shape=(3, 3))
    assert from_scipy(matrix) == Graph.from_edges([(0, 2)], n_nodes=3)


def test_weights_that_are_left_out_are_told():
    weighted = nx.Graph([(0, 1, {"weight": 3}), (1, 2, {"weight": 2})])
    as_igraph, as_matrix = igraph.Graph.from_networkx(weighted), nx.to_scipy_sparse_array(weighted)
    for graph in (from_networkx(weighted), from_igraph(as_igraph), from_scipy(as_matrix)):
        assert "weights of edges were left out" in str(graph.reading)
    assert "weights" not in str(from_networkx(nx.path_graph(3)).reading)


def test_powers_of_the_matrix_count_walks():
    matrix = to_scipy(from_networkx(nx.complete_graph(4)))
    assert (matrix @ matrix @ matrix).diagonal().tolist() == [6, 6, 6, 6]


@pytest.mark.parametrize("names", [[(1, 2), (3, 4)], [1.5, 2.5], [True, 2]])
def test_names_of_other_kinds_are_refused(names):
    with pytest.raises(ParameterError, match="must be integers or text; rename the nodes"):
        from_networkx(nx.path_graph(names))


@pytest.mark.parametrize("name", [-1, 2**63, "ann"])
def test_one_name_that_is_no_plain_integer_makes_all_text(name):
    assert from_networkx(nx.path_graph([name, 5])).labels.tolist() == [str(name), "5"]
    with pytest.raises(ParameterError, match="two nodes have the same name"):
        from_networkx(nx.path_graph([name, 5, "5"]))


def test_names_given_twice_are_refused():
    theirs = igraph.Graph(n=2, edges=[(0, 1)])
    theirs.vs["name"] = ["a", "a"]
    with pytest.raises(ParameterError, match="two nodes have the same name"):
        from_igraph(theirs)


def test_matrices_that_are_not_square_are_refused():
    with pytest.raises(ParameterError, match="must be square, not 2 by 3"):
        from_scipy(scipy.sparse.csr_array((2, 3)))


@pytest.mark.parametrize(("package", "convert"), [("networkx", to_networkx), ("igraph", to_igraph)])
def test_a_missing_package_is_named_with_the_cure(monkeypatch, package, convert):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ParameterError, match=rf"{package} is not installed; pip install {package}"):
        convert(Graph.from_edges([(0, 1)]))
