"""Edge lists come in many layouts; all of them read as the same graph."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files import edge_list
from graphveil.graph.files.edge_list import parse_lines, parse_table
from graphveil.graph.files.layout import guess_layout
from graphveil.graph.files.read import read_graph, read_with_report
from graphveil.graph.files.write import write_graph

INTEGERS = [("10", "20"), ("20", "10"), ("30", "20"), ("7", "7")]
NAMES = [("ann", "bob"), ("bob", "ann"), ("cem", "bob"), ("é", "é")]


@pytest.fixture
def read(tmp_path):
    def read_text(text, name="friends.txt", **options):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_with_report(file, **options)

    return read_text


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";", "|", "   ", ", ", " \t", ":"])
@pytest.mark.parametrize("header", ["", "source{}target\n", "# a comment\n% another\n", "Source{}Target{}weight\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("edges", [INTEGERS, NAMES], ids=["integers", "names"])
@pytest.mark.parametrize("extra", ["", "{}0.5"])
def test_every_layout_reads_as_the_same_graph(read, separator, header, newline, edges, extra):
    extra = "{}0.5" if "weight" in header else extra
    lines = "".join(f"{u}{separator}{v}{extra}\n" for u, v in edges)
    text = (header + lines).replace("{}", separator).replace("\n", newline)
    graph, report = read(text)
    order = sorted({name for edge in edges for name in edge}, key=int if edges is INTEGERS else str)
    assert graph.labels.tolist() == (list(map(int, order)) if edges is INTEGERS else order)
    assert [[str(graph.label_of(node)) for node in edge] for edge in graph.edges()] == [
        sorted(edge, key=order.index) for edge in (edges[0], edges[2])
    ]
    assert (report.lines, report.self_loops, report.repeated_edges) == (4, 1, 1)
    assert not graph.roster_declared
    assert ("the first line was taken as a header" in report.notes) == ("ource" in header)


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".tsv", ".edges", ".el", ".TXT"])
@pytest.mark.parametrize("compression", ["", ".gz", ".zst"])
def test_suffixes_and_compressions(tmp_path, suffix, compression):
    file = tmp_path / f"a.b{suffix}{compression}"
    data = b"3,5\n5,9\n"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": lambda raw: pa.compress(raw, codec="zstd", asbytes=True)}
    file.write_bytes(pack[compression](data))
    assert read_graph(file).labels.tolist() == [3, 5, 9]


@pytest.mark.parametrize(
    ("text", "labels", "edges"),
    [
        ("0 1\n1 2\n", None, [(0, 1), (1, 2)]),
        ("1 2\n\n# between\n% too\n   \n2 3\n\n\n", [1, 2, 3], [(0, 1), (1, 2)]),
        ("  1   2  \n2 3\n", [1, 2, 3], [(0, 1), (1, 2)]),
        ("1 2 \n2 3 \n", [1, 2, 3], [(0, 1), (1, 2)]),
        ("5 1000000000000000000\n", [5, 10**18], [(0, 1)]),
        (f"5 {2**63 - 1}\n", [5, 2**63 - 1], [(0, 1)]),
        ("1.0 2\n2 1e5\n", ["1.0", "1e5", "2"], [(0, 2), (1, 2)]),
        ("1 2\n2 x\n", ["1", "2", "x"], [(0, 1), (1, 2)]),
        ("-5 x\n", ["-5", "x"], [(0, 1)]),
        ("007 8\n7 9\n", ["007", "7", "8", "9"], [(0, 2), (1, 3)]),
        ("1 2\n2 -3\n", ["-3", "1", "2"], [(0, 2), (1, 2)]),
        ("5 , 2\n3 , +7\n", ["+7", "2", "3", "5"], [(0, 2), (1, 3)]),
        ("1 2\n\n3 9999999999999999999\n", ["1", "2", "3", "9" * 19], [(0, 1), (2, 3)]),
        ("id;source;target\n1;5;6\n2;6;9\n", [5, 6, 9], [(0, 1), (1, 2)]),
        ("id,node_1,node_2\n1,5,6\n2,6,9\n", [5, 6, 9], [(0, 1), (1, 2)]),
        ("POST_ID\tSOURCE_SUBREDDIT\tTARGET_SUBREDDIT\nx\tb\ta\n", ["a", "b"], [(0, 1)]),
        ("FromNodeId ToNodeId\nb a\n", ["a", "b"], [(0, 1)]),
        ("user1,user2\nuser2,user3\n", ["user1", "user2", "user3"], [(0, 1), (1, 2)]),
        ("John Smith\tJane Doe\n", ["Jane Doe", "John Smith"], [(0, 1)]),
        ('"Smith, John","Doe, ""J"""\n', ['Doe, "J"', "Smith, John"], [(0, 1)]),
        ('o"neil bob\n', ["bob", 'o"neil'], [(0, 1)]),
        ('a b "x y"\nb c z\n', ["a", "b", "c"], [(0, 1), (1, 2)]),
        ("3 4\n9 9\n", [3, 4, 9], [(0, 1)]),
    ],
)
def test_unusual_lines(read, text, labels, edges):
    graph = read(text).graph
    assert (None if graph.labels is None else graph.labels.tolist()) == labels
    assert [tuple(edge) for edge in graph.edges().tolist()] == edges


