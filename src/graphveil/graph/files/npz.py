"""numpy archives: the graph's own arrays, or a sparse matrix saved by scipy.

Ours hold `edges` (m pairs of node numbers), `n_nodes`, `roster_declared`, `named` and, where nodes have names,
`labels`: an array of integers; or, for text, the bytes of all names in `label_bytes` and where each ends in
`label_ends`, because numpy cannot store variable-length strings without pickling. Pickles are never loaded. Without
labels, as in what scipy saves, people are known by position.
"""

from __future__ import annotations

import zipfile
import zlib
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import FileKind
from graphveil.graph.labels import Labels, is_text, labels_of_integers, text_labels

Arrays = dict[str, AnyArray]
MOST_NODES = 2**31 - 1
_DAMAGED = (OSError, ValueError, TypeError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error)


def read(path: Path, kind: FileKind) -> Content:  # noqa: ARG001 - all formats are called alike
    """The people and the pairs in an archive of ours, or in a matrix that scipy saved."""
    if not zipfile.is_zipfile(path):
        raise GraphFormatError(f"{path}: is damaged, cut short or no numpy archive")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays: Arrays = {name: archive[name] for name in archive.files}
        return _from_arrays(path, arrays)
    except GraphFormatError:
        raise
    except _DAMAGED:
        raise GraphFormatError(
            f"{path}: the arrays of this archive cannot be read as a graph; they must be plain arrays of numbers or "
            "text, not pickled objects, and fit each other"
        ) from None


def write(graph: Graph, stream: IO[bytes], kind: FileKind) -> None:  # noqa: ARG001 - all formats are called alike
    """Write a graph as a numpy archive."""
    arrays: Arrays = {
        "edges": graph.edges().astype(graph.indices.dtype),
        "n_nodes": np.array(graph.n_nodes),
        "roster_declared": np.array(graph.roster_declared),
        "named": np.array(bool(graph.named)),
    }
    if graph.labels is not None and is_text(graph.labels):
        names = [name.encode() for name in graph.labels.tolist()]
        arrays["label_bytes"] = np.frombuffer(b"".join(names), dtype=np.uint8)
        arrays["label_ends"] = np.cumsum([len(name) for name in names], dtype=np.int64)
    elif graph.labels is not None:
        arrays["labels"] = graph.labels
    np.savez(stream, allow_pickle=False, **arrays)


def _from_arrays(path: Path, arrays: Arrays) -> Content:
    if {"format", "shape"} <= arrays.keys():
        u, v, n_nodes = _matrix_entries(path, arrays)
    elif {"edges", "n_nodes"} <= arrays.keys():
        edges = arrays["edges"]
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise GraphFormatError(f"{path}: the array edges must have two columns")
        u, v, n_nodes = edges[:, 0], edges[:, 1], int(arrays["n_nodes"])
    else:
        found = ", ".join(sorted(arrays)) or "none"
        raise GraphFormatError(
            f"{path}: needs the arrays edges and n_nodes, or a matrix saved by scipy; found: {found}"
        )
    if not 0 <= n_nodes <= MOST_NODES:
        raise GraphFormatError(f"{path}: the number of nodes must lie between 0 and {MOST_NODES}")
    if not all(np.issubdtype(end.dtype, np.integer) for end in (u, v)):
        raise GraphFormatError(f"{path}: node numbers must be integers")
    if len(u) and (min(u.min(), v.min()) < 0 or max(u.max(), v.max()) >= n_nodes):
        raise GraphFormatError(f"{path}: an edge names a node outside 0, ..., n_nodes - 1")
    declared = bool(arrays.get("roster_declared", False))
    labels = _labels(path, arrays, n_nodes)
    named = bool(arrays.get("named", "labels" in arrays or "label_ends" in arrays))
    return Content(u, v, n_nodes, labels, declared, lambda row: f"{path}, edge {row}", named=named)


def _matrix_entries(path: Path, arrays: Arrays) -> tuple[AnyArray, AnyArray, int]:
    """Where a square matrix in one of scipy's formats has entries other than 0."""
    n_rows, n_columns = (int(side) for side in arrays["shape"])
    layout = str(arrays["format"].astype("U"))
    needed = {"csr": ("indptr", "indices"), "csc": ("indptr", "indices"), "coo": ("row", "col")}.get(layout)
    if needed is None or n_rows != n_columns or not {*needed, "data"} <= arrays.keys():
        raise GraphFormatError(f"{path}: a matrix must be square, in the format csr, csc or coo, and complete")
    first, second = (arrays[name] for name in needed)
    if layout != "coo":
        first = np.repeat(np.arange(len(first) - 1), np.diff(first))
    entries = arrays["data"] != 0
    return first[entries], second[entries], n_rows


def _labels(path: Path, arrays: Arrays, n_nodes: int) -> Labels:
    labels: Labels = None
    if "label_ends" in arrays and "label_bytes" in arrays:
        whole, ends = arrays["label_bytes"].tobytes(), [0, *arrays["label_ends"].tolist()]
        labels = text_labels([whole[a:b].decode() for a, b in pairwise(ends)])
    elif "labels" in arrays:
        given = arrays["labels"]
        if len(np.unique(given)) != n_nodes:
            raise GraphFormatError(f"{path}: every node needs one label of its own")
        if np.issubdtype(given.dtype, np.integer):
            return labels_of_integers(given)
        labels = text_labels([str(name) for name in given.tolist()])
    if labels is not None and len(np.unique(labels)) != n_nodes:
        raise GraphFormatError(f"{path}: every node needs one label of its own")
    return labels
