"""Files that other tools wrote, and ours as other tools read them."""

import igraph
import networkx as nx
import numpy as np
import polars as pl
import pytest
import scipy.sparse

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph, read_with_report
from graphveil.graph.files.write import write_graph
from graphveil.graph.interop import from_igraph, from_networkx
from graphveil.graph.labels import text_labels

NAMED = Graph.from_edges([(0, 1), (1, 2)], n_nodes=4, labels=text_labels(["ann", 'b "q" & <c>', "é 語", "zed"]))


@pytest.mark.parametrize(
    ("write", "name"),
    [(nx.write_graphml, "graph.graphml"), (nx.write_gml, "graph.gml"), (nx.write_gml, "graph.gml.gz")],
)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("names", [["ann", "é <&> b", "cem", "dee"], [3, 1, 2, 7]])
def test_files_of_networkx(tmp_path, write, name, kind, names):
    theirs = kind()
    theirs.add_nodes_from(names, colour="red", size=1.5)
    theirs.add_edge(names[0], names[1], weight=2.0)
    theirs.add_edge(names[1], names[0])
    theirs.add_edge(names[2], names[2])
    write(theirs, tmp_path / name)
    graph, report = read_with_report(tmp_path / name)
    assert graph == from_networkx(theirs)
    assert graph.named
    assert not graph.roster_declared
    assert read_graph(tmp_path / name, people=names).roster_declared
    assert report.self_loops == 1


def test_multigraphs_of_networkx(tmp_path):
    theirs = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "a")])
    nx.write_graphml(theirs, tmp_path / "graph.graphml")
    assert read_with_report(tmp_path / "graph.graphml").report.repeated_edges == 2


def test_files_of_igraph(tmp_path):
    theirs = igraph.Graph(n=4, edges=[(0, 1), (1, 2)], directed=True)
    theirs.write_graphml(str(tmp_path / "graph.graphml"))
    theirs.write_gml(str(tmp_path / "graph.gml"))
    assert read_graph(tmp_path / "graph.graphml").labels.tolist() == ["n0", "n1", "n2", "n3"]
    assert read_graph(tmp_path / "graph.gml") == from_igraph(theirs)
    assert not read_graph(tmp_path / "graph.graphml").named
    assert not read_graph(tmp_path / "graph.gml").named


def test_igraph_keeps_names_in_an_attribute(tmp_path):
    theirs = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
    theirs.vs["name"] = ["zoe", "ann & é", "bob"]
    theirs.vs["colour"] = ["red", "red", "blue"]
    theirs.es["name"] = ["first", "second"]
    theirs.write_graphml(str(tmp_path / "graph.graphml"))
    assert read_graph(tmp_path / "graph.graphml") == from_igraph(theirs)
    assert read_graph(tmp_path / "graph.graphml").named
    theirs.vs["name"] = ["zoe", "ann", "bob"]
    theirs.write_gml(str(tmp_path / "graph.gml"))
    assert read_graph(tmp_path / "graph.gml") == from_igraph(theirs)
    assert read_graph(tmp_path / "graph.gml").named


NODES = (
    '<graphml><key id="k" for="node" attr.name="name"/>'
    '<graph><node id="a">{}</node><node id="b">{}</node></graph></graphml>'
)


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        ('<data key="k">ann</data>', '<data key="k">ann</data>', "two nodes have the same name"),
        ('<data key="k">ann</data>', "", "this node has no name though others have one"),
        ('<data key="k"> </data>', '<data key="k">ann</data>', "this node has no name"),
    ],
)
def test_names_in_graphml_are_there_for_all_and_distinct(tmp_path, first, second, fault):
    """Falling back on ids would rename everybody as soon as one of the two leaves."""
    file = tmp_path / "graph.graphml"
    file.write_text(NODES.format(first, second))
    with pytest.raises(GraphFormatError, match=rf"graph\.graphml, line 1: {fault}"):
        read_graph(file)