def test_byte_order_mark_is_skipped_and_noted(read):
    graph, report = read(b"\xef\xbb\xbf4 5\n")
    assert graph.labels.tolist() == [4, 5]
    assert report.notes == ("a byte order mark was skipped",)


def test_comments_need_not_be_utf_8(read):
    assert read("# café\n4 5\n".encode("latin-1")).graph.n_edges == 1


def test_a_person_with_only_a_self_loop_stays(read):
    graph = read("1 2\n5 5\n").graph
    assert graph.labels.tolist() == [1, 2, 5]
    assert graph.degrees.tolist() == [1, 1, 0]


def test_ids_far_apart_cost_no_more_than_close_ones(read):
    graph = read("\n".join(f"{i * 10**15} {(i + 1) * 10**15}" for i in range(5_000))).graph
    assert graph == Graph.from_edges([(i, i + 1) for i in range(5_000)], labels=graph.labels)
    assert graph.labels[:3].tolist() == [0, 10**15, 2 * 10**15]


ODD_FIELDS = ["007", "-4", "0.5", "é", "b c", "#h", "%p", " ", "\t", "source", "target", "9" * 20]
QUOTED_FIELDS = ['"x y"', '"q', 'o"n', '""', '"a""b"', '"m\nn"']
FIELDS = ["1", "30", "a", *ODD_FIELDS, *QUOTED_FIELDS]


@st.composite
def texts(draw):
    separators = st.sampled_from([" ", "\t", ",", ";", "  ", ", ", "|"])
    usual = draw(separators)
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        width = draw(st.sampled_from([0, 1, 2, 2, 2, 2, 3, 4]))
        separator = draw(separators) if draw(st.integers(0, 5)) == 0 else usual
        lines.append(separator.join(draw(st.sampled_from(FIELDS)) for _ in range(width)))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return newline.join(lines) + draw(st.sampled_from(["", newline, newline * 3]))


@settings(max_examples=4 * settings().max_examples)
@given(texts(), st.sampled_from([".txt", ".csv"]))
def test_polars_never_reads_a_line_as_something_else_than_the_line_reader(text, suffix):
    """Lines that polars would misunderstand must be handed on."""
    data = text.replace("\r\n", "\n").encode()
    layout = guess_layout(data, suffix, header=False)
    table = parse_table(data, layout)
    if table is None:
        return
    names = [column.to_list() for column in parse_lines(data, layout, Path("f"))]
    if table[0].dtype.is_integer():
        names = [list(map(int, column)) for column in names]
    assert [column.to_list() for column in table] == names


