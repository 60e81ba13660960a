"""Any graph in: whatever holds the edges, the session sees the same people and edges, or says what it takes."""

import sys

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import graphveil as gv

EDGES = [("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("dan", "ann")]
NAMES = ["ann", "bob", "cem", "dan"]
SOURCES, TARGETS = zip(*EDGES, strict=True)
TABLE = {"since": [1, 2, 3, 4], "source": SOURCES, "target": TARGETS}
MATRIX = scipy.sparse.coo_array(([1, 1, 1, 1], ([0, 1, 2, 3], [1, 2, 0, 0])), shape=(4, 4))


def path_of(folder):
    file = folder / "friends.csv"
    file.write_text("".join(f"{u},{v}\n" for u, v in EDGES))
    return file


def with_names(graph):
    graph.vs["name"] = NAMES
    return graph


NAMED = {
    "path": path_of,
    "path as text": lambda folder: str(path_of(folder)),
    "networkx": lambda _: nx.Graph(EDGES),
    "networkx directed": lambda _: nx.MultiDiGraph([*EDGES, ("bob", "ann"), ("bob", "bob")]),
    "igraph": lambda _: with_names(igraph.Graph([(0, 1), (1, 2), (2, 0), (3, 0)])),
    "pandas": lambda _: pd.DataFrame(TABLE),
    "pandas categories": lambda _: pd.DataFrame(TABLE).astype({"source": "category", "target": "category"}),
    "polars": lambda _: pl.DataFrame(TABLE),
    "pyarrow": lambda _: pa.table(TABLE),
    "numpy": lambda _: np.array(EDGES),
    "numpy objects": lambda _: np.array(EDGES, dtype=object),
    "list": lambda _: EDGES,
    "set": lambda _: set(EDGES),
    "graph": lambda folder: gv.read_graph(path_of(folder)),
}
BY_POSITION = {
    "scipy": lambda _: MATRIX,
    "scipy csr matrix": lambda _: scipy.sparse.csr_matrix(MATRIX),
    "igraph": lambda _: igraph.Graph([(0, 1), (1, 2), (2, 0), (3, 0)]),
}


@pytest.mark.parametrize("kind", NAMED)
def test_the_same_graph_whatever_holds_it(kind, tmp_path):
    graph = gv.as_graph(NAMED[kind](tmp_path))
    assert (graph.n_nodes, graph.n_edges, graph.named) == (4, 4, True)
    names = graph.labels.tolist()
    assert {frozenset((names[u], names[v])) for u, v in graph.edges()} == {frozenset(edge) for edge in EDGES}
    assert str(graph.reading).startswith(graph.reading.file)


@pytest.mark.parametrize("kind", NAMED)
def test_a_session_takes_it_under_both_units(kind, tmp_path):
    source = NAMED[kind](tmp_path)
    assert (
        gv.Session(source, unit="edge", budget=1000, accept_weak=True).edges(epsilon=50, accept_noise=True).value == 4
    )
    with pytest.raises(gv.ParameterError, match="list of all people"):
        gv.Session(source, unit="node", budget=1)
    session = gv.Session(source, unit="node", budget=1000, people=[*NAMES, "eve"], accept_weak=True)
    assert session.nodes(epsilon=60, accept_noise=True).value == 5


@pytest.mark.parametrize("kind", BY_POSITION)
def test_people_known_by_position_stay_refused_under_node_privacy(kind, tmp_path):
    source = BY_POSITION[kind](tmp_path)
    assert (
        gv.Session(source, unit="edge", budget=1000, accept_weak=True).edges(epsilon=50, accept_noise=True).value == 4
    )
    with pytest.raises(gv.ParameterError, match="by position"):
        gv.Session(source, unit="node", budget=1)
    with pytest.raises(gv.ParameterError, match="by position"):
        gv.Session(source, unit="node", budget=1, people=range(4))
    with pytest.raises(gv.GraphFormatError, match="does not name its people"):
        gv.Session(source, unit="node", budget=1, people=range(5))


def test_ids_may_be_large_and_far_apart():
    far = np.array([[10**18, 7], [7, 10**9], [10**9, 10**18]])
    graph = gv.as_graph(far)
    assert graph.labels.tolist() == [7, 10**9, 10**18]
    assert graph.n_edges == 3
    with pytest.raises(gv.ParameterError, match=r"gv\.as_graph"):
        gv.Graph.from_edges([(0, 10**9)])
    with pytest.raises(gv.ParameterError, match=r"gv\.as_graph"):
        gv.Graph.from_edges([("ann", "bob")])


@pytest.mark.parametrize("wrong", [7, None, {"ann": ["bob"]}, object(), np.eye(3), [1, 2, 3], np.array([[0.5, 1.0]])])
def test_a_type_error_says_what_is_accepted(wrong):
    with pytest.raises(TypeError) as caught:
        gv.Session(wrong, unit="edge", budget=1)
    if not (isinstance(wrong, np.ndarray) and wrong.shape == (1, 2)):
        for word in ("path", "networkx", "igraph", "scipy", "pandas", "polars", "pyarrow", "numpy"):
            assert word in str(caught.value)


def test_columns_are_chosen_and_never_guessed():
    table = pd.DataFrame({"a": ["ann"], "b": ["bob"], "c": ["cem"]})
    with pytest.raises(gv.ParameterError, match="which two of the 3 columns"):
        gv.as_graph(table)
    assert gv.as_graph(table, columns=("a", "c")).labels.tolist() == ["ann", "cem"]
    assert gv.as_graph(table[["b", "c"]]).labels.tolist() == ["bob", "cem"]
    assert gv.from_table(table, columns=(1, 2)).labels.tolist() == ["ann", "bob"]
    with pytest.raises(gv.ParameterError, match="unknown column 'd'"):
        gv.from_table(table, columns=("a", "d"))
    with pytest.raises(gv.ParameterError, match="columns= is for"):
        gv.as_graph(EDGES, columns=(1, 2))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (pd.DataFrame({"u": ["ann", None], "v": ["bob", "cem"]}), "row 2: the column 'u' is empty"),
        (pd.DataFrame({"u": [0.5], "v": [1.0]}), "holds Float64"),
        (pd.DataFrame({"u": [1, "ann"], "v": [2, "bob"]}), "cannot be read as a table of edges"),
    ],
)
def test_tables_that_are_no_edges_are_refused(table, told):
    with pytest.raises((gv.ParameterError, gv.GraphFormatError), match=told):
        gv.as_graph(table)


