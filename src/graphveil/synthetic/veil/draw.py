"""One graph from goals: calibrate how it starts, start it, and let swaps do the rest. Nothing here is private.

Starting is cheap, so it is tried several times. Blocks get denser or sparser where the clustering of a class of degrees
came out too low or too high. A fixed share of people keep to their group; where groups make several times too many
triangles, nobody does. At epsilon 1 paths and communities of most public graphs came out closer with 0.4 than with a
share that grows with clustering, or one fitted to the number of pairs at distance 1 or 2; not all: benchmarks.md.

A start turns a plan of blocks into a simple graph with exactly the wanted degrees. Edges within blocks come first, each
pair with the chance that its two ends' wishes give (Chung and Lu 2002), as far as both have places left. The places
left over are joined at random, first within groups, then anywhere; the few that cannot be joined (both ends are friends
already) each break some edge xy up into ux and vy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks, plan_blocks
from graphveil.synthetic.veil.goals import Goals
from graphveil.synthetic.veil.scores import JOINT, PRODUCTS, TRIANGLES, Scores, misses, scores_of
from graphveil.synthetic.veil.swaps import improve
from graphveil.synthetic.veil.wiring import Wiring, as_graph, empty_wiring, has_place, insert, join, may_join, sort_rows

STAY = 0.4  # of people keep to their group
STARTS = 4
STARTS_OF_MANY = 3
MANY_EDGES = 2_000_000
TOO_MANY_TRIANGLES = 3  # more than wanted, relatively: groups make them, and swaps would hardly get rid of them


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
    mixed = plan_blocks(goals.degrees, clustering, rng, alike=False)
    if goals.assortativity <= 0:
        return mixed
    alike = plan_blocks(goals.degrees, clustering, rng, alike=True)
    starts = [wire(goals, blocks, np.cbrt(goals.clustering), STAY, rng) for blocks in (mixed, alike)]
    uncounted = np.zeros(len(goals.degrees), dtype=np.int64)  # triangles do not decide
    of_mixed, of_alike = (misses(scores_of(as_graph(start), goals, uncounted))[[PRODUCTS, JOINT]] for start in starts)
    return alike if (of_alike < of_mixed).all() else mixed


def _start(goals: Goals, blocks: Blocks, rng: np.random.Generator) -> tuple[Wiring, Scores, float]:
    """The last of several starts, each with the density that the one before asks for, and the share who stay."""
    density, stay = np.cbrt(goals.clustering), STAY
    starts = STARTS_OF_MANY if goals.n_edges > MANY_EDGES else STARTS  # in a large graph chance averages out
    for number in range(starts):
        wiring = wire(goals, blocks, density, stay, rng)
        scores = scores_of(as_graph(wiring), goals)
        density = _calibrated(density, goals, scores)
        if number == 0 and scores.numbers[TRIANGLES] > TOO_MANY_TRIANGLES * goals.triangles:
            stay = 0.0
    return wiring, scores, stay


def _calibrated(density: Floats, goals: Goals, scores: Scores) -> Floats:
    """Clustering grows with the cube of density."""
    wanted = goals.clustering_sums
    factor = np.cbrt(np.maximum(wanted, 1e-3) / np.maximum(wanted + scores.clustering, 1e-3))
    return np.clip(density * factor, 0, 1)


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
