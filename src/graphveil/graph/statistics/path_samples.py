"""The edge that most shortest paths use, from random shortest paths between random people; nothing here is private.

A pair of people is drawn, and one of the shortest paths between them, all alike (Riondato and Kornaropoulos 2014). The
share of such paths that use an edge is its betweenness over the number of pairs. To find a path both ends are searched
from, the one with fewer edges ahead first (Borassi and Natale 2016): most of a large network is never looked at.

The edge is chosen by half of the paths and measured by the other half: the choice of a maximum favours edges that had
luck, and would be measured too large by the paths that chose it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.parallel import mapping
from graphveil.kernels import kernel

PAIRS = 200_000
STEPS = 400_000_000  # along edges that are affordable; of them depends how many pairs are drawn in a large network
FEWEST_PAIRS = 200
TRIAL = 64  # pairs, to see how many steps one takes
PARTS = 8
LARGE = 1e100  # numbers of paths of one length are made smaller above this, all alike


@dataclass(frozen=True, slots=True)
class LargestBetweenness:
    """An edge's betweenness, from paths drawn between so many pairs, and its standard error."""

    value: float
    standard_error: float
    pairs: int


def largest_edge_betweenness(graph: Graph, *, seed: int, pairs: int = PAIRS, steps: int = STEPS) -> LargestBetweenness:
    """The betweenness of an edge that has about the largest; fewer than `pairs` where these would take more `steps`.

    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> found = largest_edge_betweenness(bridge, seed=1, pairs=20_000)
    >>> abs(found.value - 9) < 4 * found.standard_error < 0.6
    True
    """
    trial, first, second = np.random.default_rng(seed).spawn(3)
    taken = _draw(graph, TRIAL, trial)[1]
    half = max(FEWEST_PAIRS, min(pairs, steps * TRIAL // max(1, taken))) // 2
    edges, counts = np.unique(_draw(graph, half, first)[0], return_counts=True)
    if not len(edges):
        return LargestBetweenness(0.0, 0.0, 2 * half)
    hits = int((_draw(graph, half, second)[0] == edges[np.argmax(counts)]).sum())
    scale = graph.n_nodes * (graph.n_nodes - 1) / 2 / half
    return LargestBetweenness(max(1.0, hits * scale), (hits + 1) ** 0.5 * scale, 2 * half)


def _draw(graph: Graph, pairs: int, rng: np.random.Generator) -> tuple[Integers, int]:
    """The edges of a random shortest path of each pair, as numbers u n + v with u < v; and the steps taken."""
    sample = partial(_sample, graph.indptr, graph.indices, -(-pairs // PARTS))
    with mapping(min(os.cpu_count() or 1, PARTS)) as run:
        parts = list(run(sample, rng.spawn(PARTS)))
    edges = np.concatenate([np.sort(part, axis=1) @ np.array([graph.n_nodes, 1]) for part, _ in parts])
    return edges, sum(steps for _, steps in parts)


@kernel
def _sample(indptr: Any, indices: Any, pairs: Any, rng: Any) -> Any:
    """The edges of a random shortest path for each of so many pairs; and how many steps were taken.

    Row 0 of each array is the search from one end, row 1 that from the other.
    """
    n_nodes = len(indptr) - 1
    distance = np.full((2, n_nodes), -1, dtype=np.int32)
    paths = np.empty((2, n_nodes))
    queue = np.empty((2, n_nodes), dtype=np.int32)
    reached = np.zeros(2, dtype=np.int64)
    edges = np.empty((16, 2), dtype=np.int32)
    used = steps = 0
    for _ in range(pairs if n_nodes > 1 else 0):
        one = int(rng.random() * n_nodes)
        other = int(rng.random() * (n_nodes - 1))
        other += other >= one
        side, v, w, taken = _meet(indptr, indices, one, other, distance, paths, queue, reached, rng)
        steps += taken
        if v >= 0:
            length = distance[side, v] + 1 + distance[1 - side, w]
            if used + length > len(edges):
                longer = np.empty((2 * (used + length), 2), dtype=np.int32)
                longer[:used] = edges[:used]
                edges = longer
            edges[used, 0], edges[used, 1] = v, w
            used = _walk_back(indptr, indices, v, distance[side], paths[side], edges, used + 1, rng)
            used = _walk_back(indptr, indices, w, distance[1 - side], paths[1 - side], edges, used, rng)
        for row in range(2):
            for i in range(reached[row]):
                distance[row, queue[row, i]] = -1
    return edges[:used], steps


@kernel
def _meet(
    indptr: Any, indices: Any, one: Any, other: Any, distance: Any, paths: Any, queue: Any, reached: Any, rng: Any
) -> Any:
    """Search from both ends until they meet; the side that moved last, a random edge in the middle, and the steps.

    All shortest paths cross exactly one edge vw from the last people reached by one side to those of the other. It is
    drawn in proportion to the paths through it; v is -1 if nothing joins the two ends.
    """
    start, end, ahead = np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    for row, person in ((0, one), (1, other)):
        queue[row, 0], distance[row, person], paths[row, person] = person, 0, 1.0
        ahead[row] = indptr[person + 1] - indptr[person]
    met_v = met_w = np.int64(-1)
    side = steps = 0
    while met_v < 0 and ahead.min() > 0:
        side = 0 if ahead[0] <= ahead[1] else 1
        steps += ahead[side]
        ahead[side] = 0
        tail = end[side]
        through = largest = 0.0
        for i in range(start[side], end[side]):
            v = queue[side, i]
            for w in indices[indptr[v] : indptr[v + 1]]:
                if distance[1 - side, w] >= 0:
                    new = paths[side, v] * paths[1 - side, w]
                    through += new
                    if rng.random() * through < new:
                        met_v, met_w = v, w
                elif distance[side, w] < 0:
                    distance[side, w] = distance[side, v] + 1
                    paths[side, w] = paths[side, v]
                    queue[side, tail] = w
                    tail += 1
                    ahead[side] += indptr[w + 1] - indptr[w]
                elif distance[side, w] > distance[side, v]:
                    paths[side, w] += paths[side, v]
                    largest = max(largest, paths[side, w])
        start[side], end[side] = end[side], tail
        if largest > LARGE:
            for i in range(start[side], tail):
                paths[side, queue[side, i]] /= LARGE
    reached[:] = end
    return side, met_v, met_w, steps


@kernel
def _walk_back(indptr: Any, indices: Any, v: Any, distance: Any, paths: Any, edges: Any, used: Any, rng: Any) -> Any:
    """Write the edges of a random shortest path from v to where the search began; returns how many are written now."""
    while distance[v] > 0:
        before, through = v, 0.0
        for w in indices[indptr[v] : indptr[v + 1]]:
            if distance[w] == distance[v] - 1:
                through += paths[w]
                if rng.random() * through < paths[w]:
                    before = w
        edges[used, 0], edges[used, 1] = before, v
        used += 1
        v = before
    return used
