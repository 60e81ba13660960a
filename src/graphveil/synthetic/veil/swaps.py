"""Swaps that bring a wiring nearer to its goals without changing any degree: ab and cd become ad and cb.

Half of the proposals close a wedge: x and y, two friends of one person, are joined, each giving up the friend they
have least in common with (of two looked at), and these two are joined. The others take an edge ab at random and an
edge cd of somebody in the group of a. A swap is made if the score does not grow and a and c, or b and d, belong to the
same group: then as many edges as before join any two groups, or lie within one. Edges between groups are touched more
rarely the tighter the groups: who bridges two groups shall not become somebody whom everybody knows. Where that does
not lead to the goals, in very assortative graphs say, swaps go on between any people, as if all were of one group.

The edges that a swap removes and adds share no triangle: each lost triangle contains one of ab and cd, each new one
one of ad and cb, so the change is counted from four intersections of rows, before anything is written.

Which two edges ab and cd to swap to ad and cb: such as close a wedge, or any in one group.

Kernels on full, sorted rows of neighbours: who is in a row, who is in two, and one name for another.

They take the two arrays rather than a `Wiring`: handing on a tuple of arrays counts references, which costs more than
the search itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers, SmallIntegers
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks
from graphveil.synthetic.veil.scores import JOINT, PRODUCTS, TRIANGLES, Scores, add_clustering, misses, move_joint
from graphveil.synthetic.veil.wiring import Wiring

MUCH_LONGER = 8  # so much longer a row is searched; shorter ones are read along


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


LOOKS = 6


@kernel
def random_swap(rng: Any, indptr: Any, rows: Any, owner: Any, group: Any, starts: Any) -> Any:
    """An edge at random and another of the same group; (-1, ...) if they cannot be swapped."""
    first = int(rng.random() * len(rows))
    a, b = owner[first], rows[first]
    start, end = starts[group[a]], starts[group[a] + 1]
    second = start + int(rng.random() * (end - start))
    c, d = owner[second], rows[second]
    if a in (c, d) or b in (c, d) or knows(indptr, rows, a, d) or knows(indptr, rows, c, b):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def wedge_swap(rng: Any, indptr: Any, rows: Any, owner: Any) -> Any:
    """A swap that joins a and d, two friends of one person; (-1, ...) if there is none."""
    place = int(rng.random() * len(rows))
    middle, a = owner[place], rows[place]
    d = _any_neighbour(rng, indptr, rows, middle)
    if a == d or knows(indptr, rows, a, d):
        return -1, -1, -1, -1
    b, c = _least_common(rng, indptr, rows, a), _least_common(rng, indptr, rows, d)
    if b in (middle, c) or c == middle or knows(indptr, rows, b, c):
        return -1, -1, -1, -1
    return a, b, c, d


@kernel
def _any_neighbour(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    first = indptr[u]
    return rows[first + int(rng.random() * (indptr[u + 1] - first))]


@kernel
def _least_common(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    """Of two neighbours of u, the one that knows fewer of a few others of them."""
    one, other = _any_neighbour(rng, indptr, rows, u), _any_neighbour(rng, indptr, rows, u)
    lead = 0
    for _ in range(LOOKS):
        x = _any_neighbour(rng, indptr, rows, u)
        lead += int(knows(indptr, rows, one, x)) - int(knows(indptr, rows, other, x))
    return one if lead <= 0 else other


CLOSE_ENOUGH = np.array([0.015, 0.045, 0.045, 0.1])  # of the four terms of the score: .5 %, .005, 1.5 %, 10 %
STALLED = 0.01  # a round that gains less, relatively, does little; where goals contradict each other none gains much
STALLED_ANYWHERE = 0.003
PATIENCE = 3
FEWEST_TRIES = 10_000  # in a round, so that chance does not end the search in a small graph
MANY_TRIES = 40_000_000
ENOUGH_ROUNDS = 3


def improve(
    wiring: Wiring, scores: Scores, blocks: Blocks, bridges: float, rounds: int, rng: np.random.Generator
) -> int:
    """Rounds of swaps until all goals are met or hardly come nearer; returns how many rounds were made.

    First swaps that keep the number of edges between any two groups. If triangles, clustering or degree correlation
    are not reached by these, swaps between any people. A round tries one swap for every edge, 10,000 at least. Large
    graphs come near their goals in few rounds: from a million edges on the limit falls, to four rounds at ten million.
    `bridges` is the share of the swaps that touch an edge between groups that may be tried.
    """
    n_edges = len(wiring.rows) // 2
    most = min(rounds, max(ENOUGH_ROUNDS, MANY_TRIES // n_edges))
    within = blocks.group, wiring.indptr[blocks.first], bridges
    done = _rounds(wiring, scores, within, CLOSE_ENOUGH, STALLED, most, rng)
    if (misses(scores) < CLOSE_ENOUGH)[:JOINT].all():
        return done
    anywhere = np.zeros_like(blocks.group), np.array([0, len(wiring.rows)]), 1.0
    only = np.where(np.arange(len(CLOSE_ENOUGH)) < JOINT, CLOSE_ENOUGH, np.inf)
    return done + _rounds(wiring, scores, anywhere, only, STALLED_ANYWHERE, most - done, rng)


def _rounds(
    wiring: Wiring, scores: Scores, where: tuple[SmallIntegers, Integers, float], enough: Floats, stalled: float,
    most: int, rng: np.random.Generator,
) -> int:  # fmt: skip
    """Rounds of swaps until all terms are small enough or several rounds gained little; returns how many were made."""
    last, in_vain = misses(scores), 0
    for done in range(most):
        if (last < enough).all() or in_vain == PATIENCE:
            return done
        _swap(rng, wiring, scores, *where, max(FEWEST_TRIES, len(wiring.rows) // 2))
        now = misses(scores)
        in_vain = in_vain + 1 if last.sum() - now.sum() < stalled * now.sum() else 0
        last = now
    return most


@kernel
def _swap(rng: Any, wiring: Any, scores: Any, group: Any, starts: Any, bridges: Any, proposals: Any) -> Any:
    """Try so many swaps; a group's rows begin at its start. Returns how many were made."""
    indptr, rows, _, owner = wiring
    sums = np.zeros(len(scores.clustering))
    found = np.empty(len(scores.share), dtype=np.int32)
    made = 0
    for _ in range(proposals):
        if rng.random() < 0.5:
            a, b, c, d = wedge_swap(rng, indptr, rows, owner)
        else:
            a, b, c, d = random_swap(rng, indptr, rows, owner, group, starts)
        if a < 0 or (group[a] != group[c] and group[b] != group[d]):
            continue
        if (group[a] != group[b] or group[c] != group[d]) and rng.random() >= bridges:
            continue
        made += _try_swap(indptr, rows, scores, sums, found, a, b, c, d)
    return made


