"""Which two edges ab and cd to swap to ad and cb: such as close a wedge, or any in one group.

Half of the proposals close a wedge: a and d, two friends of one person, are joined, each giving up the friend they
have least in common with (of two looked at), and these two are joined. The others take an edge ab at random and an
edge cd of somebody in the group of a.

a and c, or b and d, belong to the same group: then a swap leaves as many edges as before between any two groups and
within each. Edges between groups are touched more rarely the tighter the groups (`bridges` is the share of such swaps
that are proposed): who bridges two groups shall not become somebody whom everybody knows. Groups are asked first, as
that is cheap and refuses most.

Nearly all time goes into waiting for memory: in a large graph each row is somewhere else. So a block of proposals takes
each step together, and the processor waits for many rows at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.kernels import kernel
from graphveil.synthetic.veil.sorted_rows import degree_of, knows

LOOKS = 6


@kernel
def propose(
    rng: Any, indptr: Any, rows: Any, owner: Any, group: Any, starts: Any, bridges: Any, block: Any, size: Any
) -> Any:
    """Try to find so many swaps; those found are written into the rows a, b, c and d of `block`; returns how many."""
    wedges = 0
    for _ in range(size):
        wedges += rng.random() < 0.5
    found = _random_swaps(rng, indptr, rows, owner, group, starts, bridges, block, size - wedges)
    return _wedge_swaps(rng, indptr, rows, owner, group, bridges, block, found, wedges)


@kernel
def _random_swaps(
    rng: Any, indptr: Any, rows: Any, owner: Any, group: Any, starts: Any, bridges: Any, block: Any, tries: Any
) -> Any:
    """An edge at random and another of the same group; returns how many of the pairs can be swapped."""
    a, b, c, d = block
    for i in range(tries):
        place = int(rng.random() * len(rows))
        a[i], b[i] = owner[place], rows[place]
    for i in range(tries):
        start, end = starts[group[a[i]]], starts[group[a[i]] + 1]
        place = start + int(rng.random() * (end - start))
        c[i], d[i] = owner[place], rows[place]
    kept = 0
    for i in range(tries):
        within = group[a[i]] == group[b[i]] and group[c[i]] == group[d[i]]
        if within or rng.random() < bridges:
            a[kept], b[kept], c[kept], d[kept] = a[i], b[i], c[i], d[i]
            kept += 1
    found = 0
    for i in range(kept):
        if a[i] == c[i] or a[i] == d[i] or b[i] == c[i] or b[i] == d[i]:
            continue
        if not knows(indptr, rows, a[i], d[i]) and not knows(indptr, rows, c[i], b[i]):
            a[found], b[found], c[found], d[found] = a[i], b[i], c[i], d[i]
            found += 1
    return found


@kernel
def _wedge_swaps(
    rng: Any, indptr: Any, rows: Any, owner: Any, group: Any, bridges: Any, block: Any, found: Any, tries: Any
) -> Any:
    """Swaps that join two friends of one person, so many tried; returns how many are found, with those before."""
    middle, a, d = np.empty(tries, dtype=np.int32), np.empty(tries, dtype=np.int32), np.empty(tries, dtype=np.int32)
    given = np.empty((4, tries), dtype=np.int32)  # two friends of a to give up, two of d
    crossing = np.empty(tries, dtype=np.bool_)
    for i in range(tries):
        place = int(rng.random() * len(rows))
        middle[i], a[i] = owner[place], rows[place]
    for i in range(tries):
        d[i] = _any_neighbour(rng, indptr, rows, middle[i])
    for i in range(tries):
        for k in range(2):
            given[k, i] = _any_neighbour(rng, indptr, rows, a[i])
            given[2 + k, i] = _any_neighbour(rng, indptr, rows, d[i])
    kept = 0
    for i in range(tries):
        crossing[kept] = rng.random() < bridges
        may = False
        for k in range(4):
            may |= _fits(group, crossing[kept], a[i], given[k % 2, i], given[2 + k // 2, i], d[i])
        if may and a[i] != d[i]:
            middle[kept], a[kept], d[kept], given[:, kept] = middle[i], a[i], d[i], given[:, i]
            kept += 1
    for i in range(kept):
        if knows(indptr, rows, a[i], d[i]):
            continue
        b = _least_common(rng, indptr, rows, a[i], given[0, i], given[1, i])
        c = _least_common(rng, indptr, rows, d[i], given[2, i], given[3, i])
        if b == middle[i] or c == middle[i] or b == c or not _fits(group, crossing[i], a[i], b, c, d[i]):
            continue
        if not knows(indptr, rows, b, c):
            block[0, found], block[1, found], block[2, found], block[3, found] = a[i], b, c, d[i]
            found += 1
    return found


@kernel
def _fits(group: Any, crossing: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Whether a swap leaves as many edges between any two groups, and touches those between groups only if it may."""
    if group[a] != group[c] and group[b] != group[d]:
        return False
    return crossing or (group[a] == group[b] and group[c] == group[d])


@kernel
def _any_neighbour(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    return rows[indptr[u] + int(rng.random() * degree_of(indptr, u))]


@kernel
def _least_common(rng: Any, indptr: Any, rows: Any, u: Any, one: Any, other: Any) -> Any:
    """Of two neighbours of u, the one that knows fewer of a few others of them."""
    lead = 0
    for _ in range(LOOKS if one != other else 0):
        x = _any_neighbour(rng, indptr, rows, u)
        lead += int(knows(indptr, rows, one, x)) - int(knows(indptr, rows, other, x))
    return one if lead <= 0 else other
