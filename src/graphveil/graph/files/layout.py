"""How the lines of an edge list are laid out, guessed from its first lines.

Comments and a header line are passed over. The separator is the one that splits most of the lines into two
integers, or failing that into two names. A line of names before lines of integers is a header; above names, only a
line with well-known column names is.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graphveil.graph.labels import INTEGER

BLANKS = " "  # stands for any run of spaces and tabs
SEPARATORS = {".csv": (",", ";", "\t", BLANKS), ".tsv": ("\t", ",", ";", BLANKS)}
ANY_ORDER = ("\t", ",", ";", BLANKS)
COMMENTS = (b"#", b"%")
SAMPLE = 50
COLUMN_NAMES = (
    ("source", "target"),
    ("src", "dst"),
    ("from", "to"),
    ("fromnodeid", "tonodeid"),
    ("from_id", "to_id"),
    ("source_id", "target_id"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("user1", "user2"),
    ("user_1", "user_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("follower", "followee"),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the edges begin and how their lines read."""

    separator: str
    skip: int  # lines before the first edge
    width: int  # columns of the first edge
    columns: tuple[int, int] = (0, 1)
    integers: bool = True
    header: bool = False

    def names(self, line: str) -> tuple[str, str]:
        """The two ends of an edge; empty where the line has none."""
        fields = split(line, self.separator)
        first, second = (fields[c] if c < len(fields) else "" for c in self.columns)
        return first, second


def lines_of(data: bytes, skip: int = 0) -> Iterator[tuple[int, bytes]]:
    """Lines with edges on them, and their numbers counted from 1; comments and blank lines are left out."""
    for number, line in enumerate(_raw_lines(data), start=1):
        if number > skip and (content := line.strip()) and content[:1] not in COMMENTS:
            yield number, line


def _raw_lines(data: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        yield data[begin:end].removesuffix(b"\r")
        begin = end + 1


def split(line: str, separator: str) -> list[str]:
    """Fields of a line, without blanks around them; quotes may protect a separator."""
    if '"' not in line:
        return line.split() if separator == BLANKS else [field.strip() for field in line.split(separator)]
    if separator == BLANKS:
        line = line.replace("\t", BLANKS)
    fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    return [field.strip() for field in fields]


def guess_layout(data: bytes, suffix: str) -> Layout:
    """Layout of an edge list that says nothing about itself."""
    sample = [(number, line.decode(errors="replace")) for number, line in islice(lines_of(data), SAMPLE)]
    if not sample:
        return Layout(BLANKS, skip=data.count(b"\n") + 1, width=0)
    lines = [line for _, line in sample]
    separator = max(SEPARATORS.get(suffix, ANY_ORDER), key=lambda candidate: _score(lines, candidate))
    fields = [_fields(line, separator) for line in lines]
    named = named_columns(fields[0])
    columns = named or (0, 1)
    integers = [_are_integers(row, columns) for row in fields]
    header = named is not None or (len(fields) > 1 and not integers[0] and all(integers[1:]))
    first = sample[header][0] if header < len(sample) else sample[0][0] + 1
    width = lines[header].count(separator) + 1 if header < len(sample) else 0
    return Layout(separator, first - 1, width, columns, integers=all(integers[header:]), header=header)


def named_columns(names: Sequence[str]) -> tuple[int, int] | None:
    """Positions of the columns that well-known names mark as the two ends."""
    lowered = [name.lower() for name in names]
    for first, second in COLUMN_NAMES:
        if first in lowered and second in lowered:
            return lowered.index(first), lowered.index(second)
    return None


def _score(lines: list[str], separator: str) -> tuple[int, int]:
    fields = [_fields(line, separator) for line in lines]
    return sum(_are_integers(row, (0, 1)) for row in fields), sum(len(row) > 1 for row in fields)


def _fields(line: str, separator: str) -> list[str]:
    try:
        return split(line, separator)
    except csv.Error:  # reading the line in earnest will name it
        return [line]


def _are_integers(fields: list[str], columns: tuple[int, int]) -> bool:
    return max(columns) < len(fields) and all(INTEGER.fullmatch(fields[column]) for column in columns)
