"""Parquet: a table with one edge per row.

The ends are the two columns whose names say so (source and target, from and to, …) or else the first two; they
hold integers or text. In our own files the schema carries our remark, and a row without target is a person without
edges.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.arrow import content_of_table
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.layout import table_columns
from graphveil.graph.files.remark import NAME, remark_of
from graphveil.graph.labels import is_text, label_list


def read(path: Path, kind: FileKind) -> Content:
    """Everything a table of edges says."""
    table, notes = _read_table(path, kind.columns)
    return content_of_table(table, str(path), notes)


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


def _read_table(path: Path, columns: tuple[str, str] | None) -> tuple[Any, tuple[str, ...]]:
    """The two columns with the ends of the edges, and which they are where there are others."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            first, second = table_columns(names, columns)
            ends = [] if len(names) < 2 else [names[first], names[second]]
            table = file.read(columns=ends).select(ends)
            table.validate(full=True)
    except ParameterError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise GraphFormatError(f"{path}: is damaged, cut short or not Parquet") from None
    if not ends:
        raise GraphFormatError(f"{path}: a table of edges needs two columns, source and target")
    notes = (f"columns {first + 1} and {second + 1} of {len(names)} were read, the others left out",)
    return table, notes if len(names) > 2 else ()
