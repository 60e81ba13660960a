"""A matrix of noisy pairs and the simple graphs next to it, drawn without ever writing the matrix down.

Randomised response gives every pair of people one noisy bit: its own, or with odds e^-rate the opposite one. Let Y be
the pairs whose bit came out 1. The graph with s edges under which Y is most likely is the one that differs from Y in
the fewest pairs: s pairs of Y, or all of Y and s - |Y| others, ties broken evenly.

Noise with more levels gives nothing more. Add discrete Laplace noise of that rate to every entry of the matrix: a noisy
entry is at least 1 with odds e^rate for an edge and e^-rate for another pair, and how far above or below it lies is
memoryless, the same for both. So the s largest noisy entries (Nguyen, Imine, Rusinowitch 2015) are s even draws from Y,
and past its end from the rest: the same law.

All this depends on the graph through few counts. Of m edges and z other pairs, m - Bin(m) and Bin(z) come into Y; a
hypergeometric number of the edges is among those published; which edges and which others they are is even. Time and
memory O(m + s), not O(n^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.graph.core import Graph
from graphveil.graph.pairs import nth_absent, numbers_of_pairs, pairs_by_number
from graphveil.mechanisms.accuracy import Value
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive
from graphveil.mechanisms.noise.bernoulli import flip_odds
from graphveil.mechanisms.noise.binomial import sample_binomial, sample_hypergeometric, sample_subset
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure

COUNT_SHARE = Fraction(1, 50)  # of epsilon, for the number of edges: 1/10 left a tenth fewer edges true


@dataclass(frozen=True, slots=True)
class NoisyPairs:
    """How many of the edges and of the other pairs have a noisy bit of 1. Only their sum may be looked at."""

    edges: int
    others: int
    edges_in: int
    others_in: int

    @property
    def ones(self) -> int:
        """Number of noisy bits that are 1: public."""
        return self.edges_in + self.others_in

    def nearest_graph(self, size: int, noise: Noise) -> int:
        """How many true edges are in the most likely graph of `size` edges."""
        if size <= self.ones:
            return sample_hypergeometric(noise, self.edges_in, self.others_in, size)
        edges_out, others_out = self.edges - self.edges_in, self.others - self.others_in
        return self.edges_in + sample_hypergeometric(noise, edges_out, others_out, size - self.ones)


def respond(graph: Graph, rate: Fraction, noise: Noise) -> NoisyPairs:
    """Randomised response on every pair: one pair's bit costs a loss of `rate`."""
    edges, others = graph.n_edges, math.comb(graph.n_nodes, 2) - graph.n_edges
    edges_in = edges - sample_binomial(noise, edges, rate)
    return NoisyPairs(edges, others, edges_in, sample_binomial(noise, others, rate))


def draw_graph(graph: Graph, true_edges: int, size: int, noise: Noise) -> Graph:
    """A graph of `size` edges: an even choice of so many edges of the graph, the rest even among the other pairs."""
    n = graph.n_nodes
    edges = np.sort(numbers_of_pairs(graph.edges(), n))
    kept = edges[sample_subset(noise, len(edges), true_edges)]
    ranks = sample_subset(noise, math.comb(n, 2) - len(edges), size - true_edges)
    pairs = pairs_by_number(np.concatenate([kept, nth_absent(edges, ranks)]), n)
    return Graph.from_edges(
        pairs, n_nodes=n, labels=graph.labels, roster_declared=graph.roster_declared, named=graph.named
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearestGraph:
    """The most likely graph given a noisy bit for every pair: a measurement.

    `size` is a public rule: from the number of noisy bits that are 1 to the number of edges that are published. The
    outcome is (published graph, number of ones). One edge changes one bit, which costs epsilon.
    """

    graph: Graph
    epsilon: Fraction
    size: Callable[[int], int]

    @property
    def loss(self) -> Pure:
        """Pure epsilon: that of the one bit that an edge changes."""
        return Pure(self.epsilon)

    @property
    def text(self) -> str:
        """What happens to each pair."""
        return f"flipped each pair of people, edge or no edge, with odds of 1 to e^{float(self.epsilon):.3g}"

    def draws(self, noise: Noise, runs: int) -> Any:
        """The published graph and the number of ones, for each run."""
        return [self._publish(noise) for _ in range(runs)]

    def rows(self, noise: Noise, runs: int) -> Integers:
        """A row a run: the number of ones, a bit for every pair. The matrix is written out: for few people only."""
        bits = _noisy_bits(self.graph, self.epsilon, noise, runs)
        ones, which = np.unique(bits.sum(axis=1), return_inverse=True)
        sizes = np.array([self.size(int(value)) for value in ones], dtype=np.int64)[which]
        return np.column_stack((ones[which], _nearest(bits, sizes, noise)))

    def _publish(self, noise: Noise) -> tuple[Graph, int]:
        pairs = respond(self.graph, self.epsilon, noise)
        size = self.size(pairs.ones)
        return draw_graph(self.graph, pairs.nearest_graph(size, noise), size, noise), pairs.ones


def largest_pairs(graph: Graph, count_epsilon: Fraction, matrix_epsilon: Fraction) -> Adaptive:
    """The largest entries of a noisy matrix, as many as a noisy number of edges says.

    The outcome is (noisy number, (published graph, number of ones)).
    """
    pairs = math.comb(graph.n_nodes, 2)
    return Adaptive(
        first=NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=count_epsilon),
        key=lambda noisy: min(max(0, noisy), pairs),
        following=lambda size: (NearestGraph(graph=graph, epsilon=matrix_epsilon, size=lambda _: size),),
        following_epsilon=matrix_epsilon,
    )


def _noisy_bits(graph: Graph, rate: Fraction, noise: Noise, runs: int) -> Bits:
    """A noisy bit for every pair, by number, in every run."""
    n = graph.n_nodes
    true = np.zeros(math.comb(n, 2), dtype=np.bool_)
    true[numbers_of_pairs(graph.edges(), n)] = True
    return true ^ flip_odds(noise, rate, runs * len(true)).reshape(runs, len(true))


def _nearest(bits: Bits, sizes: Integers, noise: Noise) -> Bits:
    """So many pairs of every run, evenly among the ones, and past their end among the others."""
    order = noise.words(bits.size).reshape(bits.shape) >> np.uint64(1)  # two are the same once in 2^50 runs
    places = np.argsort(np.where(bits, order, order | np.uint64(1 << 63)), axis=1)
    kept = np.zeros_like(bits)
    np.put_along_axis(kept, places, np.arange(bits.shape[1]) < sizes[:, None], axis=1)
    return kept


def published_edges(graph: Graph) -> Value:
    """The edges as pairs of labels, sorted by the people's order, which a session has made that of their names."""
    pairs = graph.edges()
    named = pairs if graph.labels is None else graph.labels[pairs]
    return tuple(zip(*named.T.tolist(), strict=True))
