"""Bring people to wanted degrees by few edge changes, leaving all other edges alone.

What each step costs, for two units of wanted change:

    join     a and b both lack an edge and are not joined: join them                             1 change
    part     a and b both have one too many and are joined: part them                            1
    move     a lacks one, b has one too many: a friend w of b becomes a friend of a instead      2
    absorb   a lacks one (or has one too many): join (part) a and w, where w changes over from   2
             one crowded degree to the next, so that both degrees keep k people (`reach_degrees`)
    switch   a and b lack one each: an edge xy gives way to ax and by, or the reverse            3

Each step is tried on all that the cheaper ones left. People of crowded degrees can also be recruited to want one edge
more or less, as partners for those whom nobody else serves. A move from b to a always finds its w if b has more
friends than a. Candidates are taken in random order: a fixed choice would show which edges are false.

With `apart`, an edge is only added between people without a common friend, so no triangle appears anywhere.

Joining always serves the one who lacks most, with those who lack most after them. Nodes hang in lists by how many edges
they lack; serving one walks the lists from the top and hangs each partner one list lower. A person for whom too few
partners are left stays with what is still wanted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.pairs import EMPTY, add_pair, discard_pair, has_pair, new_pair_set
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


def edge_table(edges: Integers, room: int) -> Integers:
    """The edges as a set of pairs that can take `room` more."""
    table = new_pair_set(len(edges) + room + 1)
    _fill(table, edges)
    return table


def edges_in(table: Integers) -> Integers:
    """The pairs of the set, in no particular order."""
    keys = table[table != EMPTY]
    return np.column_stack((keys >> 32, keys & (2**32 - 1)))


def lacking(wanted: Integers) -> Integers:
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
