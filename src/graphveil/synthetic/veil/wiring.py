"""Kernels that turn a plan of blocks into a simple graph with exactly the wanted degrees.

Edges within blocks come first, each pair with the chance that its two ends' wishes give (Chung and Lu 2002), as far as
both have places left. The places left over are joined at random, first within groups, then anywhere; the few that
cannot be joined (both ends are friends already) each break some edge xy up into ux and vy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.generate_degrees import configuration
from graphveil.graph.pair_set import add_pair, discard_pair, has_pair, new_pair_set
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks
from graphveil.synthetic.veil.goals import Goals

Floats = NDArray[np.float64]

HEAD_SWEEPS = 12
GROUP_ROUNDS = 6
ROUNDS = 30
TRIES = 20_000
TRIES_IN_GROUP = 200
HUB = 64  # nodes with n / 64 neighbours or more get a row of bits: at most 16 bytes for every edge in all


class Wiring(NamedTuple):
    """A graph that is being changed: node u's neighbours are `rows[indptr[u]:indptr[u] + filled[u]]`, in any order."""

    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    filled: NDArray[np.int64]
    pairs: NDArray[np.int64]
    owner: NDArray[np.int32]  # whose row each place belongs to
    hub: NDArray[np.int32]  # number of the bit row of a node with many neighbours, or -1
    bits: NDArray[np.uint64]


def wire(goals: Goals, blocks: Blocks, density: Floats, stay: float, rng: np.random.Generator) -> Wiring:
    """A graph with the wanted degrees; everybody's block has about their `density`.

    `stay` is the share of people whose places beyond blocks are joined within groups.
    """
    degrees = goals.degrees
    wiring = _empty(degrees)
    order = np.argsort(blocks.group, kind="stable")
    first = np.searchsorted(blocks.group[order], np.arange(len(blocks.heads) + 1))
    lower, share = goals.hats.lower[degrees], goals.hats.share[degrees]
    _join_heads(rng, wiring, order, first, goals.affinity(blocks.heads), lower, share, stay)
    _join_blocks(rng, wiring, blocks.members, blocks.starts, blocks.wishes(degrees, density))
    left = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees - wiring.filled)
    for place in blocks.meeting_places(stay, rng):
        for _ in range(GROUP_ROUNDS):
            left = _join_at_places(wiring, rng.permutation(left), place)
        left = _settle_in_groups(rng, wiring, left[np.argsort(place[left], kind="stable")], place, order, first)
    for _ in range(ROUNDS):
        left = _join_in_turn(wiring, rng.permutation(left))
    if _break_up(rng, wiring, left):
        return wiring
    return wiring_of(configuration(degrees, seed=int(rng.integers(2**31))).edges(), degrees)


def wiring_of(edges: NDArray[np.int64], degrees: NDArray[np.int64]) -> Wiring:
    """A wiring with these edges."""
    wiring = _empty(degrees)
    _join_all(wiring, edges)
    return wiring


def edges_of(wiring: Wiring) -> NDArray[np.int32]:
    """Each edge once."""
    once = wiring.owner < wiring.rows
    return np.stack((wiring.owner[once], wiring.rows[once]), axis=1)


