"""Lines of text files: which of them count, where they begin, and how they split into fields."""

from __future__ import annotations

import csv
from collections.abc import Iterator

BLANKS = " "  # as a separator: any run of spaces and tabs
COMMENTS = (b"#", b"%")


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


def offset_of_line(data: bytes, skip: int) -> int:
    """Where the first line after `skip` lines begins."""
    begin = 0
    for _ in range(skip):
        begin = data.find(b"\n", begin) + 1 or len(data)
    return begin


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
