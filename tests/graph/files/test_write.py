"""A file appears whole or not at all."""

import gzip
import os

import pytest

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files import gml
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.labels import text_labels

GRAPH = Graph.from_edges([(0, 1), (1, 2)], n_nodes=4)


@pytest.mark.parametrize("suffix", [".gml", ".gml.gz", ".gml.zst"])
def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, suffix):
    file = tmp_path / f"graph{suffix}"
    file.write_bytes(b"old")

    def fail(graph, stream, kind):
        stream.write(b"half")
        raise RuntimeError("power cut")

    monkeypatch.setattr(gml, "write", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        write_graph(GRAPH, file)
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name]
    assert file.read_bytes() == b"old"


def test_a_full_disk_is_one_clear_line(tmp_path, monkeypatch):
    def fail(graph, stream, kind):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(gml, "write", fail)
    with pytest.raises(ParameterError, match=r"graph\.gml: cannot be written: No space left on device"):
        write_graph(GRAPH, tmp_path / "graph.gml")
    assert list(tmp_path.iterdir()) == []


def test_unwritable_places(tmp_path):
    (tmp_path / "folder.txt").mkdir()
    for place in ("absent/graph.txt", "folder.txt"):
        with pytest.raises(ParameterError, match=r"\.txt: cannot be written: "):
            write_graph(GRAPH, tmp_path / place)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.txt"]


def test_a_pipe_stays_a_pipe_and_a_link_a_link(tmp_path):
    """A file in the place of a pipe or of a link would leave whoever is behind it waiting."""
    pipe, link, behind = tmp_path / "pipe.txt", tmp_path / "link.txt", tmp_path / "behind.txt"
    os.mkfifo(pipe)
    with pytest.raises(ParameterError, match=r"pipe\.txt: cannot be written: it is a pipe or a device; give the name"):
        write_graph(GRAPH, pipe)
    assert pipe.is_fifo()
    link.symlink_to(behind)
    write_graph(GRAPH, link)
    assert link.is_symlink()
    assert read_graph(behind) == GRAPH


def test_an_unknown_format_writes_nothing(tmp_path):
    with pytest.raises(GraphFormatError, match="does not end in a known format"):
        write_graph(GRAPH, tmp_path / "graph.doc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".txt.gz", ".csv.zst", ".graphml", ".gml", ".npz", ".parquet"])
def test_the_same_graph_gives_the_same_bytes(tmp_path, suffix):
    first, second = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    write_graph(GRAPH, first)
    write_graph(GRAPH, second)
    assert first.read_bytes() == second.read_bytes()


def test_gzip_carries_no_time_and_no_name(tmp_path):
    write_graph(GRAPH, tmp_path / "secret.txt.gz")
    data = (tmp_path / "secret.txt.gz").read_bytes()
    assert data[4:8] == bytes(4)
    assert b"secret" not in data
    assert gzip.decompress(data).startswith(b"# graphveil edge list: 4 nodes, 2 edges")


def test_writing_through_a_link_keeps_the_link(tmp_path):
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("1 2\n")
    link.symlink_to(target)
    write_graph(GRAPH, link)
    assert link.is_symlink()
    assert read_graph(target) == GRAPH


def test_new_files_get_the_usual_permissions(tmp_path):
    (tmp_path / "usual").touch()
    write_graph(GRAPH, tmp_path / "graph.txt")
    assert (tmp_path / "graph.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("label", ["", " a", "a ", "a\tb", "a\nb", "a\x00b"])
@pytest.mark.parametrize("suffix", [".txt", ".csv.gz", ".tsv"])
def test_labels_that_an_edge_list_would_lose_are_refused(tmp_path, label, suffix):
    graph = Graph.from_edges([(0, 1)], labels=text_labels([label, "b"]))
    with pytest.raises(ParameterError, match=r"an edge list cannot keep .* \.npz or \.parquet"):
        write_graph(graph, tmp_path / f"graph{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_labels_that_xml_would_lose_are_refused(tmp_path):
    graph = Graph.from_edges([(0, 1)], labels=text_labels(["a\x00", "b"]))
    with pytest.raises(ParameterError, match="XML does not allow"):
        write_graph(graph, tmp_path / "graph.graphml")
    assert list(tmp_path.iterdir()) == []
