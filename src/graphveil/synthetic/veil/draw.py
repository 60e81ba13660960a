"""One graph from goals: calibrate how it starts, start it, and let swaps do the rest. Nothing here is private.

Starting is cheap, so it is tried several times. Blocks get denser or sparser where the clustering of a class of degrees
came out too low or too high. How many people keep to their group is chosen so that about as many pairs are close (at
distance 1 or 2) as measured, but hardly less than clustering suggests: tight circles go along with closed groups. Where
groups alone would make several times too many triangles, nobody keeps to one.

A start turns a plan of blocks into a simple graph with exactly the wanted degrees. Edges within blocks come first, each
pair with the chance that its two ends' wishes give (Chung and Lu 2002), as far as both have places left. The places
left over are joined at random, first within groups, then anywhere; the few that cannot be joined (both ends are friends
already) each break some edge xy up into ux and vy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration
from graphveil.graph.statistics.distances import count_within_two
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks, plan_blocks
from graphveil.synthetic.veil.goals import Goals
from graphveil.synthetic.veil.scores import JOINT, PRODUCTS, TRIANGLES, Scores, misses, scores_of
from graphveil.synthetic.veil.swaps import improve
from graphveil.synthetic.veil.wiring import Wiring, as_graph, empty_wiring, has_place, insert, join, may_join, sort_rows

STAYS = (0.1, 0.4, 0.7, 0.9, 0.995)  # tried; what lies between is interpolated
STAYS_OF_MANY = (0.1, 0.7, 0.995)
MANY_EDGES = 2_000_000
STAY_BELOW, STAY_ABOVE = 0.15, 0.3  # how far from what clustering suggests
CLOSE_SPREAD = 0.1  # how far close pairs may be off for other reasons, relatively
TOO_MANY_TRIANGLES = 3  # more than wanted, relatively: groups make them, and swaps would hardly get rid of them
REFINEMENTS = 2
SOURCES = 2_000


def draw_graph(goals: Goals, rng: np.random.Generator, rounds: int) -> Graph:
    """A graph with exactly the wanted degrees, and the rest about as wanted; nodes group by group."""
    n = len(goals.degrees)
    if goals.n_edges == 0:
        return Graph.from_edges([], n_nodes=n)
    blocks = _plan(goals, rng)
    wiring, scores, stay = _start(goals, blocks, rng)
    improve(wiring, scores, blocks, (1 - stay) ** 2, rounds, rng)
    return as_graph(wiring)


def _plan(goals: Goals, rng: np.random.Generator) -> Blocks:
    """Blocks in groups of mixed degrees, or of like ones where these start nearer to the joint degrees.

    That is where both joint degrees and degree correlation miss less: in very assortative graphs.
    """
    clustering = goals.scale.at(goals.clustering, goals.degrees)
    mixed = plan_blocks(goals.degrees, clustering, goals.among_like, rng, alike=False)
    if goals.assortativity <= 0:
        return mixed
    alike = plan_blocks(goals.degrees, clustering, goals.among_like, rng, alike=True)
    starts = [wire(goals, blocks, np.cbrt(goals.clustering), _expected_stay(goals), rng) for blocks in (mixed, alike)]
    uncounted = np.zeros(len(goals.degrees), dtype=np.int64)  # triangles do not decide
    of_mixed, of_alike = (misses(scores_of(as_graph(start), goals, uncounted))[[PRODUCTS, JOINT]] for start in starts)
    return alike if (of_alike < of_mixed).all() else mixed


def _start(goals: Goals, blocks: Blocks, rng: np.random.Generator) -> tuple[Wiring, Scores, float]:
    """The calibrated start, and the share of people who stay in their group."""
    density = np.cbrt(goals.clustering)

    def attempt(stay: float) -> tuple[Wiring, Scores]:
        nonlocal density
        wiring = wire(goals, blocks, density, stay, rng)
        scores = scores_of(as_graph(wiring), goals)
        density = _calibrated(density, goals, scores)
        return wiring, scores

    many = goals.n_edges > MANY_EDGES  # chance averages out, and a start takes long
    tried = STAYS_OF_MANY if many else STAYS
    wiring, scores = attempt(tried[0])
    if scores.numbers[TRIANGLES] > TOO_MANY_TRIANGLES * goals.triangles:
        best = 0.0
    else:
        close = [_close_pairs(wiring, rng), *(_close_pairs(attempt(stay)[0], rng) for stay in tried[1:])]
        best = _most_plausible(goals, tried, close)
    for _ in range(REFINEMENTS - many):
        attempt(best)
    return *attempt(best), best


def _calibrated(density: Floats, goals: Goals, scores: Scores) -> Floats:
    """Clustering grows with the cube of density."""
    wanted = goals.clustering_sums
    factor = np.cbrt(np.maximum(wanted, 1e-3) / np.maximum(wanted + scores.clustering, 1e-3))
    return np.clip(density * factor, 0, 1)


def _most_plausible(goals: Goals, tried: Sequence[float], close_pairs: Sequence[float]) -> float:
    """How many people stay, from the close pairs at each share tried."""
    stay = np.linspace(tried[0], tried[-1], 200)
    falling = np.minimum.accumulate(np.maximum(1.0, close_pairs))
    have = np.exp(np.interp(stay, tried, np.log(falling)))
    off = (have - goals.close_pairs) / np.hypot(CLOSE_SPREAD * have, goals.close_pairs_std)
    expected = _expected_stay(goals)
    surprise = (stay - expected) / np.where(stay < expected, STAY_BELOW, STAY_ABOVE)
    return float(stay[np.argmin(off**2 + surprise**2)])


def _expected_stay(goals: Goals) -> float:
    """The share of people who keep to their group, as far as clustering suggests it."""
    return 0.25 + 0.75 * goals.average_clustering


def _close_pairs(wiring: Wiring, rng: np.random.Generator) -> float:
    """The number of pairs at distance 1 or 2, estimated from a sample of people."""
    graph = as_graph(wiring)
    sources = rng.permutation(graph.n_nodes)[:SOURCES]
    return float(count_within_two(graph, sources)[0]) * graph.n_nodes / max(1, 2 * len(sources))


HEAD_SWEEPS = 12
GROUP_ROUNDS = 6
ROUNDS = 30
TRIES = 20_000
TRIES_IN_GROUP = 200


def wire(goals: Goals, blocks: Blocks, density: Floats, stay: float, rng: np.random.Generator) -> Wiring:
    """A graph with the wanted degrees; a block has about the `density` given at the degrees of its people.

    `stay` is the share of people whose places beyond blocks are joined within groups.
    """
    degrees, scale = blocks.degrees, goals.scale
    wiring = empty_wiring(degrees)
    order = np.arange(len(degrees), dtype=np.int32)
    affinity = goals.affinity(degrees[blocks.heads])
    _join_heads(rng, wiring, blocks.first, order, affinity, scale.lower, scale.share, stay)
    _join_blocks(
        rng, wiring, blocks.starts, blocks.wishes(scale.at(goals.clustering, degrees), scale.at(density, degrees))
    )
    left = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees - wiring.filled)
    for place in blocks.meeting_places(stay, rng):
        meets = place[left] >= 0
        left, here = left[~meets], left[meets]
        here = _join_at_places(rng, wiring, here[np.argsort(place[here], kind="stable")], place)
        left = np.concatenate((left, _settle_in_groups(rng, wiring, here, place, blocks.first)))
    for _ in range(ROUNDS):
        left = _join_by_chance(rng, wiring, left)
    if not _break_up(rng, wiring, left):
        wiring.rows[:] = configuration(degrees, seed=int(rng.integers(2**31))).indices
        wiring.filled[:] = degrees
    sort_rows(wiring)
    return wiring


@kernel
def _join_heads(
    rng: Any, wiring: Any, first: Any, order: Any, affinity: Any, lower: Any, share: Any, stay: Any
) -> None:
    """Join each head to people of its group, in a random order of these, up to its share of friends there.

    Its affinity to people of each knot of degree says whom it meets rather early.
    """
    for group in range(len(affinity)):
        head, end = first[group], first[group + 1]
        wanted = int(stay * (wiring.indptr[head + 1] - wiring.indptr[head]) + rng.random())
        for sweep in range(HEAD_SWEEPS):
            likely = affinity[group].max() * 0.5**sweep
            for i in range(head + 1, end):
                if wiring.filled[head] >= wanted:
                    break
                j = i + int(rng.random() * (end - i))
                order[i], order[j] = order[j], order[i]
                u = order[i]
                degree = wiring.indptr[u + 1] - wiring.indptr[u]
                knot, part = lower[degree], share[degree]
                liking = part * affinity[group, knot] + (1 - part) * affinity[group, knot + 1]
                if rng.random() * likely < liking and has_place(wiring, u) and may_join(wiring, head, u):
                    join(wiring, head, u)


@kernel
def _join_blocks(rng: Any, wiring: Any, starts: Any, within: Any) -> None:
    for block in range(len(starts) - 1):
        size = starts[block + 1] - starts[block]
        total = within[starts[block] : starts[block + 1]].sum() * (size - 1) / size
        for u in range(starts[block], starts[block + 1]):
            for v in range(u + 1, starts[block + 1]):
                if rng.random() * total < within[u] * within[v] and has_place(wiring, u) and has_place(wiring, v):
                    join(wiring, u, v)


@kernel
def _join_at_places(rng: Any, wiring: Any, left: Any, place: Any) -> Any:
    """Join people of one meeting place by chance, one place after the other (sorted by place); returns who is left."""
    kept = start = 0
    while start < len(left):
        end = start
        while end < len(left) and place[left[end]] == place[left[start]]:
            end += 1
        here = left[start:end]
        for _ in range(GROUP_ROUNDS):
            here = _join_by_chance(rng, wiring, here)
        for u in here:
            left[kept] = u
            kept += 1
        start = end
    return left[:kept]


@kernel
def _join_by_chance(rng: Any, wiring: Any, left: Any) -> Any:
    """Join the places left two by two in a random order; returns those that cannot be joined."""
    for i in range(len(left) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        left[i], left[j] = left[j], left[i]
    kept = len(left) % 2
    for i in range(kept, len(left), 2):
        u, v = left[i], left[i + 1]
        if may_join(wiring, u, v):
            join(wiring, u, v)
        else:
            left[kept], left[kept + 1] = u, v
            kept += 2
    return left[:kept]


@kernel
def _settle_in_groups(rng: Any, wiring: Any, left: Any, place: Any, first: Any) -> Any:
    """Give each two places left an edge of their group to break up (sorted by place); returns who is left."""
    kept = 0
    i = 0
    while i < len(left):
        u = left[i]
        group = place[u]
        settled = False
        if i + 1 < len(left) and place[left[i + 1]] == group and group < len(first) - 1:
            for _ in range(TRIES_IN_GROUP):
                x = first[group] + int(rng.random() * (first[group + 1] - first[group]))
                if wiring.filled[x]:
                    y = wiring.rows[wiring.indptr[x] + int(rng.random() * wiring.filled[x])]
                    settled = place[y] == group and insert(wiring, x, y, u, left[i + 1])
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
def _break_up(rng: Any, wiring: Any, left: Any) -> Any:
    """The same anywhere; False if no edge is found for some."""
    for i in range(0, len(left) - 1, 2):
        settled = False
        for _ in range(TRIES):
            place = int(rng.random() * len(wiring.rows))
            x, y = wiring.owner[place], wiring.rows[place]
            settled = y >= 0 and insert(wiring, x, y, left[i], left[i + 1])
            if settled:
                break
        if not settled:
            return False
    return True
