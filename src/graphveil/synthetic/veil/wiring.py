"""A graph with given degrees while it is being made or changed: a row of neighbours for everybody, nothing else.

Rows are filled in any order and sorted once they are full. Whether two people are joined is looked up in the shorter
of their two rows, so no table of pairs is kept: 16 bytes for an edge in all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import Integers, SmallIntegers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel


class Wiring(NamedTuple):
    """Node u's neighbours are `rows[indptr[u]:indptr[u] + filled[u]]`."""

    indptr: Integers
    rows: SmallIntegers
    filled: SmallIntegers
    owner: SmallIntegers  # whose row each place belongs to


def empty_wiring(degrees: Integers) -> Wiring:
    """A wiring with free places for these degrees, in which no two people are joined yet."""
    indptr = np.concatenate(([0], np.cumsum(degrees)))
    owner = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees)
    return Wiring(indptr, np.full(indptr[-1], -1, dtype=np.int32), np.zeros(len(degrees), dtype=np.int32), owner)


def as_graph(wiring: Wiring) -> Graph:
    """The graph of full and sorted rows, which it shares: it changes with them."""
    return Graph(len(wiring.filled), wiring.indptr.view(), wiring.rows.view())


@kernel
def sort_rows(wiring: Any) -> None:
    """Neighbours in rising order; rows are short."""
    for u in range(len(wiring.filled)):
        wiring.rows[wiring.indptr[u] : wiring.indptr[u] + wiring.filled[u]].sort()


@kernel
def has_place(wiring: Any, u: Any) -> Any:
    """Whether u shall have more neighbours."""
    return wiring.filled[u] < wiring.indptr[u + 1] - wiring.indptr[u]


@kernel
def may_join(wiring: Any, u: Any, v: Any) -> Any:
    """Whether u and v are two people who are not joined."""
    if wiring.filled[u] > wiring.filled[v]:
        u, v = v, u
    for place in range(wiring.indptr[u], wiring.indptr[u] + wiring.filled[u]):
        if wiring.rows[place] == v:
            return False
    return u != v


@kernel
def join(wiring: Any, u: Any, v: Any) -> None:
    """Write each into a free place of the other."""
    _append(wiring, u, v)
    _append(wiring, v, u)


@kernel
def _append(wiring: Any, u: Any, v: Any) -> None:
    wiring.rows[wiring.indptr[u] + wiring.filled[u]] = v
    wiring.filled[u] += 1


@kernel
def insert(wiring: Any, x: Any, y: Any, u: Any, v: Any) -> Any:
    """Turn an edge xy into ux and vy, if neither is there yet; says whether it did."""
    if x == v or y == u or not may_join(wiring, u, x) or not may_join(wiring, v, y):
        return False
    _overwrite(wiring, x, y, u)
    _overwrite(wiring, y, x, v)
    _append(wiring, u, x)
    _append(wiring, v, y)
    return True


@kernel
def _overwrite(wiring: Any, u: Any, old: Any, new: Any) -> None:
    place = wiring.indptr[u]
    while wiring.rows[place] != old:
        place += 1
    wiring.rows[place] = new
