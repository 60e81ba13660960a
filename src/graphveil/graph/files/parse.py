"""Lines of edges into two columns of names.

Integers are read off the bytes, if every line is plain; otherwise names are found in the bytes as they stand; and if
some line is not plain for that either, the same bytes are read again line by line, which understands them or names the
line that is wrong.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.files.digits import scan_integers
from graphveil.graph.files.layout import Layout
from graphveil.graph.files.lines import BLANKS, lines_of, split
from graphveil.graph.files.numbering import Edges
from graphveil.graph.files.scan import scan_edges

if TYPE_CHECKING:
    import polars as pl

ENDS = ("source", "target")
_SPOKEN = {BLANKS: "blanks", "\t": "a tab"}


def parse_edges(data: bytes, layout: Layout, path: Path) -> Edges:
    """The two ends of every edge, as integers or as text."""
    edges: Edges | None = scan_integers(data, layout) if layout.integers else None
    if edges is None and _is_utf8(data):
        edges = scan_edges(data, layout)
    return edges or _parse_lines(data, layout, path)


def _is_utf8(data: bytes) -> bool:
    import pyarrow as pa

    if data.isascii():
        return True
    whole = [None, pa.py_buffer(np.array([0, len(data)])), pa.py_buffer(data)]
    try:
        pa.Array.from_buffers(pa.large_string(), 1, whole).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _parse_lines(data: bytes, layout: Layout, path: Path) -> list[pl.Series]:
    import polars as pl

    separator = _SPOKEN.get(layout.separator, repr(layout.separator))
    sources, targets, width = [], [], 0
    for number, line in lines_of(data, layout.skip):
        try:
            fields = split(line.decode(), layout.separator)
        except UnicodeDecodeError as error:
            fault = f"byte 0x{line[error.start]:02x} is not UTF-8; save the file as UTF-8 text"
        except csv.Error:
            fault = "a quotation mark is not closed"
        else:
            source, target = layout.ends(fields)
            fault = "" if source and target else f"an edge needs two ids, separated by {separator}"
            width = width or len(fields)
            if not fault and len(fields) != width:
                fault = f"has {len(fields)} columns where the first edge has {width}; ids with blanks need quotes"
        if fault:
            raise GraphFormatError(f"{path}, line {number}: {fault}")
        sources.append(source)
        targets.append(target)
    return [pl.Series(ENDS[0], sources, dtype=pl.String), pl.Series(ENDS[1], targets, dtype=pl.String)]
