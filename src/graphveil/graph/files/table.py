"""Tables with one edge per row, as Parquet files, pandas, polars and pyarrow hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphveil.errors import GraphFormatError
from graphveil.graph.files.content import Content
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.remark import find_remark

if TYPE_CHECKING:
    import polars as pl


def content_of_table(table: pl.DataFrame, origin: str, notes: tuple[str, ...] = (), *, remark: str = "") -> Content:
    """Everything that a table of two columns says; with our remark, a row without target is a person without edges."""
    import polars as pl

    source, target = (_names(origin, column) for column in table)
    own = find_remark(remark)
    columns, rows = (source, target, source.clear()), None
    if own and target.null_count():
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
    declared, named = (own.declared, not own.by_position) if own else (False, True)
    return Content(u, v, n_nodes, labels, declared, place, notes, named=named)


def _names(origin: str, column: pl.Series) -> pl.Series:
    import polars as pl

    if column.dtype.is_integer() or column.dtype == pl.String:
        return column
    if column.dtype in (pl.Categorical, pl.Enum):
        return column.cast(pl.String)
    raise GraphFormatError(
        f"{origin}: the column {column.name!r} holds {column.dtype}; the ends of edges must be integers or text"
    )
