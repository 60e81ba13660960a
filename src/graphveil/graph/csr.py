"""From pairs of node numbers to sorted, duplicate-free rows, and back.

Nothing is sorted: three counting passes order the rows as a by-product. Every pair is put under its lower end;
walking the lower ends upwards and handing each to its upper ends gives every node its lower neighbours, already
in rising order, so that repeats stand side by side and fall out; walking those rows upwards once more adds the
upper neighbours, again in rising order. Cost O(n + m); besides the result, two arrays with one entry per pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel

IntArray = NDArray[np.signedinteger[Any]]


def rows_from_edges(u: IntArray, v: IntArray, n_nodes: int) -> tuple[IntArray, IntArray]:
    """(indptr, indices) of the simple undirected graph with these pairs; loops and repeats are dropped.

    The pairs must lie in 0..n_nodes - 1: the compiled passes do not check.
    """
    index_type = np.int32 if n_nodes < 2**31 else np.int64
    starts, uppers = _bucket_by_lower_end(
        np.ascontiguousarray(u, dtype=index_type), np.ascontiguousarray(v, dtype=index_type), n_nodes
    )
    rows: tuple[IntArray, IntArray] = _symmetric_rows(*_lower_neighbours(starts, uppers))
    return rows


def edges_of_rows(indptr: IntArray, indices: IntArray) -> NDArray[np.int64]:
    """Each edge once, u < v, sorted by u then v."""
    pairs: NDArray[np.int64] = _upper_pairs(indptr, indices)
    return pairs


@kernel
def _bucket_by_lower_end(u: Any, v: Any, n_nodes: Any) -> Any:
    # starts[i + 1] serves as the cursor of bucket i, and has moved to the end of the bucket when it is full
    starts = np.zeros(n_nodes + 2, dtype=np.int64)
    for e in range(len(u)):
        if u[e] != v[e]:
            starts[min(u[e], v[e]) + 2] += 1
    for i in range(n_nodes):
        starts[i + 2] += starts[i + 1]
    uppers = np.empty(starts[n_nodes + 1], dtype=u.dtype)
    for e in range(len(u)):
        if u[e] != v[e]:
            lower = min(u[e], v[e])
            uppers[starts[lower + 1]] = max(u[e], v[e])
            starts[lower + 1] += 1
    return starts[:-1], uppers


@kernel
def _lower_neighbours(starts: Any, uppers: Any) -> Any:
    n_nodes = len(starts) - 1
    begins = np.zeros(n_nodes + 1, dtype=np.int64)
    for e in range(len(uppers)):
        begins[uppers[e] + 1] += 1
    for i in range(n_nodes):
        begins[i + 1] += begins[i]
    ends = begins[:-1].copy()
    lowers = np.empty(len(uppers), dtype=uppers.dtype)
    for i in range(n_nodes):
        for k in range(starts[i], starts[i + 1]):
            j = uppers[k]
            end = ends[j]
            if end == begins[j] or lowers[end - 1] != i:
                lowers[end] = i
                ends[j] = end + 1
    return begins, ends, lowers


@kernel
def _symmetric_rows(begins: Any, ends: Any, lowers: Any) -> Any:
    n_nodes = len(ends)
    indptr = np.zeros(n_nodes + 1, dtype=np.int64)
    for j in range(n_nodes):
        indptr[j + 1] += ends[j] - begins[j]
        for k in range(begins[j], ends[j]):
            indptr[lowers[k] + 1] += 1
    for i in range(n_nodes):
        indptr[i + 1] += indptr[i]
    cursor = indptr[:-1].copy()
    indices = np.empty(indptr[n_nodes], dtype=lowers.dtype)
    for j in range(n_nodes):
        own = cursor[j]
        for k in range(begins[j], ends[j]):
            i = lowers[k]
            indices[own] = i
            own += 1
            indices[cursor[i]] = j
            cursor[i] += 1
        cursor[j] = own
    return indptr, indices


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
