"""Lines of text files: which of them count, how they split into fields, and which layout an edge list has.

The layout is guessed from the first lines. Comments and a header line are passed over. The separator is the one that
splits most of the lines into two integers, or failing that into two names. A line of names before lines of integers is
a header; above names, only a line whose names say source and target, or from and to, is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

BLANKS = " "  # as a separator: any run of spaces and tabs
COMMENTS = (b"#", b"%")
SEPARATORS = ("\t", ",", ";", "|", BLANKS, ":")  # the first of equally good ones wins
CSV_SEPARATORS = (",", ";", "\t", "|", BLANKS, ":")
SAMPLE = 50
FIRST_END = {"source", "src", "from", "follower"}
SECOND_END = {"target", "dst", "destination", "to", "followee"}
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


def guess_layout(data: bytes, suffix: str) -> Layout:
    """Layout of an edge list that says nothing about itself."""
    sample = [(number, line.decode(errors="replace")) for number, line in islice(lines_of(data), SAMPLE)]
    if not sample:
        return Layout(BLANKS, skip=data.count(b"\n") + 1)
    lines = [line for _, line in sample]
    scores = {candidate: _score(lines, candidate) for candidate in (CSV_SEPARATORS if suffix == ".csv" else SEPARATORS)}
    separator = max(scores, key=scores.__getitem__) if any(map(any, scores.values())) else BLANKS
    fields = [_fields(line, separator) for line in lines]
    columns = named_columns(fields[0])
    header = columns is not None
    if columns is None:
        columns = counted_columns(fields[0])
        header = len(fields) > 1 and _are_words(fields[0]) and all(_are_integers(row, columns) for row in fields[1:])
        columns = columns if header else (0, 1)
    if header == len(sample):  # a header and nothing else
        return Layout(separator, skip=sample[0][0], header=True)
    integers = all(_are_integers(row, columns) for row in fields[header:])
    return Layout(separator, sample[header][0] - 1, columns, integers, header)


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
    for i, name in enumerate(names):
        if name.endswith("1") and (other := f"{name[:-1]}2") in names:
            return i, list(names).index(other)
    return 0, 1


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
    return max(columns) < len(fields) and all(_INTEGER.fullmatch(fields[column]) for column in columns)
