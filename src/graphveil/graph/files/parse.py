"""Lines of edges into two columns of names.

polars parses a plain layout at full speed. Its answer is taken only if it left nothing out: every line must have
given two names. Otherwise the same bytes are read again line by line, which either understands them (runs of
blanks, blank lines, comments between edges) or names the line that is wrong.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphveil.errors import GraphFormatError
from graphveil.graph.files.layout import Layout
from graphveil.graph.files.lines import BLANKS, blank_lines_at_end, count_lines, lines_of, split

if TYPE_CHECKING:
    import polars as pl

ENDS = ("source", "target")
MOST_COLUMNS = 64  # a wider line is no table that polars should set up columns for
_SPOKEN = {BLANKS: "blanks", "\t": "a tab"}


def parse_edges(data: bytes, layout: Layout, path: Path) -> list[pl.Series]:
    """The two ends of every edge, as integers or as text."""
    import polars as pl

    if max(layout.columns) < layout.width <= MOST_COLUMNS and (layout.separator != BLANKS or layout.columns == (0, 1)):
        for type_of_names in (pl.Int64, pl.String) if layout.integers else (pl.String,):
            edges = _parse_plain(data, layout, type_of_names)
            if edges is not None:
                return edges.get_columns()
    return _parse_lines(data, layout, path)


def _parse_plain(data: bytes, layout: Layout, type_of_names: Any) -> pl.DataFrame | None:
    """The edges, or None if polars did not understand every line."""
    import polars as pl

    names = dict(zip(layout.columns, ENDS, strict=True))
    quoted = b'"' in data
    try:
        lines = pl.scan_csv(
            data,
            separator=layout.separator,
            has_header=False,
            skip_lines=layout.skip,
            schema={names.get(c, f"extra{c}"): type_of_names if c in names else pl.String for c in range(layout.width)},
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
    edges = edges.select(ENDS)
    if quoted and len(edges) != count_lines(data, layout.skip):  # a stray quote swallowed lines
        return None
    return edges if type_of_names == pl.Int64 else _plain_text(edges, data, layout)


def _plain_text(edges: pl.DataFrame, data: bytes, layout: Layout) -> pl.DataFrame | None:
    """Names without blanks around them, or None if some line was no plain pair of names after all.

    Whether there is anything to look at is asked of the bytes first, which is much faster than asking every name.
    """
    import polars as pl

    if (b"%" in data and b"\n%" in data) or (layout.separator == BLANKS and b"\t" in data):
        return None
    odd = [pl.col(ENDS) == ""]
    if layout.separator != BLANKS and (b" " in data or b"\t" in data):
        edges = edges.select(pl.col(ENDS).str.strip_chars(" \t"))
        odd += [pl.col(ENDS).str.starts_with(start).name.suffix(start) for start in ('"', "#", "%")]
    return None if any(edges.select(column.any() for column in odd).row(0)) else edges


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
