"""From pairs of node numbers to sorted, duplicate-free rows, and back.

Nothing is sorted: counting passes order the rows as a by-product. Every pair is put under its lower end; walking the
lower ends upwards and handing each to its upper ends gives every node its lower neighbours, already in rising order,
so that repeats stand side by side and fall out; walking those rows upwards once more adds the upper neighbours, again
in rising order. Cost O(n + m); besides the result, two arrays with one entry per pair.

Large inputs are cut into two parts, first by pairs and then by lower ends, with a thread each: no part writes where
another reads or writes. Tiny inputs are sorted by numpy, so that a command on a small graph never loads the compiler.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.graph.parallel import Run, mapping
from graphveil.kernels import kernel

SMALL = 2**18  # pairs; a second thread for fewer costs more than it saves
TINY = 2**15  # pairs; numpy sorts so few in a millisecond, where loading the compiler takes half a second


def rows_from_edges(u: AnyIntegers, v: AnyIntegers, n_nodes: int) -> tuple[AnyIntegers, AnyIntegers]:
    """(indptr, indices) of the simple undirected graph with these pairs; loops and repeats are dropped.

    The pairs must lie in 0..n_nodes - 1: the compiled passes do not check.
    """
    index_type = np.int32 if n_nodes < 2**31 else np.int64
    if len(u) < TINY and n_nodes < 2**31:
        return _sorted_rows(np.asarray(u, dtype=np.int64), np.asarray(v, dtype=np.int64), n_nodes)
    u, v = np.ascontiguousarray(u, dtype=index_type), np.ascontiguousarray(v, dtype=index_type)
    parts = 1 if len(u) < SMALL else 2
    with mapping(parts) as run:
        return _rows(u, v, n_nodes, parts=parts, run=run)


def edges_of_rows(indptr: AnyIntegers, indices: AnyIntegers) -> Integers:
    """Each edge once, u < v, sorted by u then v."""
    if len(indices) < TINY:
        rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        upper = indices > rows
        return np.column_stack((rows[upper], indices[upper].astype(np.int64)))
    pairs: Integers = _upper_pairs(indptr, indices)
    return pairs


def _sorted_rows(u: Integers, v: Integers, n_nodes: int) -> tuple[Integers, AnyIntegers]:
    """The same by sorting both directions of all pairs, for the few pairs of a small graph."""
    kept = u != v
    u, v = u[kept], v[kept]
    rows, indices = np.divmod(np.unique(np.concatenate((u * n_nodes + v, v * n_nodes + u))), max(n_nodes, 1))
    return np.searchsorted(rows, np.arange(n_nodes + 1)), indices.astype(np.int32)


def _rows(u: AnyIntegers, v: AnyIntegers, n_nodes: int, *, parts: int, run: Run) -> tuple[AnyIntegers, AnyIntegers]:
    starts, uppers = bucket_by_lower_end(u, v, n_nodes, parts, run)
    cuts = np.searchsorted(starts, np.linspace(0, len(uppers), parts + 1)[1:-1]).tolist()
    found = list(run(lambda a, b: _lower_neighbours(starts, uppers, a, b), [0, *cuts], [*cuts, n_nodes]))
    begins, ends, lowers, n_uppers = zip(*found, strict=True)
    n_lowers = [end - begin[:-1] for begin, end in zip(begins, ends, strict=True)]
    indptr = _offsets(sum(n_lowers) + np.concatenate(n_uppers))
    # within a row: the lower neighbours that each part found, then the upper ones
    *lower_places, upper_places = np.cumsum([indptr[:-1], *n_lowers], axis=0, dtype=indptr.dtype)
    indices = np.empty(indptr[-1], dtype=u.dtype)
    list(run(lambda *part: _fill_rows(indices, upper_places, *part), begins, ends, lowers, lower_places))
    return indptr.astype(np.int64), indices


def bucket_by_lower_end(
    u: AnyIntegers, v: AnyIntegers, n_nodes: int, parts: int = 1, run: Run = map
) -> tuple[AnyIntegers, AnyIntegers]:
    """The upper ends of all pairs (loops left out), those of lower end i in `uppers[starts[i]:starts[i + 1]]`."""
    counter = np.empty(0, dtype=np.int32 if 2 * len(u) < 2**31 else np.int64)  # its type is that of all offsets
    us, vs = np.array_split(u, parts), np.array_split(v, parts)
    counts = list(run(lambda u, v: _count_lower_ends(u, v, n_nodes, counter), us, vs))
    starts = _offsets(sum(counts))
    uppers = np.empty(starts[-1], dtype=u.dtype)
    cursors = np.cumsum([starts[:-1], *counts[:-1]], axis=0, dtype=starts.dtype)
    list(run(lambda u, v, cursor: _fill_buckets(u, v, cursor, uppers), us, vs, cursors))
    return starts, uppers


def _offsets(counts: AnyIntegers) -> AnyIntegers:
    offsets = np.zeros(len(counts) + 1, dtype=counts.dtype)
    np.cumsum(counts, out=offsets[1:])
    return offsets


@kernel
def _count_lower_ends(u: Any, v: Any, n_nodes: Any, counter: Any) -> Any:
    counts = np.zeros(n_nodes, dtype=counter.dtype)
    for e in range(len(u)):
        if u[e] != v[e]:
            counts[min(u[e], v[e])] += 1
    return counts


@kernel
def _fill_buckets(u: Any, v: Any, cursor: Any, uppers: Any) -> None:
    for e in range(len(u)):
        if u[e] != v[e]:
            lower = min(u[e], v[e])
            uppers[cursor[lower]] = max(u[e], v[e])
            cursor[lower] += 1


@kernel
def _lower_neighbours(starts: Any, uppers: Any, first: Any, last: Any) -> Any:
    """Lower neighbours between first and last: those of j in `lowers[begins[j]:ends[j]]`; and numbers of upper ones."""
    n_nodes = len(starts) - 1
    begins = np.zeros(n_nodes + 1, dtype=starts.dtype)
    for k in range(starts[first], starts[last]):
        begins[uppers[k] + 1] += 1
    for j in range(n_nodes):
        begins[j + 1] += begins[j]
    ends = begins[:-1].copy()
    latest = np.full(n_nodes, -1, dtype=uppers.dtype)
    lowers = np.empty(begins[n_nodes], dtype=uppers.dtype)
    n_uppers = np.zeros(last - first, dtype=starts.dtype)
    for i in range(first, last):
        for k in range(starts[i], starts[i + 1]):
            j = uppers[k]
            if latest[j] != i:
                latest[j] = i
                lowers[ends[j]] = i
                ends[j] += 1
                n_uppers[i - first] += 1
    return begins, ends, lowers, n_uppers


@kernel
def _fill_rows(indices: Any, upper_place: Any, begins: Any, ends: Any, lowers: Any, lower_place: Any) -> None:
    for j in range(len(ends)):
        place = lower_place[j]
        for k in range(begins[j], ends[j]):
            i = lowers[k]
            indices[place] = i
            place += 1
            indices[upper_place[i]] = j
            upper_place[i] += 1


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
