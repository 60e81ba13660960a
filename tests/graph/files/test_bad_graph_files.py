"""Bad input: one line that names the file, and the line where there is one."""

import gzip
import io
import os
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph

RUBBISH = np.random.default_rng(1).integers(1, 256, 2_000, dtype=np.uint8).tobytes()
BOMB = b'<!DOCTYPE g [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<graphml><graph><node id="&b;"/></graph></graphml>'


def refused(path, pattern):
    with pytest.raises(GraphFormatError) as caught:
        read_graph(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert re.search(pattern, message.removeprefix(str(path))), message


@pytest.mark.parametrize(
    ("name", "data", "pattern"),
    [
        ("empty.txt", b"", r"^: the file is empty"),
        ("blank.txt", b"\n\n", r"^: no edges in it.*--people"),
        ("comments.txt", b"# only\n% comments\n", r"^: no edges in it"),
        ("header.csv", b"source,target\n", r"^: no edges in it"),
        ("loops.txt", b"1 1\n2 2\n", r"^: no edges in it"),
        ("ragged.txt", b"# c\n1 2\n3\n4 5\n", r"^, line 3: an edge needs two ids"),
        ("ragged.csv", b"1,2\n3,\n", r"^, line 2: column 2 is empty, and an edge needs two ids"),
        ("ragged.tsv", b"ann\tbob\n\tcem\n", r"^, line 2: column 1 is empty, and an edge needs two ids"),
        ("one-column.txt", b"1\n2\n", r"^, line 1: an edge needs two ids"),
        ("late.txt", b"1 2\n" * 5_000 + b"3\n" + b"1 2\n" * 10, r"^, line 5001: an edge needs two ids"),
        ("zero.txt", b"1 2\n3\x00 4\n", r"^, line 2: a zero byte; this is not a text file"),
        ("rubbish.txt", RUBBISH, r"^, line \d+: "),
        ("utf16.txt", "1 2\n".encode("utf-16"), r"^: is UTF-16 text; save it as UTF-8"),
        ("latin.txt", "ann bob\njosé bob\n".encode("latin-1"), r"^, line 2: not UTF-8"),
        ("quote.csv", b'a,b\n"c,d\ne,f\n', r"^, line 2: a quotation mark is not closed"),
        ("m.txt", b"%%MatrixMarket matrix coordinate\n% c\n3 3 1\n2 1\n", r"^, line 1: a MatrixMarket .*--format mtx"),
        ("plain.txt.gz", b"ann bob\n", r"^: is damaged, cut short or not gzip$"),
        ("cut.txt.gz", gzip.compress(b"1 2\n" * 1_000, mtime=0)[:-9], r"^: is damaged, cut short or not gzip"),
        ("cut.txt.zst", pa.compress(b"1 2\n" * 1_000, codec="zstd", asbytes=True)[:-3], r"cut short or not zstd"),
        ("hollow.txt.gz", gzip.compress(b"", mtime=0), r"^: no edges in it.*--people"),
        ("graph.dat", b"1 2\n", r"^: the name does not end in a known format; use \.txt, "),
        ("graph", b"1 2\n", r"^: the name does not end in a known format"),
        ("graph.npz.gz", b"1 2\n", r"^: the name does not end in a known format"),
    ],
)
def test_edge_lists(tmp_path, name, data, pattern):
    file = tmp_path / name
    file.write_bytes(data)
    refused(file, pattern)


SECRET = "Zaphod"
PRIVATE = {
    "short.csv": f"ann,bob\n{SECRET}\n",
    "wide.csv": f"ann,bob\nann,bob,{SECRET}\n",
    "quote.csv": f'ann,bob\n"{SECRET},bob\n',
    "twice.gml": f'graph [ node [ id "{SECRET}" ] node [ id "{SECRET}" ] ]',
    "stranger.gml": f'graph [ node [ id 1 ] edge [ source 1 target "{SECRET}" ] ]',
    "encoding.graphml": f'<?xml version="1.0" encoding="{SECRET}"?><graphml/>',
}


@pytest.mark.parametrize("name", PRIVATE)
def test_messages_do_not_repeat_what_the_file_says(tmp_path, name):
    """The graph is private, and a message may end up in a log."""
    file = tmp_path / name
    file.write_text(PRIVATE[name])
    with pytest.raises(GraphFormatError) as caught:
        read_graph(file)
    assert SECRET not in str(caught.value)
    assert "4242" not in str(caught.value)
    assert ", line " in str(caught.value)


def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    (tmp_path / "friends.txt").write_text("1 2\n")
    for name in ("pipe.txt", "endless.csv"):
        refused(tmp_path / name, r"^: is a pipe or a device; save the data in a file first")
        with pytest.raises(GraphFormatError, match=f"{name}: is a pipe or a device"):
            read_graph(tmp_path / "friends.txt", people=tmp_path / name)


@pytest.mark.parametrize(
    ("data", "pattern"),
    [
        (b"1 2\n", r"^, line 1: syntax error"),
        (b"<html/>", r"^: no <graph> element"),
        (b"<graphml>\n<graph>\n<node", r"^, line 3: "),
        (b"<graphml>\n<graph><node/></graph></graphml>", r"^, line 2: <node> lacks the attribute 'id'"),
        (b"<graphml><graph>\n<edge source='a'/></graph></graphml>", r"^, line 2: <edge> lacks the attribute 'target'"),
        (
            b"<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
            r"^, line 2: .*not listed",
        ),
        (b"<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", r"^, line 1: two nodes have the same id"),
        (b"<graphml><graph><node id='a'>\n<graph/></node></graph></graphml>", r"^, line 2: only one plain graph"),
        (b"<graphml><graph>\n<hyperedge/></graph></graphml>", r"^, line 2: only one plain graph"),
        (b"<graphml><graph/></graphml>", r"^: no edges in it"),
        (b'<?xml version="1.0" encoding="klingon"?><graphml/>', r"^, line 1: the encoding cannot be read"),
        (BOMB, r"^, line 1: a document type declaration .* is not allowed"),
    ],
)
def test_graphml(tmp_path, data, pattern):
    file = tmp_path / "graph.graphml"
    file.write_bytes(data)
    refused(file, pattern)


@pytest.mark.parametrize(
    ("data", "pattern"),
    [
        (b"1 2\n", r"^: holds 0 graphs"),
        (b"graph [\n", r"^, line 2: the file ends too early"),
        (b"graph\n]", r"^, line 2: a value is expected"),
        (b"graph [ ] ]", r"^, line 1: a key is expected"),
        (b'graph [\nnode [ id 1 label "x ] ]', r"^, line 2: a quotation mark is not closed"),
        (b'graph [\nnode [ label "x" ] ]', r"^, line 2: this node has no id"),
        (b"graph [ node [ id 1 ]\nedge [ source 1 ] ]", r"^, line 2: this edge has no target"),
        (b"graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]", r"^, line 2: .*not listed"),
        (b"graph [ node [ id 1 ] node [ id 1 ] ]", r"^, line 1: two nodes have the same id"),
        (b"graph [ ] graph [ ]", r"^: holds 2 graphs"),
        (b"graph [ ]", r"^: no edges in it"),
        (b"graph [\n\xff ]", r"^, line 2: not UTF-8"),
        (b"graph [" + b"#" * 100_000 + b"\n", r"^, line 2: the file ends too early"),
    ],
)
def test_gml(tmp_path, data, pattern):
    file = tmp_path / "graph.gml"
    file.write_bytes(data)
    refused(file, pattern)


def archive(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "pattern"),
    [
        (b"1 2\n", r"^: is damaged, cut short or no numpy archive"),
        (archive(edges=[[0, 1]], n_nodes=2)[:-30], r"^: is damaged, cut short"),
        (archive(pairs=[[0, 1]]), r"^: needs the arrays edges and n_nodes.*found: pairs"),
        (archive(edges=[[0, 1]]), r"^: needs the arrays edges and n_nodes"),
        (archive(edges=[0, 1], n_nodes=2), r"^: the array edges must have two columns"),
        (archive(edges=[[0.0, 1.0]], n_nodes=2), r"^: node numbers must be integers"),
        (archive(edges=[[0, 2]], n_nodes=2), r"^: an edge names a node outside 0, "),
        (archive(edges=[[0, -1]], n_nodes=2), r"^: an edge names a node outside 0, "),
        (archive(edges=[[0, 1]], n_nodes=10**18), r"^: the number of nodes must lie between"),
        (archive(edges=[[0, 1]], n_nodes=[2, 3]), r"^: the arrays of this archive cannot be read"),
        (archive(edges=[[0, 1]], n_nodes=2, labels=["a", "a"]), r"^: every node needs one label of its own"),
        (archive(edges=[[0, 1]], n_nodes=2, labels=["a"]), r"^: every node needs one label of its own"),
        (archive(edges=[[0, 1]], n_nodes=2, labels=np.array(["a", None])), r"not pickled objects"),
        (archive(format=b"csr", shape=(2, 3), indptr=[0, 1, 1], indices=[1], data=[1]), r"^: a matrix must be square"),
        (archive(format=b"csr", shape=(2, 2), indptr=[0, 9, 1], indices=[1], data=[1]), r"^: the arrays of this"),
        (archive(format=b"csr", shape=(2, 2), indptr=[0, 1, 1], indices=[7], data=[1]), r"^: an edge names a node"),
        (archive(format=b"bsr", shape=(2, 2)), r"^: a matrix must be square, in the format csr, csc or coo"),
    ],
)
def test_npz(tmp_path, data, pattern):
    file = tmp_path / "graph.npz"
    file.write_bytes(data)
    refused(file, pattern)


