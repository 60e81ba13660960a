"""Distances between people: exact on graphs of a stated size, from sampled sources above it, and saying which.

Breadth-first search from 512 sources at a time: each node holds one bit per source, and a step of the search is an OR
over its neighbours (Then et al. 2014). A node that all sources have reached is skipped, and so is a neighbour that
nothing new has reached. Nothing here is private.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.parallel import sum_over_parts
from graphveil.kernels import kernel

EXACT_UP_TO = 40_000
SOURCES = 1_024
WORDS = 8
BATCH = 64 * WORDS


@dataclass(frozen=True, slots=True)
class Distances:
    """Distances over all connected pairs of people, or over the pairs (source, person) of sampled sources.

    `histogram[d]` is the number of pairs at distance d; pairs that no path joins are in none. `average` and
    `diameter` are over those pairs and 0 if there are none; a sampled diameter is a lower bound.
    """

    histogram: tuple[int, ...]
    sources: int
    sampled: bool

    @property
    def average(self) -> float:
        """Mean distance of a connected pair."""
        pairs = sum(self.histogram)
        return sum(distance * count for distance, count in enumerate(self.histogram)) / pairs if pairs else 0.0

    @property
    def standard_error(self) -> float:
        """That of a sampled average, or more: means over people vary at most as much as single distances do."""
        pairs = sum(self.histogram)
        if not (self.sampled and pairs):
            return 0.0
        squares = sum((distance - self.average) ** 2 * count for distance, count in enumerate(self.histogram))
        return float((squares / pairs / self.sources) ** 0.5)

    @property
    def diameter(self) -> int:
        """The largest distance seen: the diameter, or a lower bound on it if sources were sampled."""
        return max(0, len(self.histogram) - 1)


def exact_distances(
    graph: Graph,
    *,
    exact_up_to: int = EXACT_UP_TO,
    sources: int = SOURCES,
    seed: int = 0,
    threads: int | None = None,
) -> Distances:
    """All distances in a graph of up to `exact_up_to` nodes, else those from `sources` people drawn with `seed`.

    >>> path = exact_distances(Graph.from_edges([(0, 1), (1, 2)]))
    >>> path.histogram, path.diameter, path.sampled
    ((0, 2, 1), 2, False)
    """
    if sources < 1:
        raise ParameterError(f"sources is {sources}; give at least 1")
    sampled = graph.n_nodes > max(exact_up_to, sources)
    people = np.arange(graph.n_nodes)
    if sampled:
        people = np.random.default_rng(seed).choice(graph.n_nodes, sources, replace=False)
    counts = sum_over_parts(partial(_count_distances, graph.indptr, graph.indices), people, BATCH, threads)
    if not sampled:
        counts //= 2  # each pair was met from both of its ends
    return Distances(tuple(np.trim_zeros(counts, "b").tolist()), len(people), sampled)


@kernel
def _count_distances(indptr: Any, indices: Any, sources: Any) -> Any:
    """Number of pairs (source, node) at each distance, for one batch of sources."""
    n_nodes = len(indptr) - 1
    histogram = np.zeros(n_nodes + 2, dtype=np.int64)  # one step more than the longest path finds nothing
    reached = np.empty((n_nodes, WORDS), dtype=np.uint64)
    fresh = np.empty((n_nodes, WORDS), dtype=np.uint64)
    coming = np.empty((n_nodes, WORDS), dtype=np.uint64)
    active = np.empty(n_nodes, dtype=np.bool_)
    awakened = np.empty(n_nodes, dtype=np.bool_)
    everyone = _start(sources, reached, fresh, active)
    distance, found = 0, 1
    while found > 0:
        distance += 1
        found = _step(indptr, indices, everyone, reached, fresh, coming, active, awakened)
        histogram[distance] += found
        fresh, coming = coming, fresh
        active, awakened = awakened, active
    return histogram


@kernel
def _start(sources: Any, reached: Any, fresh: Any, active: Any) -> Any:
    """Only the sources themselves are reached; returns the bits of all of them."""
    everyone = np.zeros(WORDS, dtype=np.uint64)
    reached[:] = 0
    active[:] = False
    for i in range(len(sources)):
        bit = np.uint64(1) << np.uint64(i % 64)
        everyone[i // 64] |= bit
        reached[sources[i], i // 64] |= bit
        active[sources[i]] = True
    fresh[:] = reached
    return everyone


@kernel
def _step(
    indptr: Any, indices: Any, everyone: Any, reached: Any, fresh: Any, coming: Any, active: Any, awakened: Any
) -> Any:
    """One step of all searches: from `fresh` to `coming`; returns how many (source, node) pairs were newly met."""
    found = 0
    for v in range(len(indptr) - 1):
        awakened[v] = False
        missing = np.uint64(0)
        for word in range(WORDS):
            coming[v, word] = 0
            missing |= everyone[word] & ~reached[v, word]
        if missing == 0:
            continue
        for k in range(indptr[v], indptr[v + 1]):
            if active[indices[k]]:
                for word in range(WORDS):
                    coming[v, word] |= fresh[indices[k], word]
        for word in range(WORDS):
            coming[v, word] &= ~reached[v, word]
            if coming[v, word] != 0:
                awakened[v] = True
                reached[v, word] |= coming[v, word]
                found += _bits_set(coming[v, word])
    return found


@kernel
def _bits_set(word: Any) -> Any:
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