@kernel
def _try_swap(indptr: Any, rows: Any, scores: Any, sums: Any, found: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Make the swap if the score does not grow."""
    lower, share, pair_weight, numbers, slack, clustering, joint, weights = scores
    of_a, of_b, of_c, of_d = _degree(indptr, a), _degree(indptr, b), _degree(indptr, c), _degree(indptr, d)
    moved = move_joint(lower, share, joint, of_a, of_b, -1.0) + move_joint(lower, share, joint, of_c, of_d, -1.0)
    moved += move_joint(lower, share, joint, of_a, of_d, 1.0) + move_joint(lower, share, joint, of_c, of_b, 1.0)
    products = np.float64((of_a - of_c) * (of_d - of_b))
    sums[:] = 0.0
    triangles = _common(indptr, rows, lower, share, pair_weight, sums, found, a, d, b, c, 1.0)
    triangles += _common(indptr, rows, lower, share, pair_weight, sums, found, c, b, a, d, 1.0)
    triangles += _common(indptr, rows, lower, share, pair_weight, sums, found, a, b, a, b, -1.0)
    triangles += _common(indptr, rows, lower, share, pair_weight, sums, found, c, d, c, d, -1.0)
    change = weights[3] * moved
    change += weights[TRIANGLES] * _further(numbers[TRIANGLES], triangles, slack[TRIANGLES])
    change += weights[PRODUCTS] * _further(numbers[PRODUCTS], products, slack[PRODUCTS])
    for k in range(len(sums)):
        change += weights[2] * (abs(clustering[k] + sums[k]) - abs(clustering[k]))
    if change > 0:
        move_joint(lower, share, joint, of_a, of_b, 1.0)
        move_joint(lower, share, joint, of_c, of_d, 1.0)
        move_joint(lower, share, joint, of_a, of_d, -1.0)
        move_joint(lower, share, joint, of_c, of_b, -1.0)
        return 0
    numbers[TRIANGLES] += triangles
    numbers[PRODUCTS] += products
    clustering += sums
    rename(indptr, rows, a, b, d)
    rename(indptr, rows, b, a, c)
    rename(indptr, rows, c, d, b)
    rename(indptr, rows, d, c, a)
    return 1


@kernel
def _further(gap: Any, by: Any, slack: Any) -> Any:
    """How much further beyond the slack a number gets that is off by `gap` and changes."""
    return max(0.0, abs(gap + by) - slack) - max(0.0, abs(gap) - slack)


@kernel
def _degree(indptr: Any, u: Any) -> Any:
    return indptr[u + 1] - indptr[u]


@kernel
def _common(
    indptr: Any, rows: Any, lower: Any, share: Any, pair_weight: Any, sums: Any, found: Any, u: Any, v: Any,
    never: Any, nor: Any, by: Any,
) -> Any:  # fmt: skip
    """Common neighbours of u and v but for two; adds what their triangles weigh to the sums by class."""
    total = 0.0
    for i in range(in_both(indptr, rows, u, v, found)):
        if found[i] != never and found[i] != nor:
            total += by
            degree = _degree(indptr, found[i])
            add_clustering(lower, share, sums, degree, by * pair_weight[degree])
    if total:
        for degree in (_degree(indptr, u), _degree(indptr, v)):
            add_clustering(lower, share, sums, degree, total * pair_weight[degree])
    return total
