"""Kernels on full, sorted rows of neighbours: who is in a row, who is in two, and one name for another.

They take the two arrays rather than a `Wiring`: handing on a tuple of arrays counts references, which costs more than
the search itself.
"""

from __future__ import annotations

from typing import Any

from graphveil.kernels import kernel

MUCH_LONGER = 8  # so much longer a row is searched; shorter ones are read along


@kernel
def degree_of(indptr: Any, u: Any) -> Any:
    """The length of u's row."""
    return indptr[u + 1] - indptr[u]


@kernel
def knows(indptr: Any, rows: Any, u: Any, v: Any) -> Any:
    """Whether v is in u's row."""
    place = _find(rows, indptr[u], indptr[u + 1], v)
    return place < indptr[u + 1] and rows[place] == v


@kernel
def in_both(indptr: Any, rows: Any, u: Any, v: Any, found: Any) -> Any:
    """Write who is in both rows into `found`; returns how many they are."""
    i, end_i, j, end_j = indptr[u], indptr[u + 1], indptr[v], indptr[v + 1]
    if end_i - i > end_j - j:
        i, end_i, j, end_j = j, end_j, i, end_i
    search = end_j - j > MUCH_LONGER * (end_i - i)
    count = 0
    while i < end_i and j < end_j:
        x = rows[i]
        if search:
            j = _find(rows, j, end_j, x)
            if j == end_j:
                break
        y = rows[j]
        found[count] = x
        count += x == y
        i += x <= y
        j += y <= x
    return count


@kernel
def rename(indptr: Any, rows: Any, u: Any, old: Any, new: Any) -> None:
    """Put a new neighbour of u in place of an old one."""
    first, last = indptr[u], indptr[u + 1] - 1
    place = _find(rows, first, last, old)
    while place > first and rows[place - 1] > new:
        rows[place] = rows[place - 1]
        place -= 1
    while place < last and rows[place + 1] < new:
        rows[place] = rows[place + 1]
        place += 1
    rows[place] = new


@kernel
def _find(rows: Any, start: Any, end: Any, x: Any) -> Any:
    """Where x is in a sorted stretch of rows, or where it would go."""
    while start < end:
        middle = (start + end) // 2
        if rows[middle] < x:
            start = middle + 1
        else:
            end = middle
    return start