def test_somebody_who_is_not_listed_is_refused():
    with pytest.raises(gv.GraphFormatError, match="not on the list"):
        gv.as_graph(EDGES, people=["ann", "bob"])


@pytest.mark.parametrize("kind", ["path", "networkx directed", "pandas", "polars", "pyarrow", "numpy", "list"])
def test_directions_are_kept_where_that_is_asked_for(kind, tmp_path):
    graph = gv.as_graph(NAMED[kind](tmp_path), directed=True, people=[*NAMES, "eve"])
    assert isinstance(graph, gv.DirectedGraph)
    names = graph.labels.tolist()
    arcs = {(names[u], names[v]) for u, v in graph.arcs}
    assert arcs == {*EDGES} | ({("bob", "ann")} if kind == "networkx directed" else set())
    assert (graph.n_nodes, graph.roster_declared) == (5, True)
    assert repr(graph) == "DirectedGraph(n_nodes=5, n_edges=4)"


@pytest.mark.parametrize("source", [nx.Graph(EDGES), igraph.Graph([(0, 1)]), gv.as_graph(EDGES)], ids=type)
def test_a_graph_without_directions_has_none_to_keep(source):
    with pytest.raises(gv.ParameterError, match="no directions to keep"):
        gv.as_graph(source, directed=True)


def test_a_list_of_people_leaves_directions_and_weights_as_they_are():
    names = np.array(["bob", "ann", "cem"])
    follows = gv.DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2)], labels=names)
    session = gv.Session(follows, people=["ann", "bob", "cem", "dan"], unit="edge", budget=20)
    assert session.dyads(epsilon=20, accept_noise=True).value == (1, 1, 4)
    messages = gv.WeightedGraph.from_ties([(0, 1), (1, 2)], [3, 5], labels=names)
    listed = gv.as_graph(messages, people=["ann", "bob", "cem", "dan"])
    assert (listed.labels.tolist(), listed.strengths().tolist()) == (["ann", "bob", "cem", "dan"], [8, 3, 5, 0])


def test_a_list_with_an_entry_that_is_no_pair_is_refused_in_words():
    with pytest.raises(TypeError, match="not all entries are pairs"):
        gv.as_graph([("ann", "bob"), ("cem",)])


def test_graphs_of_other_directions_or_weights_are_not_equal():
    there, back = (gv.as_graph([pair], directed=True) for pair in (("ann", "bob"), ("bob", "ann")))
    assert there != back
    assert there == gv.as_graph([("ann", "bob")], directed=True)
    light, heavy = (gv.WeightedGraph.from_ties([(0, 1)], [weight]) for weight in (1, 2))
    assert light != heavy
    assert hash(light) == hash(heavy)