def _empty(degrees: NDArray[np.int64]) -> Wiring:
    indptr = np.concatenate(([0], np.cumsum(degrees)))
    rows = np.full(indptr[-1], -1, dtype=np.int32)
    n = len(degrees)
    owner = np.repeat(np.arange(n, dtype=np.int32), degrees)
    is_hub = degrees >= max(1, n // HUB)
    hub = np.where(is_hub, np.cumsum(is_hub) - 1, -1).astype(np.int32)
    bits = np.zeros((np.count_nonzero(is_hub), n // 64 + 1), dtype=np.uint64)
    return Wiring(indptr, rows, np.zeros(n, dtype=np.int64), new_pair_set(len(rows) // 2), owner, hub, bits)


@kernel
def link(wiring: Any, u: Any, v: Any) -> None:
    """Note that u and v are friends; their rows are written apart from it."""
    add_pair(wiring.pairs, u, v)
    _flip(wiring, u, v)
    _flip(wiring, v, u)


@kernel
def unlink(wiring: Any, u: Any, v: Any) -> None:
    """Note that they no longer are."""
    discard_pair(wiring.pairs, u, v)
    _flip(wiring, u, v)
    _flip(wiring, v, u)


@kernel
def _flip(wiring: Any, u: Any, v: Any) -> None:
    if wiring.hub[u] >= 0:
        wiring.bits[wiring.hub[u], v >> 6] ^= np.uint64(1) << np.uint64(v & 63)


@kernel
def _join(wiring: Any, u: Any, v: Any) -> None:
    link(wiring, u, v)
    _append(wiring, u, v)
    _append(wiring, v, u)


@kernel
def _append(wiring: Any, u: Any, v: Any) -> None:
    wiring.rows[wiring.indptr[u] + wiring.filled[u]] = v
    wiring.filled[u] += 1


@kernel
def _may_join(wiring: Any, u: Any, v: Any) -> Any:
    return u != v and not has_pair(wiring.pairs, u, v)


@kernel
def _has_place(wiring: Any, u: Any) -> Any:
    return wiring.filled[u] < wiring.indptr[u + 1] - wiring.indptr[u]


@kernel
def _join_all(wiring: Any, edges: Any) -> None:
    for e in range(len(edges)):
        _join(wiring, edges[e, 0], edges[e, 1])


@kernel
def _join_heads(rng: Any, wiring: Any, order: Any, first: Any, affinity: Any, lower: Any, share: Any, stay: Any) -> Any:
    """Join head g, node g, to people of its group, in a random order of these, up to its share of friends there.

    Its affinity to people of each knot of degree says whom it meets rather early.
    """
    for head in range(len(first) - 1):
        wanted = int(stay * (wiring.indptr[head + 1] - wiring.indptr[head]) + rng.random())
        end = first[head + 1]
        for sweep in range(HEAD_SWEEPS):
            likely = affinity[head].max() * 0.5**sweep
            for i in range(first[head], end):
                if wiring.filled[head] >= wanted:
                    break
                j = i + int(rng.random() * (end - i))
                order[i], order[j] = order[j], order[i]
                u = order[i]
                liking = share[u] * affinity[head, lower[u]] + (1 - share[u]) * affinity[head, lower[u] + 1]
                if rng.random() * likely < liking and _has_place(wiring, u) and _may_join(wiring, head, u):
                    _join(wiring, head, u)


@kernel
def _join_blocks(rng: Any, wiring: Any, members: Any, starts: Any, within: Any) -> None:
    for block in range(len(starts) - 1):
        total = 0.0
        for i in range(starts[block], starts[block + 1]):
            total += within[members[i]]
        for i in range(starts[block], starts[block + 1]):
            u = members[i]
            for j in range(i + 1, starts[block + 1]):
                v = members[j]
                if rng.random() * total < within[u] * within[v] and _has_place(wiring, u) and _has_place(wiring, v):
                    _join(wiring, u, v)


@kernel
def _join_at_places(wiring: Any, left: Any, place: Any) -> Any:
    """Join people of one meeting place two by two as they come, those without one not at all; returns who is left."""
    waiting = np.full(place.max() + 1, -1, dtype=np.int64)
    kept = 0
    for u in left:
        here = place[u]
        if here < 0:
            left[kept] = u
            kept += 1
        elif waiting[here] < 0:
            waiting[here] = u
        elif _may_join(wiring, u, waiting[here]):
            _join(wiring, u, waiting[here])
            waiting[here] = -1
        else:
            left[kept] = u
            kept += 1
    for u in waiting:
        if u >= 0:
            left[kept] = u
            kept += 1
    return left[:kept]


@kernel
def _join_in_turn(wiring: Any, left: Any) -> Any:
    """Join each place to the next one; returns those that cannot be joined."""
    kept = 0
    for i in range(0, len(left) - 1, 2):
        u, v = left[i], left[i + 1]
        if _may_join(wiring, u, v):
            _join(wiring, u, v)
        else:
            left[kept], left[kept + 1] = u, v
            kept += 2
    return left[:kept]


@kernel
def _break_up(rng: Any, wiring: Any, left: Any) -> Any:
    """Give each two places left an edge to break up; False if none is found for some."""
    for i in range(0, len(left) - 1, 2):
        u, v = left[i], left[i + 1]
        settled = False
        for _ in range(TRIES):
            place = int(rng.random() * len(wiring.rows))
            settled = wiring.rows[place] >= 0 and _open(wiring, wiring.owner[place], wiring.rows[place], u, v)
            if settled:
                break
        if not settled:
            return False
    return True


@kernel
def _settle_in_groups(rng: Any, wiring: Any, left: Any, place: Any, order: Any, first: Any) -> Any:
    """The same within groups, for those who meet there (sorted by place); returns who is left."""
    kept = 0
    i = 0
    while i < len(left):
        u = left[i]
        group = place[u]
        settled = False
        if i + 1 < len(left) and place[left[i + 1]] == group and 0 <= group < len(first) - 1:
            for _ in range(TRIES_IN_GROUP):
                x = order[first[group] + int(rng.random() * (first[group + 1] - first[group]))]
                if wiring.filled[x]:
                    y = wiring.rows[wiring.indptr[x] + int(rng.random() * wiring.filled[x])]
                    settled = place[y] == group and _open(wiring, x, y, u, left[i + 1])
                if settled:
                    break
        if settled:
            i += 2
        else:
            left[kept] = u
            kept += 1
            i += 1
    return left[:kept]


@kernel
def _open(wiring: Any, x: Any, y: Any, u: Any, v: Any) -> Any:
    """Turn an edge xy into ux and vy, if neither is there yet."""
    if x == v or y == u or not _may_join(wiring, u, x) or not _may_join(wiring, v, y):
        return False
    unlink(wiring, x, y)
    replace_neighbour(wiring, x, y, u)
    replace_neighbour(wiring, y, x, v)
    link(wiring, u, x)
    link(wiring, v, y)
    _append(wiring, u, x)
    _append(wiring, v, y)
    return True


@kernel
def replace_neighbour(wiring: Any, u: Any, old: Any, new: Any) -> None:
    """Write another name over one in u's row."""
    for place in range(wiring.indptr[u], wiring.indptr[u + 1]):
        if wiring.rows[place] == old:
            wiring.rows[place] = new
            return
