"""Parquet: a table with one edge per row.

The ends are the two columns whose names say so (source and target, from and to, …) or else the first two; they
hold integers or text. In our own files the schema carries our remark, and a row without target is a person without
edges.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.layout import table_columns
from graphveil.graph.files.remark import NAME, remark_of
from graphveil.graph.files.table import content_of_table
from graphveil.graph.labels import is_text, label_list


def read(path: Path, kind: FileKind) -> Content:
    """Everything a table of edges says."""
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    try:
        names = list(pl.read_parquet_schema(path))
        first, second = table_columns(names, kind.columns)
        if len(names) < 2:
            raise GraphFormatError(f"{path}: a table of edges needs two columns, source and target")
        table = pl.read_parquet(path, columns=[names[first], names[second]], glob=False)
        remark = pl.read_parquet_metadata(path).get(NAME, "")
    except (PolarsError, PanicException, OSError, UnicodeError):
        raise GraphFormatError(f"{path}: is damaged, cut short or not Parquet") from None
    notes = (f"columns {first + 1} and {second + 1} of {len(names)} were read, the others left out",)
    return content_of_table(
        table.select(names[first], names[second]), str(path), notes if len(names) > 2 else (), remark=remark
    )


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph as a table of edges."""
    import polars as pl

    ends = graph.edges()
    alone = np.flatnonzero(graph.degrees == 0)
    labels = pl.Series(label_list(graph.labels, graph.n_nodes), dtype=pl.String if is_text(graph.labels) else pl.Int64)
    source = labels.gather(np.concatenate((ends[:, 0], alone)))
    target = labels.gather(ends[:, 1]).extend_constant(None, len(alone))
    table = pl.DataFrame({"source": source, "target": target})
    table.write_parquet(stream, compression="zstd", metadata={NAME: str(remark_of(graph))})