PLAIN = {
    "integers": "1 2\n3 4\n",
    "runs of blanks": " 1 \t 2\n3  4 \n",
    "weights": "1\t2\t.5\n3\t4\t.25\n",
    "names": "ann bob\nbob cem\n",
    "names and blanks": "ann smith , bob\nbob,cem\n",
    "quotes": '"ann","bob"\nbob,"cem d"\n',
    "other columns": 'id,source,target\n"7",ann,bob\n8,bob,cem\n',
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_well_formed_tables_are_read_by_polars(tmp_path, monkeypatch, text):
    expected = read_graph(_written(tmp_path, text))
    monkeypatch.setattr(edge_list, "parse_lines", None)
    assert read_graph(_written(tmp_path, text)) == expected
    monkeypatch.undo()
    monkeypatch.setattr(edge_list, "parse_table", lambda *_: None)
    assert read_graph(_written(tmp_path, text)) == expected


def _written(folder, text):
    file = folder / "plain.csv"
    file.write_text(text)
    return file


SHIFTED = {
    "separators within quotes before the ends": 'id,source,target\n"a,7,8,b",1,2\n',
    "a comment before the ends": "id,source,target\n1,ann,bob\n#2,bob,cem\n",
    "a comment of two words": "ann bob\n% two\n",
    "a line that is too short": "1,2,x\n3,4\n",
    "an empty field": "ann,bob\ncem,\n",
    "quotes within a name": 'ann,o"neil\n',
}


@pytest.mark.parametrize("text", SHIFTED.values(), ids=SHIFTED)
def test_odd_tables_are_left_to_the_line_reader(text):
    data = text.encode()
    assert parse_table(data, guess_layout(data, ".csv")) is None


def test_a_line_of_another_width_is_ragged(tmp_path):
    file = tmp_path / "ragged.txt"
    file.write_text("1 2\n3 4 5\n4 5\n")
    with pytest.raises(GraphFormatError, match="line 2: 2 columns are expected, as on the first edge"):
        read_graph(file)


def test_lines_may_end_in_a_bare_carriage_return(tmp_path):
    file = tmp_path / "old.txt"
    file.write_bytes(b"1 2\r2 3\r\n3 4\n")
    assert read_graph(file).edges().tolist() == [[0, 1], [1, 2], [2, 3]]


def test_a_very_long_run_of_blanks_is_just_a_separator(tmp_path):
    file = tmp_path / "long.txt"
    file.write_text("1" + " " * 500_000 + "2\n")
    assert read_graph(file).n_edges == 1


HEADERS = [
    "source,target",
    "FromNodeId\tToNodeId",
    "u,v",
    "node_1,node_2,weight",
    "Person,Friend",
    "src dst",
    "id_1,id_2",
]


@pytest.mark.parametrize("line", HEADERS)
@pytest.mark.parametrize("edges", [["1", "2"], ["ann", "bob"]])
def test_a_header_is_known_by_its_own_words_whatever_follows(read, line, edges):
    separator = next(mark for mark in "\t, " if mark in line)
    row = separator.join([*edges, "5"][: line.count(separator) + 1])
    graph, report = read(f"{line}\n{row}\n")
    assert (graph.n_nodes, graph.n_edges) == (2, 1)
    assert report.notes[0] == "the first line was taken as a header"


@pytest.mark.parametrize("line", ["ann,bob", "user1,user2", "knows,whom", "source,bob", "u,u"])
def test_names_are_no_header_because_numbers_follow(read, line):
    """What is a header must not be guessed from the private lines below: an edge would be lost with nobody told."""
    graph, report = read(line + "\n1,2\n2,3\n" * 3)
    assert line.split(",")[0] in graph.labels.tolist()
    assert report.notes == ("the first line was read as an edge; if it is a header, say so (header=True, --header)",)


def test_a_line_that_may_be_a_header_is_asked_about_before_it_becomes_an_edge(tmp_path):
    """Else `id,student_a,student_b` makes every id a person and a release pays for a graph that is none."""
    file = tmp_path / "friends.csv"
    file.write_text("no,student_a,student_b\n1,ann,bob\n2,bob,cem\n")
    with pytest.raises(GraphFormatError, match=r"friends.csv, line 1: is this a header.*--columns.*--no-header"):
        read_graph(file)
    assert read_graph(file, columns=("student_a", "student_b")).labels.tolist() == ["ann", "bob", "cem"]
    assert read_graph(file, header=False).n_edges == 3
    with pytest.raises(ParameterError, match=r"'student-a'.*did you mean student_a .*there are: no, student_a"):
        read_graph(file, columns=("student-a", "student_b"))
    file.write_text("ann,bob,3\nbob,cem,4\n")
    assert read_graph(file).n_edges == 2
    file.write_text("person_a,person_b\nann,bob\n")
    with pytest.raises(GraphFormatError, match=r"line 1: is this a header.*--no-header"):
        read_graph(file)
    assert (read_graph(file, header=True).n_edges, read_graph(file, header=False).n_edges) == (1, 2)


def test_two_people_on_the_list_are_an_edge_and_not_a_header(tmp_path):
    file = tmp_path / "friends.csv"
    file.write_text("from,to\nto,ann\n")
    assert read_graph(file, people=["from", "to", "ann"]).n_edges == 2
    assert read_graph(file, people=["to", "ann"]).n_edges == 1
    assert read_graph(file, people=["from", "to", "ann"], header=True).n_edges == 1
    assert read_graph(file, header=False).n_edges == 2
    file.write_text("ann,bob\nbob,cem\n")
    assert read_graph(file, header=True).labels.tolist() == ["bob", "cem"]


def test_a_header_is_asked_for_where_there_may_be_one(tmp_path):
    write_graph(Graph.from_edges([(0, 1)]), tmp_path / "ours.txt")
    with pytest.raises(ParameterError, match="was written by graphveil and says itself how it reads"):
        read_graph(tmp_path / "ours.txt", header=True)
    write_graph(Graph.from_edges([(0, 1)]), tmp_path / "ours.gml")
    with pytest.raises(ParameterError, match="is for edge lists"):
        read_graph(tmp_path / "ours.gml", header=False)


def test_columns_that_are_left_out_are_noted(read):
    assert read("1 2 3 4\n2 3 4 5\n").report.notes == ("columns 1 and 2 of 4 were read, the others left out",)
    assert read("id,source,target\n1,ann,bob\n").report.notes[1].startswith("columns source and target of 3 were read")


def test_somebody_called_na_is_told(read):
    assert any("a person is called NA" in note for note in read("ann,NA\nbob,cem\n")[1].notes)
    assert not any("called NA" in note for note in read("ann,dan\nbob,cem\n")[1].notes)
