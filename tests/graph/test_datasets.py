"""Public graphs: found by name, proved whole by their counts, and what to do where they are absent."""

import gzip
import io
import threading
import zipfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph import datasets
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, Dataset, fetch_dataset, load_dataset
from graphveil.graph.digest import graph_digest

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


EDGES = b"1 2\n2 3\n3 1\n1 4\n"
CHECKSUM = graph_digest(Graph.from_edges([(1, 2), (2, 3), (3, 1), (1, 4)], n_nodes=5)).edges.hex()


@pytest.fixture
def source(tmp_path_factory, monkeypatch):
    """A web server with a folder of files, and a folder to fetch them into."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_words):
            pass

    served = tmp_path_factory.mktemp("served")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = f"http://127.0.0.1:{server.server_port}/triangle.html"
    known = replace(TRIANGLE, source=page, checksum=CHECKSUM)
    packed = replace(known, name="packed", file="all.zip", member="edges.csv")
    monkeypatch.setattr(datasets, "DATASETS", {"triangle": known, "packed": packed})
    yield served
    server.shutdown()
    server.server_close()


def test_a_graph_is_fetched_once_and_kept_if_it_is_whole(source, tmp_path):
    (source / "combined.txt.gz").write_bytes(gzip.compress(b"# another order\n4 1\n" + EDGES[:12]))
    file = fetch_dataset("triangle", folder=tmp_path / "new")
    assert file == tmp_path / "new" / "triangle.txt.gz"
    assert load_dataset("triangle", folder=tmp_path / "new").n_edges == 4
    (source / "combined.txt.gz").unlink()
    assert fetch_dataset("triangle", folder=tmp_path / "new") == file


def test_a_graph_is_taken_out_of_an_archive(source, tmp_path):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("folder/edges.csv", b"from,to\n" + EDGES.replace(b" ", b","))
    (source / "all.zip").write_bytes(archive.getvalue())
    fetch_dataset("packed", folder=tmp_path)
    assert load_dataset("packed", folder=tmp_path).n_edges == 4


@pytest.mark.parametrize("text", [EDGES[:8], EDGES.replace(b"4", b"5"), b"<html>not here</html>\n"])
def test_what_has_another_checksum_is_not_kept(source, tmp_path, text):
    (source / "combined.txt.gz").write_bytes(gzip.compress(text))
    with pytest.raises(GraphFormatError):
        fetch_dataset("triangle", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_does_not_answer_says_what_to_do(source, tmp_path):
    for name in ("triangle", "packed"):
        with pytest.raises(ParameterError, match="by hand"):
            fetch_dataset(name, folder=tmp_path)
    (source / "all.zip").write_bytes(b"no archive")
    with pytest.raises(GraphFormatError, match=r"no edges\.csv in it"):
        fetch_dataset("packed", folder=tmp_path)


@pytest.mark.needs_data
def test_checksums_are_those_of_the_real_graphs(real_graph):
    for name in ("ca-GrQc", "feather-lastfm-asia"):
        digest = graph_digest(real_graph(name))
        assert digest is not None
        assert digest.edges.hex() == DATASETS[name].checksum
