"""Lines of text files: which of them count, how they split into fields, and which layout an edge list has.

Comments and a header line are passed over. The first line is a header if the caller says so, or if its fields are
well-known names of columns: two of them say source and target, or from and to; or all are in HEADER_NAMES. Nothing is
guessed from the lines below, which are private; and where there is a list of people, two names on it are an edge. A
first line of three or more cells without a number is refused, since it may be a header with other names. The separator
is the one that splits most of the first lines into two integers, or failing that into two names.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graphveil.errors import GraphFormatError, ParameterError, unknown_name

BLANKS = " "  # as a separator: any run of spaces and tabs
COMMENTS = (b"#", b"%")
SEPARATORS = ("\t", ",", ";", "|", BLANKS, ":")  # the first of equally good ones wins
CSV_SEPARATORS = (",", ";", "\t", "|", BLANKS, ":")
SEPARATOR_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": BLANKS, "bar": "|", "colon": ":"}
SAMPLE = 50
SKIPPED = "the first line was taken as a header"
FIRST_END = {"source", "src", "from", "follower"}
SECOND_END = {"target", "dst", "destination", "to", "followee"}
HEADER_NAMES = {
    *("source", "target", "src", "dst", "from", "to", "u", "v", "node", "node1", "node2", "nodea", "nodeb"),
    *(
        "id",
        "id1",
        "id2",
        "numericid1",
        "numericid2",
        "vertex1",
        "vertex2",
        "name1",
        "name2",
        "person",
        "friend",
        "user",
    ),
    *(
        "follower",
        "followee",
        "weight",
        "time",
        "timestamp",
        "date",
        "year",
        "type",
        "label",
        "sign",
        "rating",
        "count",
    ),
}
_ENDS = re.compile(r"([a-z]+)[ _-]([a-z])")  # person_a and person_b
COLUMN_WORDS = {"person", "user", "node", "name", "student", "pupil", "member", "friend", "id", "vertex", "actor"}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_IDENTIFIER = re.compile(r"[A-Za-z]\w*")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the edges begin and how their lines read."""

    separator: str
    skip: int  # lines before the first edge
    columns: tuple[int, int] = (0, 1)
    integers: bool = True
    header: bool = False
    notes: tuple[str, ...] = ()

    def ends(self, fields: Sequence[str]) -> tuple[str, str]:
        """The two ends of an edge; empty where the line has none."""
        first, second = (fields[c] if c < len(fields) else "" for c in self.columns)
        return first, second


def lines_of(data: bytes, skip: int = 0) -> Iterator[tuple[int, bytes]]:
    """Lines after the first `skip`, with their numbers counted from 1; comments and blank lines are left out."""
    begin = number = 0
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        number += 1
        line = data[begin:end]
        if number > skip and (content := line.strip()) and content[:1] not in COMMENTS:
            yield number, line.removesuffix(b"\r")
        begin = end + 1


def split(line: str, separator: str) -> list[str]:
    """Fields of a line, without spaces and tabs around them; quotes may protect a separator."""
    if separator == BLANKS:
        line = line.replace("\t", BLANKS)
    if '"' in line:
        fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    elif separator == BLANKS:
        return [field for field in line.split(BLANKS) if field]
    else:
        fields = line.split(separator)
    return [field.strip(" \t") for field in fields]


def guess_layout(
    data: bytes,
    suffix: str,
    *,
    header: bool | None = None,
    people: Collection[str] | None = None,
    columns: tuple[str, str] | None = None,
    separator: str | None = None,
) -> Layout:
    """Layout of an edge list that says nothing about itself.

    `header` says whether it has one, if the caller knows; `people` are all there are, if they are listed. `columns` are
    those with the ends of edges, and `separator` stands between them, if the caller says so.
    """
    by_name = columns is not None and not all(map(_INTEGER.fullmatch, columns))
    if by_name and header is False:
        raise ParameterError("columns can be named only where there is a header; give their places, such as 1,3")
    header = True if by_name else header
    sample = [(number, line.decode(errors="replace")) for number, line in islice(lines_of(data), SAMPLE)]
    if not sample:
        return Layout(BLANKS, skip=data.count(b"\n") + 1)
    lines = [line for _, line in sample]
    separator = _separator(lines, suffix) if separator is None else separator
    fields = [_fields(line, separator) for line in lines]
    said = header is not None or columns is not None
    if header is None:
        known = people is not None and len(fields[0]) > 1 and all(name in people for name in fields[0][:2])
        header = not known and _is_header(fields[0])
        if not (known or header or columns or separator == BLANKS):
            _refuse_doubtful(sample[0][0], fields[0])
    ends = (0, 1) if columns is None else chosen_columns(fields[0], columns)
    if header and columns is None:
        ends = named_columns(fields[0]) or counted_columns(fields[0])
    if header == len(sample):  # a header and nothing else
        return Layout(separator, skip=sample[0][0], columns=ends, header=True, notes=(SKIPPED,))
    width, integers = len(fields[header]), [_are_integers(row, ends) for row in fields[header:]]
    notes: tuple[str, ...] = (SKIPPED,) if header else ()
    if width > 2:
        first, second = (fields[0][column] if header else column + 1 for column in ends)
        notes += (f"columns {first} and {second} of {width} were read, the others left out",)
    odd_one = len(integers) > 1 and all(integers[1:])
    if not header and not integers[0] and (odd_one or (suffix == ".csv" and not said)):
        notes += ("the first line was read as an edge; if it is a header, say so (header=True, --header)",)
    return Layout(separator, sample[header][0] - 1, ends, all(integers), header, notes)


