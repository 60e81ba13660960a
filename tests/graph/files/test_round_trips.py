"""What is written is read back: people, labels, edges, and whether the people were declared."""

import re
import string

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph, read_with_report
from graphveil.graph.files.write import write_graph
from graphveil.graph.labels import integer_labels, text_labels

TEXT_FORMATS = [".txt", ".csv", ".tsv", ".edges", ".txt.gz", ".csv.zst"]
LISTING_FORMATS = [".graphml", ".gml", ".graphml.gz", ".gml.zst"]
BINARY_FORMATS = [".npz", ".parquet"]

plain = st.text(string.ascii_letters + string.digits + " ,;#%\"'&<>[]\\|:éß語😀\u2028\x85", min_size=1, max_size=8)
words = plain.filter(lambda name: name == name.strip(" "))
numbers_as_text = st.integers(0, 99).map(str)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
xml_text = anything.filter(lambda name: not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", name))
numbers = st.one_of(st.integers(0, 50), st.integers(0, 2**63 - 1))


@st.composite
def graphs(draw, names, *, in_order):
    labels = draw(st.lists(names, min_size=2, max_size=8, unique=True))
    labels = sorted(labels) if in_order else labels
    nodes = st.integers(0, len(labels) - 1)
    edges = draw(st.lists(st.tuples(nodes, nodes), max_size=12))
    declared = draw(st.booleans())
    array = text_labels(labels) if isinstance(labels[0], str) else integer_labels(np.array(labels, dtype=np.int64))
    graph = Graph.from_edges(
        edges, n_nodes=len(labels), labels=array, roster_declared=declared, named=draw(st.booleans())
    )
    return graph if graph.n_edges else Graph.from_edges([(0, 1)], n_nodes=len(labels), labels=array)


def assert_survives(graph, path):
    write_graph(graph, path)
    read, report = read_with_report(path)
    assert read == graph
    assert (read.roster_declared, read.named) == (graph.roster_declared, graph.named)
    assert (read.labels is None) == (graph.labels is None)
    assert read.labels is None or read.labels.dtype == graph.labels.dtype
    assert (report.self_loops, report.repeated_edges) == (0, 0)


EXAMPLES = min(60, settings().max_examples)
round_trip = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("suffix", TEXT_FORMATS)
@round_trip
@given(graph=graphs(numbers, in_order=True) | graphs(words, in_order=True) | graphs(numbers_as_text, in_order=True))
def test_edge_lists(tmp_path, suffix, graph):
    assert_survives(graph, tmp_path / f"graph{suffix}")


@pytest.mark.parametrize("suffix", LISTING_FORMATS)
@round_trip
@given(
    graph=graphs(numbers, in_order=False) | graphs(xml_text, in_order=False) | graphs(numbers_as_text, in_order=False)
)
def test_formats_that_list_nodes_keep_their_order(tmp_path, suffix, graph):
    assert_survives(graph, tmp_path / f"graph{suffix}")


@round_trip
@given(graph=graphs(numbers, in_order=False) | graphs(anything, in_order=False))
def test_npz_and_gml_keep_any_text(tmp_path, graph):
    assert_survives(graph, tmp_path / "graph.npz")
    assert_survives(graph, tmp_path / "graph.gml")


@round_trip
@given(graph=graphs(numbers, in_order=True) | graphs(anything, in_order=True) | graphs(numbers_as_text, in_order=True))
def test_parquet(tmp_path, graph):
    assert_survives(graph, tmp_path / "graph.parquet")


@pytest.mark.parametrize("suffix", TEXT_FORMATS + LISTING_FORMATS + BINARY_FORMATS)
def test_declared_people_without_any_edge(tmp_path, suffix):
    graph = Graph.from_edges([], n_nodes=3, labels=text_labels(["ann", "bob", "cem"]))
    assert_survives(graph, tmp_path / f"graph{suffix}")


@pytest.mark.parametrize("suffix", [".txt", ".parquet"])
def test_formats_of_edges_put_people_in_order_of_label(tmp_path, suffix):
    graph = Graph.from_edges([(0, 1)], n_nodes=3, labels=text_labels(["z", "b", "a"]))
    write_graph(graph, tmp_path / f"graph{suffix}")
    read = read_graph(tmp_path / f"graph{suffix}")
    assert read.labels.tolist() == ["a", "b", "z"]
    assert read.edges().tolist() == [[1, 2]]


def test_other_tools_see_a_plain_edge_list(tmp_path):
    graph = Graph.from_edges([(0, 1), (1, 2)], n_nodes=5)
    write_graph(graph, tmp_path / "graph.txt")
    lines = (tmp_path / "graph.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["0 1", "1 2"]


def test_a_copy_cut_short_is_noticed(tmp_path):
    graph = Graph.from_edges([(i, i + 1) for i in range(20)])
    whole = tmp_path / "graph.txt"
    write_graph(graph, whole)
    part = tmp_path / "part.txt"
    part.write_text("".join(whole.read_text().splitlines(keepends=True)[:-3]))
    with pytest.raises(GraphFormatError, match=r"part\.txt: it does not hold .* promises"):
        read_graph(part)
