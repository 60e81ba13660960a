"""Swaps that bring a wiring nearer to its goals without changing any degree: ab and cd become ad and cb.

A swap is made if the score does not grow. First only such swaps are tried as leave the number of edges between any two
groups as it was. Where they do not lead to the goals, in very assortative graphs say, swaps go on between any people,
as if all were of one group.

Swaps are proposed and weighed a batch at a time, in parts that threads share, while no row changes. Then they are made
one after another: those with a row that the batch has changed meanwhile are weighed anew. Parts have random numbers of
their own, so the graph does not depend on the number of threads.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers, SmallIntegers
from graphveil.graph.parallel import mapping
from graphveil.kernels import kernel
from graphveil.synthetic.veil.blocks import Blocks
from graphveil.synthetic.veil.proposals import propose
from graphveil.synthetic.veil.scores import (
    JOINT,
    Scores,
    misses,
)
from graphveil.synthetic.veil.sorted_rows import degree_of, knows, rename
from graphveil.synthetic.veil.weigh import accept, weigh
from graphveil.synthetic.veil.wiring import Wiring

CLOSE_ENOUGH = np.array([0.015, 0.045, 0.045, 0.1])  # of the four terms of the score: .5 %, .005, 1.5 %, 10 %
STALLED = 0.01  # a round that gains less, relatively, does little; where goals contradict each other none gains much
STALLED_ANYWHERE = 0.003
PATIENCE = 3
FEWEST_TRIES = 10_000  # in a round, so that chance does not end the search in a small graph
MANY_TRIES = 40_000_000
ENOUGH_ROUNDS = 3

BATCHES = 64  # at least in a round
FEWEST_IN_BATCH, MOST_IN_BATCH = 128, 2**16
PART = 2**11  # of a batch, for one thread
BLOCK = 512  # proposals that take their steps together


def improve(
    wiring: Wiring,
    scores: Scores,
    blocks: Blocks,
    bridges: float,
    rounds: int,
    rng: np.random.Generator,
    threads: int | None = None,
) -> int:
    """Rounds of swaps until all goals are met or hardly come nearer; returns how many rounds were begun.

    First swaps that keep the number of edges between any two groups. If triangles, clustering or degree correlation
    are not reached by these, swaps between any people. A round tries one swap for every edge, 10,000 at least. Large
    graphs come near their goals in few rounds: from a million edges on the limit falls, to four rounds at ten million.
    `bridges` is the share of the swaps that touch an edge between groups that may be tried.
    """
    n_edges = len(wiring.rows) // 2
    most = min(rounds, max(ENOUGH_ROUNDS, MANY_TRIES // n_edges))
    swapping = Swapping(wiring, scores, rng, threads)
    within = blocks.group, wiring.indptr[blocks.first], bridges
    done = _rounds(swapping, within, CLOSE_ENOUGH, STALLED, most)
    if (misses(scores) < CLOSE_ENOUGH)[:JOINT].all():
        return done
    anywhere = np.zeros_like(blocks.group), np.array([0, len(wiring.rows)]), 1.0
    only = np.where(np.arange(len(CLOSE_ENOUGH)) < JOINT, CLOSE_ENOUGH, np.inf)
    return done + _rounds(swapping, anywhere, only, STALLED_ANYWHERE, most - done)


Where = tuple[SmallIntegers, Integers, float]  # everybody's group, where the rows of each begin, share of bridges


class Swapping:
    """Rounds of swaps on one wiring, on all cores if `threads` is None."""

    def __init__(self, wiring: Wiring, scores: Scores, rng: np.random.Generator, threads: int | None) -> None:
        self.wiring, self.scores = wiring, scores
        self.tries = max(FEWEST_TRIES, len(wiring.rows) // 2)
        self.batch = min(max(FEWEST_IN_BATCH, self.tries // BATCHES), MOST_IN_BATCH)
        self.streams = rng.spawn(-(-self.batch // PART))
        self.threads = min(threads or os.cpu_count() or 1, len(self.streams))
        self.batches = 0
        self.changed_in = np.zeros(len(wiring.filled), dtype=np.int32)

    def round(self, where: Where, enough: Floats) -> None:
        """Try one swap for every edge, or fewer if all terms of the score are small enough before."""
        size = -(-self.batch // len(self.streams))
        with mapping(self.threads) as run:
            for _ in range(-(-self.tries // self.batch)):
                self.batches += 1
                weighed = run(partial(_weigh_part, self.wiring, self.scores, *where, size), self.streams)
                for swaps, effects in list(weighed):  # all are weighed before the first is made
                    _make(self.wiring, self.scores, swaps, effects, self.changed_in, self.batches)
                if (misses(self.scores) < enough).all():
                    return


def _rounds(swapping: Swapping, where: Where, enough: Floats, stalled: float, most: int) -> int:
    """Rounds of swaps until all terms are small enough or several rounds gained little; returns how many were begun."""
    last, in_vain = misses(swapping.scores), 0
    for done in range(most):
        if (last < enough).all() or in_vain == PATIENCE:
            return done
        swapping.round(where, enough)
        now = misses(swapping.scores)
        in_vain = in_vain + 1 if last.sum() - now.sum() < stalled * now.sum() else 0
        last = now
    return most


@kernel
def _weigh_part(wiring: Any, scores: Any, group: Any, starts: Any, bridges: Any, tries: Any, rng: Any) -> Any:
    """So many tries: the swaps found, a row each, and by how much each changes triangles and clustering by class."""
    indptr, rows, filled, owner = wiring
    swaps = np.empty((tries, 4), dtype=np.int32)
    effects = np.zeros((tries, 1 + len(scores.clustering)))
    mark = np.zeros(len(filled), dtype=np.uint8)
    block = np.empty((4, BLOCK), dtype=np.int32)
    done = found = 0
    while done < tries:
        size = min(BLOCK, tries - done)
        for i in range(propose(rng, indptr, rows, owner, group, starts, bridges, block, size)):
            swaps[found] = block[:, i]
            weigh(indptr, rows, scores.lower, scores.share, scores.pair_weight, mark, swaps[found], effects[found])
            found += 1
        done += size
    return swaps[:found], effects[:found]


@kernel
def _make(wiring: Any, scores: Any, swaps: Any, effects: Any, changed_in: Any, batch: Any) -> None:
    """Make those of the swaps that do not raise the score, one after another."""
    indptr, rows, filled, _ = wiring
    lower, share, pair_weight = scores.lower, scores.share, scores.pair_weight
    mark = np.zeros(len(filled), dtype=np.uint8)
    for i in range(len(swaps)):
        a, b, c, d = swaps[i]
        if changed_in[a] == batch or changed_in[b] == batch or changed_in[c] == batch or changed_in[d] == batch:
            if not knows(indptr, rows, a, b) or not knows(indptr, rows, c, d):
                continue
            if knows(indptr, rows, a, d) or knows(indptr, rows, c, b):
                continue
            weigh(indptr, rows, lower, share, pair_weight, mark, swaps[i], effects[i])
        degrees = degree_of(indptr, a), degree_of(indptr, b), degree_of(indptr, c), degree_of(indptr, d)
        if accept(scores, *degrees, effects[i]):
            rename(indptr, rows, a, b, d)
            rename(indptr, rows, b, a, c)
            rename(indptr, rows, c, d, b)
            rename(indptr, rows, d, c, a)
            changed_in[a] = changed_in[b] = changed_in[c] = changed_in[d] = batch
