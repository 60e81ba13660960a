"""Public graphs: found by name, proved whole by their counts, and what to do where they are absent."""

import gzip

import pytest

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph import datasets
from graphveil.graph.datasets import DATASETS, Dataset, load_dataset

TRIANGLE = Dataset("triangle", "combined.txt.gz", 4, 4, 3, 1, "https://example.org/triangle.html", "Nobody 2000")


@pytest.fixture
def triangle(monkeypatch, tmp_path):
    monkeypatch.setattr(datasets, "DATASETS", {"triangle": TRIANGLE})
    monkeypatch.setenv("GRAPHVEIL_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.needs_data
@pytest.mark.parametrize("name", DATASETS)
def test_real_graphs_have_the_published_counts(real_graph, name):
    # load_dataset refuses a graph with other counts of nodes, edges, triangles, or largest degree
    assert real_graph(name).n_nodes == DATASETS[name].nodes


@pytest.mark.parametrize("file", ["triangle.txt.gz", "triangle.txt", "combined.txt.gz", "combined.txt"])
def test_a_graph_is_found_under_our_name_and_the_source_s(triangle, file):
    text = b"1 2\n2 3\n3 1\n1 4\n"
    (triangle / file).write_bytes(gzip.compress(text) if file.endswith(".gz") else text)
    assert load_dataset("triangle").n_edges == 4


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1 2\n2 3\n3 1\n", "nodes is not 4"),
        ("1 2\n2 3\n1 4\n", "edges is not 4"),
        ("1 2\n2 3\n3 4\n4 1\n", "max degree is not 3"),
    ],
)
def test_a_truncated_file_is_refused(triangle, text, count):
    (triangle / "triangle.txt").write_text(text)
    with pytest.raises(GraphFormatError, match=rf"{count}.*not whole.*https://example.org"):
        load_dataset("triangle")


def test_triangles_are_part_of_the_proof(triangle, monkeypatch):
    monkeypatch.setattr(datasets, "exact_triangles", lambda graph: 2)
    (triangle / "triangle.txt").write_text("1 2\n2 3\n3 1\n1 4\n")
    with pytest.raises(GraphFormatError, match="triangles is not 1"):
        load_dataset("triangle")


def test_an_absent_graph_says_where_to_get_it_and_where_to_put_it(triangle, monkeypatch):
    with pytest.raises(ParameterError, match=r"download combined.txt.gz from https://example.org.* put it there"):
        load_dataset("triangle")
    monkeypatch.delenv("GRAPHVEIL_DATA")
    with pytest.raises(ParameterError, match=r"download combined.txt.gz .* set GRAPHVEIL_DATA"):
        load_dataset("triangle")


def test_an_unknown_name_is_told_the_known_ones():
    with pytest.raises(ParameterError, match=r"'karate'.*ego-Facebook, ca-AstroPh"):
        load_dataset("karate")
