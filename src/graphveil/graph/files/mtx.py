"""MatrixMarket: a square sparse matrix, with an edge wherever an entry is not 0.

Rows and columns have no names, so people are known by position, which node privacy refuses.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO

import numpy as np

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.files.streams import read_bytes

MOST_NODES = 2**31 - 1


def read(path: Path, kind: FileKind) -> Content:
    """The pairs of rows and columns at which the matrix has an entry."""
    from scipy.io import mminfo, mmread

    data = read_bytes(path, kind.compression)
    try:
        rows, columns, *_ = mminfo(io.BytesIO(data))
        if rows != columns:
            raise GraphFormatError(
                f"{path}: a matrix of a graph is square, and this has {rows} rows and {columns} columns"
            )
        if rows > MOST_NODES:
            raise GraphFormatError(f"{path}: the number of nodes must lie between 0 and {MOST_NODES}")
        matrix = mmread(io.BytesIO(data), spmatrix=False)
    except GraphFormatError:
        raise
    except (ValueError, TypeError, OverflowError, MemoryError, OSError):
        raise GraphFormatError(f"{path}: is damaged, cut short or no MatrixMarket file") from None
    if isinstance(matrix, np.ndarray):
        u, v = matrix.nonzero()
    else:
        present = matrix.data != 0
        u, v = matrix.row[present], matrix.col[present]
    upper = u <= v  # of a symmetric matrix each entry comes twice
    if _is_symmetric(data):
        u, v = u[upper], v[upper]
    return Content(
        u, v, int(rows), None, roster_declared=False, place=lambda row: f"{path}, entry {row + 1}", named=False
    )


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph whose people have no names as a symmetric pattern."""
    if graph.named or graph.labels is not None or graph.roster_declared:
        raise ParameterError(
            "a MatrixMarket file keeps no names and no list of people; write .npz, or read it as a matrix with scipy"
        )
    ends = graph.edges() + 1
    head = f"%%MatrixMarket matrix coordinate pattern symmetric\n{graph.n_nodes} {graph.n_nodes} {len(ends)}\n"
    stream.write(head.encode())
    stream.writelines(f"{v} {u}\n".encode() for u, v in ends.tolist())


def _is_symmetric(data: bytes) -> bool:
    return b"symmetric" in data[: data.find(b"\n")].lower() or b"hermitian" in data[: data.find(b"\n")].lower()
