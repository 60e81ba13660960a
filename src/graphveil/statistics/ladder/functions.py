"""How much one edge can change a count of triangles or stars, t edges away from a graph: the ladder functions.

Local sensitivity at distance t, LS_t(G) = max |f(H) - f(H')| over neighbours H, H' with H at most t edges from G, is a
ladder function by its very definition, and the least one that does not fall in t. For these counts it has a closed
form in terms of the best pairs of nodes.

Triangles (Nissim, Raskhodnikova, Smith 2007). Joining u and v makes as many triangles as they have common neighbours,
a. Of t edges, each of the first b makes a neighbour of one of the two a common one, then two edges are needed for each
further node; no pair has more than n - 2: LS_t = max over pairs of min(a + floor((t + min(t, b)) / 2), n - 2).

k-stars. Joining u and v makes C(p, k-1) + C(q, k-1) stars, p and q their degrees before. Each of t edges raises one of
the two (their own edge is not counted, so no edge raises both), and as the sum is convex it pays to raise the larger
one first, to n - 2 at most. This holds for every k: C(x, k-1) grows by C(x, k-2), which does not fall in x. The last
step, 2 C(n-2, k-1), is public; beyond 64 bits all steps are Python's own integers.

Degree products, M = sum of d_u d_v over edges. With A_u the sum of the degrees of u's neighbours, joining u and v adds
A_u + A_v + (d_u + 1)(d_v + 1), and parting them takes less. With D, D' the two largest degrees and S the sum of the two
largest A, S + (D + 1)(D' + 1) bounds every change. One edge raises D and D' by at most 1, and S by at most D + D' + 2:
its two ends gain each other's new degree, other nodes at most 2 (and then D' >= 1). That recursion is the ladder; S
stops at 2 (n - 1)^2, D + 1 and D' + 1 at n - 1.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.graph.statistics.pareto_pairs import Front
from graphveil.statistics.ladder.ladder import LARGEST, Ladder

FAR_AWAY = 20_000  # steps after which a bound may go on in a straight line above the true ladder


def triangle_ladder(front: Front, n_nodes: int) -> Ladder:
    """LS_t of the number of triangles, from the front of (common, apart) pairs."""
    most = max(0, n_nodes - 2)
    t = np.arange(2 * most + 1, dtype=np.int64)
    steps = np.zeros(len(t), dtype=np.int64)
    for common, apart in front:
        steps = np.maximum(steps, common + (t + np.minimum(t, apart)) // 2)
    return Ladder(np.minimum(steps, most))


def star_ladder(front: Front, n_nodes: int, k: int) -> Ladder:
    """LS_t of the number of k-stars, k >= 2, from the front of (larger, smaller) degrees."""
    most = max(0, n_nodes - 2)
    return Ladder(_star_steps(front, most, k, 2 * most + 1))


def product_ladder(degrees: tuple[int, int], sums: tuple[int, int], n_nodes: int) -> Ladder:
    """A ladder of the sum of degree products, from the two largest degrees and neighbour sums."""
    most = max(0, n_nodes - 1)
    t = np.arange(2 * n_nodes + 2, dtype=np.int64)
    raised = [np.minimum(degree + t + 1, most) for degree in degrees]
    growth = np.concatenate([[0], np.cumsum(raised[0] + raised[1])[:-1]])
    return Ladder(np.minimum(sum(sums) + growth, 2 * most**2) + raised[0] * raised[1])


def rising_ladder(first: int, most: int, growth: int = 1) -> Ladder:
    """I_0 + growth t, at most a public limit: above every ladder that starts there and rises by no more a step.

    Where the limit is far away all ladders go on without it: which ones do may not depend on the graph.
    """
    first = min(max(0, first), most)
    if most > FAR_AWAY:
        return Ladder(np.array([first]), slope=growth)
    return Ladder(np.minimum(np.arange(first, most + growth, growth, dtype=np.int64), most))


def star_ladder_above(degree: int, n_nodes: int, k: int) -> Ladder:
    """At least the ladder of k-stars of every graph without a larger degree than this."""
    most = max(0, n_nodes - 2)
    degree = min(max(0, degree), most)
    count = min(2 * most + 1, FAR_AWAY)
    slope = 0 if count > 2 * most else comb(most, k - 2)  # one more leaf makes C(p, k - 2) more stars
    return Ladder(_star_steps(((degree, degree),), most, k, count), slope)


def _star_steps(front: Front, most: int, k: int, count: int) -> AnyArray:
    t = np.arange(count, dtype=np.int64)
    made = _stars_at(most, k)
    steps = np.zeros(count, dtype=made.dtype)
    for large, small in front:
        raised = np.minimum(large + t, most)
        other = np.minimum(small + t - (raised - large), most)
        steps = np.maximum(steps, made[raised] + made[other])
    return steps


@lru_cache(maxsize=4)  # of public parameters only
def _stars_at(most: int, k: int) -> AnyArray:
    """C(p, k - 1) for p up to the largest degree: the stars that one more leaf completes.

    C(p, j) is the sum of C(i, j - 1) over i < p.
    """
    made: AnyArray = np.ones(most + 1, dtype=np.int64 if 2 * comb(most, k - 1) <= LARGEST else object)
    for _ in range(k - 1):
        made = np.concatenate([np.zeros(1, dtype=made.dtype), np.cumsum(made[:-1])])
    made.setflags(write=False)
    return made
