"""Change two degrees by one each with three edge changes, nobody else's degree touched: the last resort of edits."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.graph.pair_set import add_pair, discard_pair, has_pair
from graphveil.kernels import kernel

TRIES = 1_000


@kernel
def switch(rng: Any, table: Any, indptr: Any, indices: Any, wanted: Any, edges: Any) -> None:
    """Serve two people who lack an edge each, or have one too many each; the two may be the same person."""
    for sign in (1, -1):
        unserved = np.flatnonzero(wanted * sign > 0)
        for u in unserved:
            for v in unserved:
                for _ in range(TRIES):
                    if wanted[v] == 0 or wanted[u] * sign < 1 + (u == v):
                        break
                    if sign > 0:
                        done = _raise_two(rng, table, edges, u, v)
                    else:
                        done = _lower_two(rng, table, indptr, indices, u, v)
                    if done:
                        wanted[u] -= sign
                        wanted[v] -= sign


@kernel
def _raise_two(rng: Any, table: Any, edges: Any, u: Any, v: Any) -> Any:
    """A random edge xy gives way to ux and vy, if both are new."""
    if len(edges) == 0:
        return False
    x, y = edges[int(rng.random() * len(edges))]
    if rng.random() < 0.5:
        x, y = y, x
    if u == x or v == y or not has_pair(table, x, y) or has_pair(table, u, x) or has_pair(table, v, y):
        return False
    discard_pair(table, x, y)
    add_pair(table, u, x)
    add_pair(table, v, y)
    return True


@kernel
def _lower_two(rng: Any, table: Any, indptr: Any, indices: Any, u: Any, v: Any) -> Any:
    """Random edges ux and vy give way to xy, if that is new."""
    x = indices[indptr[u] + int(rng.random() * (indptr[u + 1] - indptr[u]))]
    y = indices[indptr[v] + int(rng.random() * (indptr[v + 1] - indptr[v]))]
    if x == y or (x == v and y == u) or has_pair(table, x, y):
        return False
    if not has_pair(table, u, x) or not has_pair(table, v, y):
        return False
    discard_pair(table, u, x)
    discard_pair(table, v, y)
    add_pair(table, x, y)
    return True
