"""Lines of edges into two columns of names.

polars parses integers in a plain layout at full speed. Its answer is taken only if it left nothing out: every line must
have given two. Otherwise names are found in the bytes as they stand; and if some line is not plain, the same bytes are
read again line by line, which either understands them or names the line that is wrong.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.files.layout import Layout
from graphveil.graph.files.lines import BLANKS, blank_lines_at_end, count_lines, lines_of, split
from graphveil.graph.files.names import Edges
from graphveil.graph.files.scan import scan_edges

if TYPE_CHECKING:
    import polars as pl

ENDS = ("source", "target")
MOST_COLUMNS = 64  # a wider line is no table that polars should set up columns for
_SPOKEN = {BLANKS: "blanks", "\t": "a tab"}


def parse_edges(data: bytes, layout: Layout, path: Path) -> Edges:
    """The two ends of every edge, as integers or as text."""
    edges: Edges | None = None
    if layout.integers:
        edges = _parse_integers(data, layout)
    if edges is None and _is_utf8(data):
        edges = scan_edges(data, layout)
    return edges or _parse_lines(data, layout, path)


def _parse_integers(data: bytes, layout: Layout) -> Sequence[pl.Series] | None:
    """The edges, or None if polars did not understand every line."""
    import polars as pl

    if not max(layout.columns) < layout.width <= MOST_COLUMNS:
        return None
    if layout.separator == BLANKS and layout.columns != (0, 1):
        return None
    names = dict(zip(layout.columns, ENDS, strict=True))
    quoted = b'"' in data
    try:
        lines = pl.scan_csv(
            data,
            separator=layout.separator,
            has_header=False,
            skip_lines=layout.skip,
            schema={names.get(c, f"extra{c}"): pl.Int64 if c in names else pl.String for c in range(layout.width)},
            comment_prefix="#",
            quote_char='"' if quoted else None,
        )
        last = lines.collect_schema().names()[-1]  # null where a line is too short
        edges = lines.select(*ENDS, pl.col(last).is_null().alias("short")).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    edges = _without_blank_tail(edges, data)
    if edges["source"].null_count() or edges["target"].null_count() or edges["short"].any():
        return None
    if quoted and len(edges) != count_lines(data, layout.skip):  # a stray quote swallowed lines
        return None
    return edges.select(ENDS).get_columns()


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


def _without_blank_tail(edges: pl.DataFrame, data: bytes) -> pl.DataFrame:
    """Blank lines at the very end, which polars reads as rows of nothing, are common and no fault."""
    nothing = edges["source"].null_count()
    if 0 < nothing <= blank_lines_at_end(data) and nothing == edges["target"].null_count():
        return edges.head(len(edges) - nothing)
    return edges


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
