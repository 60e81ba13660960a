"""Parquet: a table with one edge per row.

The ends are the two columns whose names say so (source and target, from and to, …) or else the first two; they
hold integers or text. In our own files the schema carries our remark, and a row without target is a person without
edges.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.layout import counted_columns, named_columns
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.remark import NAME, find_remark, remark_of
from graphveil.graph.labels import is_text, label_list

if TYPE_CHECKING:
    import polars as pl


def read(path: Path, kind: FileKind) -> Content:  # noqa: ARG001 - all formats are called alike
    """Everything a table of edges says."""
    import polars as pl

    table = _read_table(path)
    source, target = (_names(path, table, column) for column in table.column_names)
    remark = find_remark((table.schema.metadata or {}).get(NAME.encode(), b"").decode(errors="replace"))
    del table  # the columns are all that is needed of it
    columns, rows = (source, target, source.clear()), None
    if remark and target.null_count():
        paired = target.is_not_null()
        columns = source.filter(paired), target.filter(paired), source.filter(~paired)
        rows = pl.concat([paired.arg_true(), (~paired).arg_true()])

    def place(row: int) -> str:
        return f"{path}, row {(row if rows is None else rows[row]) + 1}"

    for column in columns:
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise GraphFormatError(f"{place(row)}: the column {column.name!r} is empty; an edge needs two ids")
    text = any(column.dtype == pl.String for column in columns)
    u, v, n_nodes, labels = number_people(columns, keep_text=text)
    declared, named = (remark.declared, not remark.by_position) if remark else (False, True)
    return Content(u, v, n_nodes, labels, declared, place, named=named)


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph as a table of edges."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    ends = graph.edges()
    alone = np.flatnonzero(graph.degrees == 0)
    labels = pa.array(label_list(graph.labels, graph.n_nodes), pa.string() if is_text(graph.labels) else pa.int64())
    source = labels.take(pa.array(np.concatenate((ends[:, 0], alone))))
    target = pa.concat_arrays([labels.take(pa.array(ends[:, 1])), pa.nulls(len(alone), labels.type)])
    table = pa.table({"source": source, "target": target})
    pq.write_table(table.replace_schema_metadata({NAME: str(remark_of(graph))}), stream, compression="zstd")


def _read_table(path: Path) -> Any:
    """The two columns with the ends of the edges."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            first, second = named_columns(names) or counted_columns(names)
            ends = [] if len(names) < 2 else [names[first], names[second]]
            table = file.read(columns=ends).select(ends)
            table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise GraphFormatError(f"{path}: is damaged, cut short or not Parquet") from None
    if not ends:
        raise GraphFormatError(f"{path}: a table of edges needs two columns, source and target")
    return table


def _names(path: Path, table: Any, column: str) -> pl.Series:
    import polars as pl
    import pyarrow as pa

    values = table.column(column)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_integer(kind):
        return pl.Series(column, values.cast(kind))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pl.Series(column, values.cast(pa.large_string()))
    raise GraphFormatError(f"{path}: the column {column!r} holds {kind}; the ends of edges must be integers or text")
