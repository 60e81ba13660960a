"""Swaps that bring a wiring nearer to its goals without changing any degree: ab and cd become ad and cb.

Half of the proposals close a wedge: x and y, two friends of one person, are joined, each giving up the friend they
have least in common with (of two looked at), and these two are joined. The others take an edge ab at random and an
edge cd of somebody in the group of a. A swap is made if the score does not grow and a and c, or b and d, belong to the
same group: then as many edges as before join any two groups, or lie within one. Edges between groups are touched more
rarely the tighter the groups: who bridges two groups shall not become somebody whom everybody knows.

The edges that a swap removes and adds share no triangle: each lost triangle contains one of ab and cd, each new one
one of ad and cb, so the change is counted from four intersections of rows, before anything is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.graph.pair_set import has_pair
from graphveil.kernels import kernel
from graphveil.synthetic.veil.scores import PRODUCTS, TRIANGLES, Scores, add_clustering, misses, move_joint
from graphveil.synthetic.veil.wiring import Wiring, link, replace_neighbour, unlink

PER_ROUND = 7  # proposals per edge
LOOKS = 6
CLOSE_ENOUGH = 0.006  # 3 times .2 % of the triangles
LITTLE_GAIN = 0.004


def improve(wiring: Wiring, scores: Scores, group: Any, bridges: float, rounds: int, rng: np.random.Generator) -> int:
    """Rounds of swaps until the triangles are right and the rest hardly gets better; returns how many were tried.

    `bridges` is the share of the swaps that touch an edge between groups that may be tried.
    """
    proposals = PER_ROUND * len(wiring.rows) // 2
    of_place = group[wiring.owner]
    places = np.argsort(of_place, kind="stable").astype(np.int32 if len(of_place) < 2**31 else np.int64)
    starts = np.searchsorted(of_place[places], np.arange(group.max() + 2))
    last = np.inf
    for done in range(rounds):
        _swap(rng, wiring, scores, group, places, starts, bridges, proposals)
        now = misses(scores)
        if now[TRIANGLES] < CLOSE_ENOUGH and last - now.sum() < LITTLE_GAIN:
            return done + 1
        last = now.sum()
    return rounds


@kernel
def _swap(
    rng: Any, wiring: Any, scores: Any, group: Any, places: Any, starts: Any, bridges: Any, proposals: Any
) -> Any:
    """Try so many swaps; `places` lists those of each group's rows from its start."""
    sums = np.zeros(len(scores.clustering))
    made = 0
    for _ in range(proposals):
        if rng.random() < 0.5:
            a, b, c, d = _wedge_swap(rng, wiring)
        else:
            a, b, c, d = _random_swap(rng, wiring, group, places, starts)
        if a < 0 or (group[a] != group[c] and group[b] != group[d]):
            continue
        if (group[a] != group[b] or group[c] != group[d]) and rng.random() >= bridges:
            continue
        made += _try_swap(wiring, scores, sums, a, b, c, d)
    return made