@pytest.mark.parametrize(
    ("table", "pattern"),
    [
        ({"source": [1]}, r"^: a table of edges needs two columns"),
        ({"source": [1, None], "target": [2, 3]}, r"^, row 2: the column 'source' is empty"),
        ({"a": [1.0], "b": [2.0]}, r"^: the column 'a' holds Float64; .* integers or text"),
        ({"a": pa.array([], pa.int64()), "b": pa.array([], pa.int64())}, r"^: no edges in it"),
    ],
)
def test_parquet(tmp_path, table, pattern):
    file = tmp_path / "graph.parquet"
    pq.write_table(pa.table(table), file)
    refused(file, pattern)


def test_parquet_that_is_none(tmp_path):
    file = tmp_path / "graph.parquet"
    file.write_bytes(b"1 2\n")
    refused(file, r"^: is damaged, cut short or not Parquet")


def test_no_such_file_and_folders(tmp_path):
    refused(tmp_path / "absent.txt", r"^: cannot be read: No such file")
    refused(tmp_path / "absent.npz", r"^: cannot be read: No such file")
    refused(tmp_path, r"^: is a folder")


@pytest.mark.parametrize("suffix", [".txt", ".csv.gz", ".tsv.zst", ".graphml", ".gml", ".npz", ".parquet"])
def test_damage_anywhere_is_refused_in_one_line_or_harmless(tmp_path, suffix):
    """No damaged file may end in anything but a graph or a clear refusal."""
    whole = tmp_path / f"whole{suffix}"
    write_graph(Graph.from_edges([(0, 1), (1, 2), (3, 4)], n_nodes=6), whole)
    data = whole.read_bytes()
    rng = np.random.default_rng(5)
    file = tmp_path / f"damaged{suffix}"
    refusals = []
    for _ in range(60):
        damaged = bytearray(data)
        damaged[rng.integers(len(data))] = rng.integers(256)
        file.write_bytes(damaged[: rng.integers(1, len(data))] if rng.integers(2) else damaged)
        try:
            read_graph(file)
        except GraphFormatError as error:
            refusals.append(str(error))
    assert refusals
    assert not any("\n" in refusal for refusal in refusals)


def test_a_wrong_separator_is_told_which_one_the_line_has(tmp_path):
    path = tmp_path / "friends.csv"
    for other, name in ((";", "semicolon"), ("\t", "tab")):
        path.write_text(f"ann{other}bob\nbob{other}cem\n")
        with pytest.raises(GraphFormatError, match=f"line 1: an edge needs two ids, separated by ','; .* a {name}: "):
            read_graph(path, sep=",")
