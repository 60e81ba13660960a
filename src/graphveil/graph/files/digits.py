"""The ends of edges in plain lines of integers, as numbers.

One pass over the bytes, a thread for each half. Understood is what `scan` understands, as long as both ends are plain
digits: with a sign, a quotation mark or more than 18 digits, the whole text is left to the reader of names.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.files.layout import Layout
from graphveil.graph.files.lines import BLANKS
from graphveil.graph.files.scan import BLANK, INSIDE, LINE_END, ODD, SEPARATOR, count_lines, find_edge, scan_halves
from graphveil.kernels import kernel

U = np.uint64
ZERO, NINE = np.uint8(ord("0")), np.uint8(9)
MOST_DIGITS = U(18)  # any such number fits into 64 bits


class Integers(NamedTuple):
    """The two ends of every edge, each column in pieces as they were scanned."""

    sources: list[NDArray[np.int64]]
    targets: list[NDArray[np.int64]]


def scan_integers(data: bytes, layout: Layout) -> Integers | None:
    """The ends of all edges; or None if some line is not plain."""

    def scan(text: Any, kinds: Any, begin: int, end: int) -> tuple[Any, int]:
        ends = np.empty((2, count_lines(text[begin:end])), dtype=np.int64)
        rows, width = _scan(text, begin, end, kinds, layout.separator == BLANKS, layout.columns, ends)
        return ends[:, :rows], width

    pieces = scan_halves(data, layout, scan)
    return None if pieces is None else Integers([ends[0] for ends in pieces], [ends[1] for ends in pieces])


@kernel
def _scan(text: Any, begin: Any, stop: Any, kinds: Any, runs: Any, columns: Any, ends: Any) -> Any:
    """Fill in the ends; how many rows there are, and how many fields each has, or `ODD`.

    Positions are unsigned: for signed ones, each look at a byte would first ask whether they count from the end.
    """
    sources, targets = ends
    first, second = U(columns[0]), U(columns[1])
    at, end, rows, width = U(begin), U(stop), U(0), U(0)
    while True:
        if at < end and text[at] - ZERO > NINE:
            at = U(find_edge(text, np.int64(at), stop, kinds, runs))
        if at >= end:
            return rows, np.int64(width)
        field = U(0)
        while True:
            start, value = at, U(0)
            if field in (first, second):
                while at < end and text[at] - ZERO <= NINE:
                    value = U(10) * value + U(text[at] - ZERO)
                    at += U(1)
                if at == start or at - start > MOST_DIGITS:
                    return U(0), ODD
                if field == first:
                    sources[rows] = value
                else:
                    targets[rows] = value
            else:
                while at < end and kinds[text[at]] == INSIDE:
                    at += U(1)
            field += U(1)
            while at < end and kinds[text[at]] == BLANK:
                at += U(1)
            if at < end and kinds[text[at]] != SEPARATOR and kinds[text[at]] != LINE_END:
                return U(0), ODD
            while runs and at < end and kinds[text[at]] == SEPARATOR:
                at += U(1)
            if at >= end or kinds[text[at]] == LINE_END:
                break
            if not runs:
                at += U(1)
        if field <= max(first, second) or (rows > U(0) and field != width):
            return U(0), ODD
        at += U(1)
        width = field
        rows += U(1)