@kernel
def _try_swap(wiring: Any, scores: Any, sums: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Make the swap if the score does not grow."""
    joint = move_joint(scores, a, b, -1.0) + move_joint(scores, c, d, -1.0)
    joint += move_joint(scores, a, d, 1.0) + move_joint(scores, c, b, 1.0)
    products = (scores.degree[a] - scores.degree[c]) * (scores.degree[d] - scores.degree[b])
    sums[:] = 0.0
    triangles = _common(wiring, scores, sums, a, d, b, c, 1.0) + _common(wiring, scores, sums, c, b, a, d, 1.0)
    triangles -= _common(wiring, scores, sums, a, b, a, b, -1.0) + _common(wiring, scores, sums, c, d, c, d, -1.0)
    change = scores.weights[3] * joint
    change += scores.weights[TRIANGLES] * _further(scores, TRIANGLES, triangles)
    change += scores.weights[PRODUCTS] * _further(scores, PRODUCTS, products)
    for k in range(len(sums)):
        gap = scores.clustering[k] - scores.clustering_goal[k]
        change += scores.weights[2] * (abs(gap + sums[k]) - abs(gap))
    if change > 0:
        move_joint(scores, a, b, 1.0)
        move_joint(scores, c, d, 1.0)
        move_joint(scores, a, d, -1.0)
        move_joint(scores, c, b, -1.0)
        return 0
    scores.numbers[TRIANGLES] += triangles
    scores.numbers[PRODUCTS] += products
    scores.clustering[:] += sums
    _rewire(wiring, a, b, c, d)
    return 1


@kernel
def _further(scores: Any, number: Any, by: Any) -> Any:
    """How much further from its goal a number gets."""
    gap = scores.numbers[number] - scores.number_goals[number]
    return abs(gap + by) - abs(gap)


@kernel
def _common(wiring: Any, scores: Any, sums: Any, u: Any, v: Any, never: Any, nor: Any, by: Any) -> Any:
    """Common neighbours of u and v but for two; adds what their triangles weigh to the sums by class."""
    if scores.degree[u] > scores.degree[v]:
        u, v = v, u
    count = 0
    hub = wiring.hub[v]
    for place in range(wiring.indptr[u], wiring.indptr[u + 1]):
        x = wiring.rows[place]
        if hub >= 0:
            joined = wiring.bits[hub, x >> 6] >> np.uint64(x & 63) & np.uint64(1) != 0
        else:
            joined = has_pair(wiring.pairs, v, x)
        if joined and x != never and x != nor:
            count += 1
            add_clustering(scores, sums, x, by)
    if count:
        add_clustering(scores, sums, u, by * count)
        add_clustering(scores, sums, v, by * count)
    return count


@kernel
def _rewire(wiring: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    unlink(wiring, a, b)
    unlink(wiring, c, d)
    link(wiring, a, d)
    link(wiring, c, b)
    replace_neighbour(wiring, a, b, d)
    replace_neighbour(wiring, b, a, c)
    replace_neighbour(wiring, c, d, b)
    replace_neighbour(wiring, d, c, a)


@kernel
def _random_swap(rng: Any, wiring: Any, group: Any, places: Any, starts: Any) -> Any:
    """An edge at random and another of the same group; (-1, ...) if they cannot be swapped."""
    first = int(rng.random() * len(wiring.rows))
    a, b = wiring.owner[first], wiring.rows[first]
    start, end = starts[group[a]], starts[group[a] + 1]
    second = places[start + int(rng.random() * (end - start))]
    c, d = wiring.owner[second], wiring.rows[second]
    if a in (c, d) or b in (c, d) or has_pair(wiring.pairs, a, d) or has_pair(wiring.pairs, c, b):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def _wedge_swap(rng: Any, wiring: Any) -> Any:
    """A swap that joins a and d, two friends of one person; (-1, ...) if there is none."""
    place = int(rng.random() * len(wiring.rows))
    middle, a = wiring.owner[place], wiring.rows[place]
    d = _any_neighbour(rng, wiring, middle)
    if a == d or has_pair(wiring.pairs, a, d):
        return -1, -1, -1, -1
    b, c = _least_common(rng, wiring, a), _least_common(rng, wiring, d)
    if b in (middle, c) or c == middle or has_pair(wiring.pairs, b, c):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def _any_neighbour(rng: Any, wiring: Any, u: Any) -> Any:
    first = wiring.indptr[u]
    return wiring.rows[first + int(rng.random() * (wiring.indptr[u + 1] - first))]


@kernel
def _least_common(rng: Any, wiring: Any, u: Any) -> Any:
    """Of two neighbours of u, the one that knows fewer of a few others of them."""
    one, other = _any_neighbour(rng, wiring, u), _any_neighbour(rng, wiring, u)
    lead = 0
    for _ in range(LOOKS):
        x = _any_neighbour(rng, wiring, u)
        lead += int(has_pair(wiring.pairs, one, x)) - int(has_pair(wiring.pairs, other, x))
    return one if lead <= 0 else other
