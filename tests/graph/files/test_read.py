"""What the caller knows of a file: columns, separator, header, format; the standard input; matrices."""

import gzip
import io
import sys

import pytest

import graphveil as gv
from graphveil.graph.files.read import Reading, read_with_report


def people(graph):
    return graph.labels.tolist()


def test_columns_and_separator(tmp_path):
    file = tmp_path / "calls.csv"
    file.write_text("when!caller!callee!minutes\n1!ann!bob!3\n2!bob!cem!4\n")
    assert people(gv.read_graph(file, columns=("caller", "callee"), sep="!")) == ["ann", "bob", "cem"]
    assert people(gv.read_graph(file, columns=(3, 2), sep="!", header=True)) == ["ann", "bob", "cem"]
    report = read_with_report(file, how=Reading.of(columns=("caller", "callee"), sep="!")).report
    assert "columns caller and callee of 4 were read, the others left out" in str(report)
    tabs = tmp_path / "tabs.txt"
    tabs.write_text("x\tann lee\tbob\ny\tbob\tcem\n")
    assert people(gv.read_graph(tabs, columns=(2, 3), sep="tab")) == ["ann lee", "bob", "cem"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"columns": ("caller", "nobody")}, "unknown column 'nobody'"),
        ({"columns": (1, 9)}, "unknown column '9'"),
        ({"columns": (1,)}, "two different ones"),
        ({"columns": (1, 1)}, "two different ones"),
        ({"columns": ("caller", "callee"), "header": False}, "only where there is a header"),
        ({"sep": "ab"}, "one character"),
        ({"sep": "7"}, "one character"),
        ({"format": "xls"}, "unknown format 'xls'"),
        ({"format": "npz", "sep": ","}, "for edge lists"),
        ({"format": "gml", "columns": (1, 2)}, "for tables of edges"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, given, told):
    file = tmp_path / "calls.csv"
    file.write_text("caller,callee\nann,bob\n")
    with pytest.raises(gv.GraphveilError, match=told):
        gv.read_graph(file, **given)


def test_a_format_may_be_named(tmp_path):
    file = tmp_path / "friends.dat"
    file.write_text("ann,bob\n")
    with pytest.raises(gv.GraphFormatError, match="format="):
        gv.read_graph(file)
    assert people(gv.read_graph(file, format="csv")) == ["ann", "bob"]


@pytest.mark.parametrize("packed", [False, True])
def test_the_standard_input(monkeypatch, packed):
    data = b"ann,bob\nbob,cem\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(data) if packed else data)))
    read = read_with_report("-", how=Reading.of(format="csv"))
    assert (people(read.graph), read.report.file) == (["ann", "bob", "cem"], "stdin")


def test_messages_about_the_standard_input_name_it(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ann bob\ncem\n")))
    with pytest.raises(gv.GraphFormatError, match=r"^stdin, line 2"):
        gv.read_graph("-")


HEAD = "%%MatrixMarket matrix coordinate"


@pytest.mark.parametrize(
    ("text", "edges", "listed"),
    [
        (f"{HEAD} pattern symmetric\n3 3 2\n2 1\n3 2\n", [[0, 1], [1, 2]], 2),
        (f"{HEAD} real general\n% a comment\n3 3 3\n1 2 0.5\n2 1 0.5\n3 3 1\n", [[0, 1]], 3),
        (f"{HEAD} integer general\n3 3 2\n1 2 0\n2 3 4\n", [[1, 2]], 1),
        ("%%MatrixMarket matrix array integer general\n2 2\n0\n1\n1\n0\n", [[0, 1]], 2),
    ],
)
def test_matrix_market(tmp_path, text, edges, listed):
    file = tmp_path / "graph.mtx"
    file.write_text(text)
    read = read_with_report(file)
    assert read.graph.edges().tolist() == edges
    assert (read.report.lines, read.graph.named, read.graph.roster_declared) == (listed, False, False)


@pytest.mark.parametrize(
    "text", ["", "1 2\n", f"{HEAD} pattern general\n3 4 1\n1 4\n", f"{HEAD} pattern general\n3 3 9\n1 2\n"]
)
def test_damaged_or_oblong_matrices_are_refused(tmp_path, text):
    file = tmp_path / "graph.mtx"
    file.write_text(text)
    with pytest.raises(gv.GraphFormatError, match=r"graph\.mtx"):
        gv.read_graph(file)


def test_a_matrix_comes_back(tmp_path):
    graph = gv.Graph.from_edges([(0, 1), (1, 2)], n_nodes=4, roster_declared=False)
    gv.write_graph(graph, tmp_path / "graph.mtx.gz")
    assert gv.read_graph(tmp_path / "graph.mtx.gz") == graph
    with pytest.raises(gv.ParameterError, match="keeps no names"):
        gv.write_graph(gv.as_graph([("ann", "bob")]), tmp_path / "named.mtx")