def test_arcs_of_names_are_told_where_they_belong():
    with pytest.raises(gv.ParameterError, match="as_graph"):
        gv.DirectedGraph.from_arcs(EDGES)


@pytest.mark.parametrize("source", ["pandas", "polars", "friends.parquet", "friends.csv.zst", "friends.csv.gz"])
def test_tables_and_files_need_no_pyarrow(source, tmp_path, monkeypatch):
    graph = gv.as_graph(EDGES)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    if "." in source:
        gv.write_graph(graph, tmp_path / source)
        assert gv.read_graph(tmp_path / source) == graph
    else:
        assert gv.as_graph({"pandas": pd, "polars": pl}[source].DataFrame(TABLE), columns=("source", "target")) == graph


def test_missing_ids_in_pandas_are_told_by_their_row():
    table = pd.DataFrame({"u": pd.array([1, None], dtype="Int64"), "v": ["a", "b"]})
    with pytest.raises(gv.errors.GraphFormatError, match="row 2: the column 'u' is empty"):
        gv.as_graph(table)


WEIGHTED = [("ann", "bob", 3), ("bob", "cem", 4.9), ("cem", "cem", 7)]
WEIGHT_TABLE = pd.DataFrame(WEIGHTED, columns=["source", "target", "messages"])
WEIGHT_MATRIX = scipy.sparse.csr_array(np.array([[0, 3, 0], [3, 0, 4.9], [0, 4.9, 7]]))


@pytest.mark.parametrize(
    ("source", "where"),
    [
        (nx.Graph([(u, v, {"weight": w}) for u, v, w in WEIGHTED]), True),
        (nx.DiGraph([(v, u, {"messages": w}) for u, v, w in WEIGHTED]), "messages"),
        (igraph.Graph.TupleList(WEIGHTED, edge_attrs="messages"), "messages"),
        (WEIGHT_TABLE, "messages"),
        (pl.from_pandas(WEIGHT_TABLE), 3),
        (WEIGHT_MATRIX, True),
    ],
    ids=["networkx", "networkx directed", "igraph", "pandas", "polars", "scipy"],
)
def test_weights_come_from_whatever_holds_them(source, where):
    with pytest.warns(UserWarning, match="weights with fractions are rounded down to whole numbers"):
        session = gv.Session(source, unit="edge", budget=2000, weighted=where, accept_weak=True)
    total = session.weighted_total(epsilon=1000, max_weight=9)
    assert total.value == 7
    assert "weights rounded down and cut at 9" in str(total)


@pytest.mark.parametrize(
    ("source", "where", "message"),
    [
        (WEIGHT_TABLE, True, "name the column that holds the weights"),
        (WEIGHT_TABLE, "mesages", "did you mean messages?"),
        (WEIGHT_TABLE, "source", "column source holds a person"),
        (WEIGHT_TABLE.assign(messages=[1, None, 2]), "messages", "column messages: every edge must have a weight"),
        (nx.Graph([("ann", "bob", {"weight": "heavy"})]), True, "edge attribute weight: every edge must have a weight"),
        (nx.Graph([("ann", "bob", {"weight": -1})]), True, "a number from 0 to"),
        (nx.Graph(EDGES), "calls", "edge attribute calls: every edge must have a weight"),
        (scipy.sparse.csr_array(np.array([[0, 3], [2, 0]])), True, "must be symmetric"),
        (EDGES, True, "has no weights to keep"),
        (gv.as_graph(EDGES), True, "has no weights to keep"),
    ],
)
def test_weights_that_are_none_are_refused(source, where, message):
    with pytest.raises(gv.errors.ParameterError, match=message) as caught:
        gv.as_graph(source, weighted=where)
    assert "heavy" not in str(caught.value)


def test_a_session_keeps_directions_or_weights_not_both():
    follows = nx.DiGraph([("ann", "bob"), ("bob", "ann"), ("bob", "cem")])
    nx.set_node_attributes(follows, {"ann": "red", "bob": "red", "cem": "blue"}, "team")
    session = gv.Session(follows, unit="edge", budget=3000, directed=True, accept_weak=True)
    assert session.edges(epsilon=1000).value == 2
    assert session.reciprocity(epsilon=1000).value == pytest.approx(2 / 3, abs=0.01)
    assert session.homophily(epsilon=1000, attribute="team").value == pytest.approx(-1 / 3, abs=0.01)
    with pytest.raises(gv.errors.ParameterError, match="directed or as weighted, not as both"):
        gv.as_graph(follows, directed=True, weighted=True)
