"""The roster: who is in the graph, also without edges."""

import gzip
from itertools import combinations

import pyarrow as pa
import pytest

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.labels import text_labels


@pytest.fixture
def friends(tmp_path):
    file = tmp_path / "friends.txt"
    file.write_text("2 5\n5 9\n")
    return file


@pytest.fixture
def named(tmp_path):
    file = tmp_path / "named.csv"
    file.write_text("bob,cem\nann b,cem\n")
    return file


def test_people_without_edges_are_added_in_order(friends):
    graph = read_graph(friends, people=[9, 1, 2, 5, 30])
    assert graph.labels.tolist() == [1, 2, 5, 9, 30]
    assert graph.edges().tolist() == [[1, 2], [2, 3]]
    assert graph.degrees.tolist() == [0, 1, 2, 1, 0]
    assert graph.roster_declared


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("people.txt", "# everybody\nbob\n\nann b\ncem\n dee \n"),
        ("people.csv", "name,age\nbob,30\nann b,31\ncem,\ndee,2\n"),
        ("people.tsv", "bob\t1\nann b\t1\ncem\t1\ndee\t1\n"),
        ("people.txt.gz", "bob\r\nann b\r\ncem\r\ndee\r\nbob\r\n"),
        ("people", "\ufeffbob\nann b\ncem\ndee"),
    ],
)
def test_people_from_a_file(tmp_path, named, name, text):
    file = tmp_path / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    graph = read_graph(named, people=file)
    assert graph.labels.tolist() == ["ann b", "bob", "cem", "dee"]
    assert graph.roster_declared
    assert graph == read_graph(named, people=str(file))


def test_people_given_as_text_match_integer_ids(friends):
    assert read_graph(friends, people=["2", "5", "9", "10"]).labels.tolist() == [2, 5, 9, 10]
    assert read_graph(friends, people=["2", "5", "9", "zed"]).labels.tolist() == ["2", "5", "9", "zed"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("friends.txt", b"# no edges\n"),
        ("friends.txt", b"\n"),
        ("friends.csv", b""),
        ("friends.TXT", b""),
        ("friends.txt", "\ufeff".encode()),
        ("friends.txt.gz", gzip.compress(b"", mtime=0)),
        ("friends.csv.zst", pa.compress(b"", codec="zstd", asbytes=True)),
    ],
    ids=["comment", "blank line", "csv", "capitals", "byte order mark", "gzip", "zstd"],
)
def test_people_make_a_graph_without_edges_possible(tmp_path, name, data):
    """However little the file says: that nobody has an edge is private, and a refusal would tell."""
    file = tmp_path / name
    file.write_bytes(data)
    assert read_graph(file, people=[0, 1, 2]) == Graph.from_edges([], n_nodes=3)
    assert read_graph(file, people=["ann", "bob"]).labels.tolist() == ["ann", "bob"]
    with pytest.raises(GraphFormatError, match=r"the file is empty|no edges in it"):
        read_graph(file)


@pytest.mark.parametrize("name", ["friends.graphml", "friends.npz", "friends.txt.gz"])
def test_what_is_never_empty_is_cut_short(tmp_path, name):
    """These have a frame around the edges, even around none."""
    file = tmp_path / name
    file.write_bytes(b"")
    with pytest.raises(GraphFormatError, match="the file is empty"):
        read_graph(file, people=[0, 1, 2])


def test_an_edge_of_a_stranger_is_refused_with_its_line(friends, named):
    with pytest.raises(
        GraphFormatError, match=r"friends\.txt, line 2: one of the two is not on the list .* \(people\)"
    ):
        read_graph(friends, people=[2, 5, 7])
    with pytest.raises(GraphFormatError, match=r"named\.csv, line 2: one of the two is not on the list"):
        read_graph(named, people=["bob", "cem"])


def test_people_also_extend_formats_that_list_nodes(tmp_path):
    graph = Graph.from_edges([(0, 1)], n_nodes=3, labels=text_labels(["z", "b", "a"]))
    write_graph(graph, tmp_path / "graph.graphml")
    assert read_graph(tmp_path / "graph.graphml", people=["a", "b", "c", "z"]).labels.tolist() == ["a", "b", "c", "z"]
    with pytest.raises(GraphFormatError, match="somebody without edges in the graph file is not on the list of people"):
        read_graph(tmp_path / "graph.graphml", people=["b", "z"])


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        (b"a,1\n,2\n", "people.csv, line 2: no name in the first column"),
        (b"a\n\xff\n", "people.csv, line 2: not UTF-8"),
        (b'a\n"b\n', "people.csv, line 2: a quotation mark is not closed"),
    ],
)
def test_bad_rosters(tmp_path, friends, text, pattern):
    file = tmp_path / "people.csv"
    file.write_bytes(text)
    with pytest.raises(GraphFormatError, match=pattern):
        read_graph(friends, people=file)


def test_rosters_that_are_none(tmp_path, friends):
    with pytest.raises(GraphFormatError, match=r"absent\.txt: cannot be read: No such file"):
        read_graph(friends, people=tmp_path / "absent.txt")
    with pytest.raises(ParameterError, match="integers or text, not float"):
        read_graph(friends, people=[1.5])


@pytest.mark.parametrize("people", [[], ["zed"]])
def test_nobody_and_one_person_are_treated_alike(tmp_path, people):
    """Under node privacy it is private which of the two it is."""
    file, roster = tmp_path / "friends.txt", tmp_path / "people.txt"
    file.write_text("# no edges\n")
    roster.write_text("".join(f"{name}\n" for name in people))
    for given in (people, roster):
        graph = read_graph(file, people=given)
        assert (graph.n_nodes, graph.roster_declared, graph.named) == (len(people), True, True)
    file.write_text("1 2\n")
    for given in (people, roster):
        with pytest.raises(GraphFormatError, match=r"friends\.txt, line 1: one of the two is not on the list"):
            read_graph(file, people=given)


LINES = ("7,8\n", "07,8\n", "7,07\n", "ann,7\n", "-1,8\n", "+7,07\n", f"{2**63},7\n")
ROSTER = ["7", "07", "8", "ann", "-1", "+7", str(2**63), "0007", "a name of many letters"]


@pytest.mark.parametrize("edges", [set(chosen) for k in range(4) for chosen in combinations(LINES, k)])
def test_who_is_who_does_not_depend_on_the_other_edges(tmp_path, edges):
    """Seven and zero-seven are two people, whoever else is named; a roster that holds them is never refused."""
    file = tmp_path / "friends.csv"
    text = "".join(sorted(edges))
    file.write_text(text)
    graph = read_graph(file, people=ROSTER)
    assert sorted(graph.labels.tolist()) == sorted(ROSTER)
    assert pairs_of(graph) == {frozenset(line.strip().split(",")) for line in edges}
    if edges:
        assert pairs_of(read_graph(file)) == pairs_of(graph)


def test_a_roster_of_numbers_refuses_by_the_letter(tmp_path):
    file = tmp_path / "friends.csv"
    for line, roster, fits in (("7,8", ["7", "8"], True), ("07,8", ["7", "8"], False), ("07,08", ["07", "08"], True)):
        file.write_text(line)
        if fits:
            assert pairs_of(read_graph(file, people=roster)) == {frozenset(roster)}
        else:
            with pytest.raises(GraphFormatError, match="one of the two is not on the list"):
                read_graph(file, people=roster)


def pairs_of(graph):
    return {frozenset(str(graph.label_of(end)) for end in pair) for pair in graph.edges().tolist()}