def named_columns(names: Sequence[str]) -> tuple[int, int] | None:
    """Positions of two columns whose names say that they are the ends of edges, such as FromNodeId and ToNodeId."""
    words = [set(map(str.lower, _WORD.findall(name))) if _IDENTIFIER.fullmatch(name) else set() for name in names]
    first = next((i for i, word in enumerate(words) if word & FIRST_END), None)
    second = next((i for i, word in enumerate(words) if word & SECOND_END and i != first), None)
    return None if first is None or second is None else (first, second)


def counted_columns(names: Sequence[str]) -> tuple[int, int]:
    """Positions of two columns with names such as node_1 and node_2, or else the first two.

    Only for what is known to be column names: people may well be called node_1 and node_2.
    """
    return numbered_columns(names) or (0, 1)


def numbered_columns(names: Sequence[str]) -> tuple[int, int] | None:
    """Positions of two columns with names such as node_1 and node_2, if there are such."""
    for i, name in enumerate(names):
        if name.endswith("1") and (other := f"{name[:-1]}2") in names:
            return i, list(names).index(other)
    return None


def chosen_columns(names: Sequence[str], wanted: tuple[str, str]) -> tuple[int, int]:
    """Positions of the two columns that the caller wants, by name or by place counted from 1."""
    where = "(columns=, --columns)"
    return chosen_column(names, wanted[0], where), chosen_column(names, wanted[1], where)


def chosen_column(names: Sequence[str], column: str, where: str) -> int:
    """Position of a column by its name or its place counted from 1; `where` is the option that gives it."""
    if column in names:
        return list(names).index(column)
    if _INTEGER.fullmatch(column) and 1 <= int(column) <= len(names):
        return int(column) - 1
    listed = f"there are: {', '.join(names)}; or give a place from 1 to {len(names)}"
    raise unknown_name("column", column, names, where=where, listed=listed)


def table_columns(names: Sequence[str], wanted: tuple[str, str] | None) -> tuple[int, int]:
    """Positions of the ends of edges in a table with these columns: as wanted, or as names say, or the first two."""
    return chosen_columns(names, wanted) if wanted else named_columns(names) or counted_columns(names)


def table_separator(text: str, suffix: str) -> str:
    r"""What stands between the cells of a table of people, as its first line says; names of people may have blanks.

    >>> table_separator("person;dept\n", ".csv"), table_separator("person", ".csv")
    (';', ',')
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    usual = "\t" if suffix == ".tsv" else ","
    return max((usual, ",", ";", "\t"), key=lambda separator: len(_fields(first, separator)))


def _separator(lines: list[str], suffix: str) -> str:
    scores = {candidate: _score(lines, candidate) for candidate in (CSV_SEPARATORS if suffix == ".csv" else SEPARATORS)}
    return max(scores, key=scores.__getitem__) if any(map(any, scores.values())) else BLANKS


def _score(lines: list[str], separator: str) -> tuple[int, int]:
    fields = [_fields(line, separator) for line in lines]
    return sum(_are_integers(row, (0, 1)) for row in fields), sum(len(row) > 1 for row in fields)


def _fields(line: str, separator: str) -> list[str]:
    try:
        return split(line, separator)
    except csv.Error:  # reading the line in earnest will name it
        return [line]


def _is_header(fields: list[str]) -> bool:
    names = [re.sub("[ _-]", "", field).lower() for field in fields]
    return named_columns(fields) is not None or (len(set(names)) == len(names) > 1 and HEADER_NAMES.issuperset(names))


def _refuse_doubtful(line: int, fields: list[str]) -> None:
    """A line such as `id,student_a,student_b` must not become an edge between the people `id` and `student_a`."""
    wide = len(fields) > 2 and not any(field[:1].isdigit() or _INTEGER.match(field) for field in fields)
    if wide or (len(fields) == 2 and _are_ends(*fields)):
        raise GraphFormatError(
            f"line {line}: is this a header? It has {len(fields)} columns and no number. If so, name the two columns "
            "with the ends of edges (columns=, --columns A,B); if it is an edge, say so (header=False, --no-header)"
        )


def _are_ends(first: str, second: str) -> bool:
    """Whether two cells are called alike but for a last letter, as columns often are and people hardly ever."""
    one, other = (_ENDS.fullmatch(cell.lower()) for cell in (first, second))
    return one is not None and other is not None and one[1] == other[1] in COLUMN_WORDS and one[2] != other[2]


def _are_integers(fields: list[str], columns: tuple[int, int]) -> bool:
    return max(columns) < len(fields) and all(_INTEGER.fullmatch(fields[column]) for column in columns)
