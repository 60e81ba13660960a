"""Random graphs with wished degrees, in expectation, dense in blocks of people of similar degree (BTER).

Seshadhri, Kolda, Pinar 2012: people of about d friends form blocks of d + 1, in which pairs are joined with a
probability that gives the wished clustering; friends they then still lack are drawn anywhere, in proportion (Chung and
Lu 2002). Repeated pairs are dropped.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

EXTRA_ROUNDS = 8


def block_graph(degrees: Floats, clustering: Floats, *, seed: int) -> Graph:
    """A graph in which person u has about `degrees[u]` friends, and clustering about `clustering[u]`."""
    rng = np.random.default_rng(seed)
    n = len(degrees)
    order = np.argsort(degrees, kind="stable").astype(np.int64)
    inside = _join_blocks(rng, order, degrees, np.cbrt(np.clip(clustering, 0, 1)))
    missing = np.maximum(degrees - np.bincount(inside.ravel(), minlength=n), 0)
    outside = draw_pairs(missing, int(np.rint(missing.sum() / 2)), rng, taken=inside)
    return Graph.from_edges(np.concatenate((inside, outside)), n_nodes=n)


def draw_pairs(weights: Floats, count: int, rng: np.random.Generator, *, taken: Integers | None = None) -> Integers:
    """That many different pairs, both ends drawn by weight; fewer where weights allow no more within a few rounds."""
    n = len(weights)
    total = float(weights.sum())
    keys = np.empty(0, dtype=np.int64) if taken is None else _keys(taken, n)
    known = np.unique(keys)
    fresh = np.empty(0, dtype=np.int64)
    for _ in range(EXTRA_ROUNDS):
        wanted = count - len(fresh)
        if wanted <= 0 or total <= 0:
            break
        drawn = np.searchsorted(np.cumsum(weights) / total, rng.random((wanted + 8, 2)))
        drawn = drawn[(drawn[:, 0] != drawn[:, 1]) & (drawn < n).all(axis=1)]
        new = np.setdiff1d(np.setdiff1d(_keys(drawn, n), known), fresh)
        fresh = np.concatenate((fresh, rng.permutation(new)[:wanted]))
    return np.stack(np.divmod(fresh, n), axis=1)


def _keys(pairs: Integers, n: int) -> Integers:
    keys: Integers = pairs.min(axis=1) * n + pairs.max(axis=1)
    return keys


def _join_blocks(rng: np.random.Generator, order: Integers, degrees: Floats, density: Floats) -> Any:
    """The pairs that are joined within blocks of consecutive people in this order."""
    starts = [int(np.searchsorted(degrees[order], 2.0))]
    while starts[-1] < len(order):
        starts.append(min(len(order), starts[-1] + 1 + round(float(degrees[order[starts[-1]]]))))
    edges = [np.empty((0, 2), dtype=np.int64)]
    for first, last in pairwise(starts):
        edges.append(_join_block(rng, order[first:last], float(density[order[first]])))
    return np.concatenate(edges)


@kernel
def _join_block(rng: Any, members: Any, density: Any) -> Any:
    edges = np.empty((len(members) * (len(members) - 1) // 2, 2), dtype=np.int64)
    write = 0
    for i in range(len(members)):
        for j in range(i):
            if rng.random() < density:
                edges[write] = members[i], members[j]
                write += 1
    return edges[:write]