def test_a_label_goes_before_a_name_in_gml(tmp_path):
    file = tmp_path / "graph.gml"
    file.write_text('graph [ node [ id 1 label "x" name "n" ] node [ id 2 label "y" name "n" ] ]')
    assert read_graph(file, people=["x", "y"]).labels.tolist() == ["x", "y"]
    file.write_text('graph [ node [ id 1 label "x" ] node [ id 2 name "n" ] ]')
    with pytest.raises(GraphFormatError, match="this node has no name though others have one"):
        read_graph(file, people=["x", "y"])


@pytest.mark.parametrize("name", ["graph.graphml", "graph.gml"])
@pytest.mark.filterwarnings("ignore:.*unknown entities:RuntimeWarning")  # igraph knows no numbered ones
def test_networkx_and_igraph_read_ours(tmp_path, name):
    file = tmp_path / name
    write_graph(NAMED, file)
    theirs = nx.read_graphml(file) if name.endswith("graphml") else nx.read_gml(file)
    assert from_networkx(theirs) == NAMED
    assert from_igraph(igraph.Graph.Read(str(file))).n_edges == 2


def test_gml_labels_that_repeat_are_refused_whoever_else_is_there(tmp_path):
    file = tmp_path / "graph.gml"
    file.write_text(
        'Creator "someone # not a comment"\n# a comment\nVersion 1\ngraph [\n  directed 1\n'
        '  node [ id 10 label "x" graphics [ x 1.5e-3 label "y" ] ]\n  node [ id 4 label "x" ]\n'
        "  edge [ source 10 target 4 value NAN ]\n]\n"
    )
    with pytest.raises(GraphFormatError, match=r"graph\.gml, line 7: two nodes have the same name"):
        read_graph(file)


def test_graphml_ids_that_are_one_number_stay_apart(tmp_path):
    file = tmp_path / "graph.graphml"
    file.write_text("<graphml><graph><node id='7'/><node id='07'/><edge source='7' target='07'/></graph></graphml>")
    assert read_graph(file).labels.tolist() == ["7", "07"]


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_matrices_saved_by_scipy(tmp_path, layout):
    matrix = scipy.sparse.random_array((6, 6), density=0.4, format=layout, rng=np.random.default_rng(3))
    matrix.data[0] = 0  # stored, but no edge
    scipy.sparse.save_npz(tmp_path / "graph.npz", matrix)
    pairs = np.argwhere(matrix.toarray())
    read = read_graph(tmp_path / "graph.npz")
    assert read == Graph.from_edges(pairs, n_nodes=6)
    assert not read.named


def test_archives_written_by_hand(tmp_path):
    np.savez_compressed(
        tmp_path / "graph.npz", edges=np.array([[0, 1]], dtype=np.uint8), n_nodes=3, labels=["a", "b", "é"]
    )
    graph = read_graph(tmp_path / "graph.npz")
    assert graph == Graph.from_edges([(0, 1)], n_nodes=3, labels=text_labels(["a", "b", "é"]))
    assert graph.named
    assert not graph.roster_declared


@pytest.mark.parametrize(
    "table",
    [
        {"first": [5, 9], "second": [9, 7]},
        {"weight": [0.5, 1.5], "Target": [9, 7], "Source": [5, 9]},
        {"first": pl.Series([5, 9], dtype=pl.UInt16), "second": pl.Series([9, 7], dtype=pl.Int8)},
    ],
)
def test_plain_tables(tmp_path, table):
    pl.DataFrame(table).write_parquet(tmp_path / "graph.parquet")
    graph = read_graph(tmp_path / "graph.parquet")
    assert graph == Graph.from_edges([(0, 2), (1, 2)], labels=np.array([5, 7, 9]))
    assert not graph.roster_declared


def test_tables_of_text_stay_text(tmp_path):
    table = pl.DataFrame({"from": ["1", "2"], "to": ["2", "3"]}).with_columns(pl.all().cast(pl.Categorical))
    table.write_parquet(tmp_path / "graph.parquet")
    assert read_graph(tmp_path / "graph.parquet").labels.tolist() == ["1", "2", "3"]
