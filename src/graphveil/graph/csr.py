"""From pairs of node numbers to sorted, duplicate-free rows, and back.

Rows are built by counting, not by sorting all pairs: count both directions of every pair, fill the rows, sort
each row on its own and squeeze out repeats. Cost O(m + sum of d log d), three arrays of the size of the edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel

IntArray = NDArray[np.signedinteger[Any]]


def rows_from_edges(u: IntArray, v: IntArray, n_nodes: int) -> tuple[IntArray, IntArray]:
    """(indptr, indices) of the simple undirected graph with these pairs; loops and repeats are dropped."""
    index_type = np.int32 if n_nodes < 2**31 else np.int64
    indptr, filled = _fill_rows(u, v, n_nodes, np.empty(0, dtype=index_type))
    rows: tuple[IntArray, IntArray] = _squeeze_rows(indptr, filled)
    return rows


def edges_of_rows(indptr: IntArray, indices: IntArray) -> NDArray[np.int64]:
    """Each edge once, u < v, sorted by u then v."""
    pairs: NDArray[np.int64] = _upper_pairs(indptr, indices)
    return pairs


@kernel
def _fill_rows(u: Any, v: Any, n_nodes: Any, like: Any) -> Any:
    indptr = np.zeros(n_nodes + 1, dtype=np.int64)
    for e in range(len(u)):
        if u[e] != v[e]:
            indptr[u[e] + 1] += 1
            indptr[v[e] + 1] += 1
    for i in range(n_nodes):
        indptr[i + 1] += indptr[i]
    cursor = indptr[:-1].copy()
    indices = np.empty(indptr[n_nodes], dtype=like.dtype)
    for e in range(len(u)):
        if u[e] != v[e]:
            indices[cursor[u[e]]] = v[e]
            cursor[u[e]] += 1
            indices[cursor[v[e]]] = u[e]
            cursor[v[e]] += 1
    return indptr, indices


@kernel
def _squeeze_rows(indptr: Any, indices: Any) -> Any:
    n_nodes = len(indptr) - 1
    out = np.zeros(n_nodes + 1, dtype=np.int64)
    write = 0
    for i in range(n_nodes):
        row = indices[indptr[i] : indptr[i + 1]]
        row.sort()
        previous = -1
        for k in range(len(row)):
            if row[k] != previous:
                previous = row[k]
                indices[write] = previous
                write += 1
        out[i + 1] = write
    return out, indices[:write].copy()


@kernel
def _upper_pairs(indptr: Any, indices: Any) -> Any:
    pairs = np.empty((len(indices) // 2, 2), dtype=np.int64)
    write = 0
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            if indices[k] > i:
                pairs[write, 0] = i
                pairs[write, 1] = indices[k]
                write += 1
    return pairs
