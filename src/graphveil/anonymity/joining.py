"""Join people who lack edges, always the one who lacks most to those who lack most after them.

Nodes hang in lists by how many edges they lack; serving one walks the lists from the top and hangs each partner one
list lower. A person for whom too few partners are left stays with what is still wanted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.graph.pair_set import add_pair, has_pair
from graphveil.kernels import kernel

NOBODY = -1


@kernel
def join(table: Any, indptr: Any, indices: Any, wanted: Any, apart: Any) -> None:
    """Add edges to the table until nobody who lacks one can be served; lowers `wanted` accordingly."""
    most = max(0, wanted.max()) if len(wanted) else 0
    first = np.full(most + 1, NOBODY)
    after = np.full(len(wanted), NOBODY)
    before = np.full(len(wanted), NOBODY)
    for u in range(len(wanted)):
        if wanted[u] > 0:
            _hang(first, after, before, u, wanted[u])
    for level in range(most, 0, -1):
        while first[level] != NOBODY:
            u = first[level]
            _unhang(first, after, before, u, level)
            for lower in range(level, 0, -1):
                v = first[lower]
                while v != NOBODY and wanted[u] > 0:
                    following = after[v]
                    if may_join(table, indptr, indices, u, v, apart):
                        add_pair(table, u, v)
                        _unhang(first, after, before, v, lower)
                        wanted[u] -= 1
                        wanted[v] -= 1
                        if wanted[v] > 0:
                            _hang(first, after, before, v, wanted[v])
                    v = following
                if wanted[u] == 0:
                    break


@kernel
def may_join(table: Any, indptr: Any, indices: Any, u: Any, v: Any, apart: Any) -> Any:
    """Whether uv can be added; with `apart` only if it closes no triangle.

    A common friend by way of two added edges is not noticed: certify what comes out.
    """
    if u == v or has_pair(table, u, v):
        return False
    if apart:
        return not (_shares_friend(table, indptr, indices, u, v) or _shares_friend(table, indptr, indices, v, u))
    return True


@kernel
def _shares_friend(table: Any, indptr: Any, indices: Any, u: Any, v: Any) -> Any:
    for i in range(indptr[u], indptr[u + 1]):
        if has_pair(table, v, indices[i]) and has_pair(table, u, indices[i]):
            return True
    return False


@kernel
def _hang(first: Any, after: Any, before: Any, u: Any, level: Any) -> None:
    after[u], before[u] = first[level], NOBODY
    if first[level] != NOBODY:
        before[first[level]] = u
    first[level] = u


@kernel
def _unhang(first: Any, after: Any, before: Any, u: Any, level: Any) -> None:
    if before[u] == NOBODY:
        first[level] = after[u]
    else:
        after[before[u]] = after[u]
    if after[u] != NOBODY:
        before[after[u]] = before[u]
