"""The ends of edges in plain lines of text, as ranges of bytes.

Understood are fields parted by one separator or by runs of blanks, with blanks or quotation marks around them, comment
lines and blank lines. As soon as a line is anything else (of another width, with an empty end, with a quotation mark
inside a name) the whole text is left to the careful reader, which names the line that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.files.layout import Layout
from graphveil.graph.files.lines import BLANKS, offset_of_line
from graphveil.graph.files.names import Names
from graphveil.graph.parallel import mapping
from graphveil.kernels import kernel

SMALL = 2**20  # bytes; a second thread for less costs more than it saves
INSIDE, BLANK, SEPARATOR, QUOTE, LINE_END = range(5)  # what a byte may be
ODD = -1
Piece = TypeVar("Piece")


def scan_edges(data: bytes, layout: Layout) -> list[Names] | None:
    """The ends of all edges in turn (source, target, source ...), in pieces; or None if some line is not plain."""
    place_type = np.int32 if len(data) < 2**31 else np.int64  # half the memory is half the time

    def scan(text: Any, kinds: Any, begin: int, end: int) -> tuple[Names, int]:
        starts, ends = np.empty((2, 2 * count_lines(text[begin:end])), dtype=place_type)
        rows, width = _scan(text, begin, end, kinds, layout.separator == BLANKS, layout.columns, starts, ends)
        return Names(text, starts[: 2 * rows], ends[: 2 * rows]), width

    return scan_halves(data, layout, scan)


def scan_halves(
    data: bytes, layout: Layout, scan: Callable[[NDArray[np.uint8], NDArray[np.uint8], int, int], tuple[Piece, int]]
) -> list[Piece] | None:
    """`scan(text, kinds of bytes, begin, end)` of both halves, each whole lines, at once.

    It gives a piece and the number of fields a line has in it: 0 without lines, `ODD` if one is not plain. The pieces
    are returned if all lines of the text have the same number of fields.
    """
    begin, end = offset_of_line(data, layout.skip), len(data)
    middle = data.find(b"\n", (begin + end) // 2) + 1 if end - begin > SMALL else 0
    borders = [begin, middle, end] if middle else [begin, end]
    text, kinds = np.frombuffer(data, dtype=np.uint8), _kinds(layout.separator)
    with mapping(len(borders) - 1) as run:
        found = run(lambda begin, end: scan(text, kinds, begin, end), borders[:-1], borders[1:])
        pieces, widths = zip(*found, strict=True)
    return list(pieces) if len({*widths} - {0}) == 1 and ODD not in widths else None


def _kinds(separator: str) -> NDArray[np.uint8]:
    kinds = np.full(256, INSIDE, dtype=np.uint8)
    blanks = " \t"
    for kind, characters in (
        (BLANK, blanks),
        (SEPARATOR, blanks if separator == BLANKS else separator),
        (QUOTE, '"'),
        (LINE_END, "\r\n"),
    ):
        kinds[list(characters.encode())] = kind
    return kinds


@kernel
def count_lines(text: Any) -> Any:
    """How many lines there may be."""
    count = 1
    for byte in text:
        count += byte == 10
    return count


@kernel
def _scan(text: Any, at: Any, end: Any, kinds: Any, runs: Any, columns: Any, starts: Any, ends: Any) -> Any:
    """Fill in where names start and end; how many rows there are, and how many fields each has, or `ODD`."""
    rows, width = 0, 0
    while True:
        at = find_edge(text, at, end, kinds, runs)
        if at == end:
            return rows, width
        if text[at] < 32:  # the careful reader might take it for a blank
            return 0, ODD
        fields = 0
        while True:
            start = stop = at
            while stop < end and kinds[text[stop]] == INSIDE:
                stop += 1
            at = stop
            if at < end and (kinds[text[at]] == BLANK or kinds[text[at]] == QUOTE):
                at = stop = _end_of_field(text, start, end, kinds)
                while start < stop and _is_around(text[start]):
                    start += 1
                while start < stop and _is_around(text[stop - 1]):
                    stop -= 1
            for k in range(2):
                if fields == columns[k]:
                    if start >= stop:
                        return 0, ODD
                    starts[2 * rows + k] = start
                    ends[2 * rows + k] = stop
            fields += 1
            while runs and at < end and kinds[text[at]] == SEPARATOR:
                at += 1
            if at in (end, ODD) or kinds[text[at]] == LINE_END:
                break
            at += not runs
        if at == ODD or fields <= max(columns) or (rows > 0 and fields != width):
            return 0, ODD
        width = fields
        rows += 1


@kernel
def find_edge(text: Any, at: Any, end: Any, kinds: Any, runs: Any) -> Any:
    """Where the next line begins that is neither blank nor a comment."""
    while at < end:
        kind = kinds[text[at]]
        if kind in (BLANK, LINE_END) or (runs and kind == SEPARATOR):
            at += 1
        elif text[at] == 35 or text[at] == 37:  # a comment begins with # or %
            while at < end and kinds[text[at]] != LINE_END:
                at += 1
        else:
            break
    return at


@kernel
def _end_of_field(text: Any, at: Any, end: Any, kinds: Any) -> Any:
    """Where a field with blanks or quotation marks is over, or `ODD`."""
    while at < end and kinds[text[at]] == BLANK:
        at += 1
    if at < end and kinds[text[at]] == QUOTE:
        at += 1
        while at < end and text[at] >= 32 and kinds[text[at]] != QUOTE:
            at += 1
        if at == end or kinds[text[at]] != QUOTE:
            return ODD
        at += 1
        while at < end and kinds[text[at]] == BLANK:
            at += 1
    else:
        while at < end and kinds[text[at]] <= BLANK:
            at += 1
    return at if at == end or kinds[text[at]] == SEPARATOR or kinds[text[at]] == LINE_END else ODD


@kernel
def _is_around(byte: Any) -> Any:
    return byte == 32 or byte == 9 or byte == 34
