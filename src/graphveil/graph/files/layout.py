"""How the lines of an edge list are laid out, guessed from its first lines.

Comments and a header line are passed over. The separator is the one that splits most of the lines into two
integers, or failing that into two names. A line of names before lines of integers is a header; above names, only a
line with well-known column names is.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from graphveil.graph.files.lines import BLANKS, lines_of, split
from graphveil.graph.labels import INTEGER

SEPARATORS = ("\t", ",", ";", "|", BLANKS, ":")  # the first of equally good ones wins
CSV_SEPARATORS = (",", ";", "\t", "|", BLANKS, ":")
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


def guess_layout(data: bytes, suffix: str) -> Layout:
    """Layout of an edge list that says nothing about itself."""
    sample = [(number, line.decode(errors="replace")) for number, line in islice(lines_of(data), SAMPLE)]
    if not sample:
        return Layout(BLANKS, skip=data.count(b"\n") + 1, width=0)
    lines = [line for _, line in sample]
    separators = CSV_SEPARATORS if suffix == ".csv" else SEPARATORS
    separator = max(separators, key=lambda candidate: _score(lines, candidate))
    fields = [_fields(line, separator) for line in lines]
    named = named_columns(fields[0])
    columns = named or (0, 1)
    integers = [_are_integers(row, columns) for row in fields]
    header = named is not None or (len(fields) > 1 and _are_words(fields[0]) and all(integers[1:]))
    if header == len(sample):  # a header and nothing else
        return Layout(separator, skip=sample[0][0], width=0, header=True)
    first = lines[header]
    width = len(fields[header]) if '"' in first else first.count(separator) + 1
    return Layout(separator, sample[header][0] - 1, width, columns, integers=all(integers[header:]), header=header)


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


def _are_words(fields: list[str]) -> bool:
    return len(fields) > 1 and all(field[:1].isalpha() for field in fields[:2])


def _are_integers(fields: list[str], columns: tuple[int, int]) -> bool:
    return max(columns) < len(fields) and all(INTEGER.fullmatch(fields[column]) for column in columns)
