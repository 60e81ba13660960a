"""Tables of edges in Arrow's form, which Parquet files, pandas, polars and pyarrow share: one edge per row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphveil.errors import GraphFormatError
from graphveil.graph.files.content import Content
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.remark import NAME, find_remark

if TYPE_CHECKING:
    import polars as pl


def content_of_table(table: Any, origin: str, notes: tuple[str, ...] = ()) -> Content:
    """Everything that a table of two columns says; with our remark, a row without target is a person without edges."""
    import polars as pl

    source, target = (_names(origin, table, place) for place in range(2))
    remark = find_remark((table.schema.metadata or {}).get(NAME.encode(), b"").decode(errors="replace"))
    del table  # the columns are all that is needed of it
    columns, rows = (source, target, source.clear()), None
    if remark and target.null_count():
        paired = target.is_not_null()
        columns = source.filter(paired), target.filter(paired), source.filter(~paired)
        rows = pl.concat([paired.arg_true(), (~paired).arg_true()])

    def place(row: int) -> str:
        return f"{origin}, row {(row if rows is None else rows[row]) + 1}"

    for column in columns:
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise GraphFormatError(f"{place(row)}: the column {column.name!r} is empty; an edge needs two ids")
    text = any(column.dtype == pl.String for column in columns)
    u, v, n_nodes, labels = number_people(columns, keep_text=text)
    declared, named = (remark.declared, not remark.by_position) if remark else (False, True)
    return Content(u, v, n_nodes, labels, declared, place, notes, named=named)


def _names(origin: str, table: Any, place: int) -> pl.Series:
    import polars as pl
    import pyarrow as pa

    column, values = table.column_names[place], table.column(place)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_integer(kind):
        return pl.Series(column, values.cast(kind))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pl.Series(column, values.cast(pa.large_string()))
    raise GraphFormatError(f"{origin}: the column {column!r} holds {kind}; the ends of edges must be integers or text")
