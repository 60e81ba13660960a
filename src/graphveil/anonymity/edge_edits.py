"""Bring people to wanted degrees by few edge changes, leaving all other edges alone.

What each step costs, for two units of wanted change:

    join     a and b both lack an edge and are not joined: join them                             1 change
    part     a and b both have one too many and are joined: part them                            1
    move     a lacks one, b has one too many: a friend w of b becomes a friend of a instead      2
    absorb   a lacks one (or has one too many): join (part) a and w, where w changes over from   2
             one crowded degree to the next, so that both degrees keep k people (`absorbing`)
    switch   a and b lack one each: an edge xy gives way to ax and by, or the reverse            3
             (`edge_switches`)

Each step is tried on all that the cheaper ones left. People of crowded degrees can also be recruited to want one edge
more or less, as partners for those whom nobody else serves. A move from b to a always finds its w if b has more
friends than a. Candidates are taken in random order: a fixed choice would tell which edges are false.

With `apart`, an edge is only added between people without a common friend, so no triangle appears anywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.joining import may_join
from graphveil.graph.pair_set import EMPTY, add_pair, discard_pair, has_pair, new_pair_set
from graphveil.kernels import kernel


def edge_table(edges: NDArray[np.int64], room: int) -> NDArray[np.int64]:
    """The edges as a set of pairs that can take `room` more."""
    table = new_pair_set(len(edges) + room + 1)
    _fill(table, edges)
    return table


def edges_in(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pairs of the set, in no particular order."""
    keys = table[table != EMPTY]
    return np.column_stack((keys >> 32, keys & (2**32 - 1)))


def lacking(wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Nodes that lack edges, those who lack most first."""
    order = np.argsort(-wanted, kind="stable")
    return order[: np.count_nonzero(wanted > 0)]


@kernel
def _fill(table: Any, edges: Any) -> None:
    for e in range(len(edges)):
        add_pair(table, edges[e, 0], edges[e, 1])


@kernel
def part(table: Any, indptr: Any, indices: Any, wanted: Any, order: Any) -> None:
    """Part people who have too many edges from each other."""
    for u in order:
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            if wanted[u] < 0 and wanted[v] < 0 and has_pair(table, u, v):
                discard_pair(table, u, v)
                wanted[u] += 1
                wanted[v] += 1


@kernel
def move(rng: Any, table: Any, indptr: Any, indices: Any, wanted: Any, lack: Any, excess: Any, apart: Any) -> None:
    """Give friends of people who have too many to people who lack some; both orders: the largest want first."""
    for u in lack:
        for v in excess:
            n_friends = indptr[v + 1] - indptr[v]
            shift = int(rng.random() * n_friends)
            for i in range(n_friends):
                if wanted[u] == 0 or wanted[v] == 0:
                    break
                w = indices[indptr[v] + (i + shift) % n_friends]
                if has_pair(table, v, w) and may_join(table, indptr, indices, u, w, apart):
                    discard_pair(table, v, w)
                    add_pair(table, u, w)
                    wanted[u] -= 1
                    wanted[v] += 1
