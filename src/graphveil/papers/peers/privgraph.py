"""A graph of noisy communities (PrivGraph).

Paper      Yuan, Zhang, Du, Chen, Cheng, Sun 2023 (PrivGraph)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  communities from a noisy coarse graph, refined person by person; degrees within communities and edges
           between them with noise; pairs are then joined in proportion
Cost       O(m) and a draw for every pair of coarse groups and every person and community
Differs    communities are chosen in three rounds; people are dealt into groups at random and not by number, which in
           public data sets follows communities; the choice scores edges, which one more edge only raises: no factor
           2; noise is exact; noisy degrees within a community are projected to their noisy sum, not cut at 0

Sensitivity, a third of epsilon each. (1) People are dealt into groups at random; one edge changes one number of edges
between two groups by 1. (2) In three rounds everybody chooses a community by the number of their edges into it as it
was after the round before: one edge raises one score of each of its two ends by 1 in a round, and each of these six
choices costs a sixth (`mechanisms.selection`, monotone scores, noisy max). (3) An edge lies within a community, where
it changes two degrees by 1 (rate a half), or between two, where it changes one number by 1: never both, so the losses
do not add.

People are followed: communities and degrees are those of the people named.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.communities import find_weighted_communities
from graphveil.mechanisms.choices import Choices
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyVector
from graphveil.mechanisms.norm_sub import norm_sub
from graphveil.mechanisms.old_measurement import Measurements, draw_all
from graphveil.mechanisms.selection import ReportNoisyMax
from graphveil.papers.peers.block_graph import draw_pairs
from graphveil.synthetic.synthesizer import Fit, Synthesizer

Integers = NDArray[np.int64]

MOST_GROUPS = 1_000  # a draw for every pair of them
CHOICES_AT_ONCE = 4_000_000
ROUNDS = 3  # in which everybody chooses a community, each time among those of the round before


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivGraph(Synthesizer):
    """Communities, degrees within them, edges between them.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> cliques = [(i, j) for start in (0, 6) for i in range(start, start + 6) for j in range(start, i)]
    >>> method = PrivGraph(epsilon=Fraction(300), group_size=1)
    >>> fit = method.fit(Graph.from_edges(cliques), SeededNoise(1))
    >>> fit.targets["communities"], fit.targets["edges"]
    ([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], 30)
    """

    group_size: int = 20

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if self.group_size < 1:
            raise ParameterError(f"group_size must be at least 1, not {self.group_size}")

    def measurements(self, graph: Graph) -> Measurements:
        """All of them, were people dealt by number and the communities these groups, whatever the noise says.

        A run takes groups and communities from its coins and from noisy numbers: public, and as good as any others.
        """
        dealt = np.arange(graph.n_nodes) % self._n_groups(graph.n_nodes)
        choices = self._choices(graph, dealt, 0, graph.n_nodes)
        coarse = NoisyVector(count_between_groups(graph, dealt), self.epsilon / 3)
        return coarse, *(choices for _ in range(ROUNDS)), *self._within_and_between(graph, dealt)

    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Coarse communities, everybody's choice among them, degrees within and edges between."""
        communities = self.coarse_communities(graph, noise)
        for _ in range(ROUNDS):
            communities = self.choose_communities(graph, communities, noise)
        size = int(communities.max(initial=-1)) + 1
        noisy_inner, noisy_across = draw_all(self._within_and_between(graph, communities), noise)
        degrees = np.zeros(graph.n_nodes)
        for community in range(size):
            members = communities == community
            degrees[members] = norm_sub(noisy_inner[members], float(noisy_inner[members].sum()))
        between = np.maximum(noisy_across, 0)
        edges = int(np.rint(degrees.sum() / 2)) + int(between.sum())
        targets = {
            "edges": edges,
            "communities": communities.tolist(),
            "inner_degrees": degrees.round(3).tolist(),
            "edges_between": between.tolist(),
        }
        parameters = {"communities": communities, "degrees": degrees, "between": between}
        return Fit(graph.n_nodes, targets, parameters, follows_people=True, labels=graph.labels)

    def coarse_communities(self, graph: Graph, noise: Noise) -> Integers:
        """Communities of random groups of people, from noisy numbers of edges between groups."""
        n, n_groups = graph.n_nodes, self._n_groups(graph.n_nodes)
        dealt = np.random.default_rng(noise.bits(64)).permutation(n) % n_groups  # these coins may be public
        weights = np.zeros((n_groups, n_groups))
        noisy = NoisyVector(count_between_groups(graph, dealt), self.epsilon / 3).draw(noise)
        weights[np.triu_indices(n_groups)] = np.maximum(noisy, 0)
        loops = 2 * weights.diagonal()
        np.fill_diagonal(weights, 0)
        weights += weights.T
        rows, columns = np.nonzero(weights)
        indptr = np.searchsorted(rows, np.arange(n_groups + 1))
        return find_weighted_communities(indptr, columns, weights[rows, columns], loops)[dealt]

    def choose_communities(self, graph: Graph, coarse: Integers, noise: Noise) -> Integers:
        """Everybody's community: the one with most of their edges, by noisy maximum; numbered without gaps."""
        step = max(1, CHOICES_AT_ONCE // max(1, int(coarse.max(initial=0)) + 1))
        chosen = np.empty(graph.n_nodes, dtype=np.int64)
        for first in range(0, graph.n_nodes, step):
            last = min(graph.n_nodes, first + step)
            chosen[first:last] = self._choices(graph, coarse, first, last).draw(noise)
        return np.unique(chosen, return_inverse=True)[1].astype(np.int64)

    def _n_groups(self, n_nodes: int) -> int:
        return max(1, min(MOST_GROUPS, -(-n_nodes // self.group_size)))

    def _choices(self, graph: Graph, communities: Integers, first: int, last: int) -> Choices:
        """The choices of some people in one round; both ends of an edge choose, in every round."""
        price = self.epsilon / 3 / (2 * ROUNDS)
        selection = ReportNoisyMax(epsilon=price, sensitivity=Fraction(1), monotone=True)
        return Choices(selection, edges_into(graph, communities, first, last))

    def _within_and_between(self, graph: Graph, communities: Integers) -> tuple[NoisyVector, NoisyVector]:
        inner, across = count_edges(graph, communities)
        return NoisyVector(inner, self.epsilon / 6), NoisyVector(across, self.epsilon / 3)

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Join people of one community by their degrees, and of two as often as measured."""
        rng = np.random.default_rng(seed)
        communities, degrees = fit.parameters["communities"], fit.parameters["degrees"]
        between = fit.parameters["between"]
        size = int(communities.max(initial=-1)) + 1
        members = [np.flatnonzero(communities == community) for community in range(size)]
        pairs = [np.empty((0, 2), dtype=np.int64)]
        for people in members:
            drawn = draw_pairs(degrees[people], int(np.rint(degrees[people].sum() / 2)), rng)
            pairs.append(people[drawn])
        low, high = np.triu_indices(size, 1)
        for first, second, count in zip(low.tolist(), high.tolist(), between.tolist(), strict=True):
            pairs.append(_join(members[first], members[second], count, rng))
        return Graph.from_edges(np.concatenate(pairs), n_nodes=fit.n_nodes)


def count_between_groups(graph: Graph, dealt: Integers) -> Integers:
    """How many edges join each two groups, and each group with itself: the upper triangle, row by row."""
    n_groups = int(dealt.max(initial=0)) + 1
    ends = dealt[graph.edges()]
    counts = np.zeros((n_groups, n_groups), dtype=np.int64)
    np.add.at(counts, (ends.min(axis=1), ends.max(axis=1)), 1)
    return counts[np.triu_indices(n_groups)]


def edges_into(graph: Graph, communities: Integers, first: int, last: int) -> Integers:
    """For the people from `first` to before `last`, a row each: how many of their edges go into every community."""
    size = int(communities.max(initial=-1)) + 1
    friends = communities[graph.indices[graph.indptr[first] : graph.indptr[last]]]
    owners = np.repeat(np.arange(last - first), graph.degrees[first:last])
    return np.bincount(owners * size + friends, minlength=(last - first) * size).reshape(last - first, size)


def count_edges(graph: Graph, communities: Integers) -> tuple[Integers, Integers]:
    """Everybody's edges within their community; edges between each two, the first below the second, row by row."""
    size = int(communities.max(initial=-1)) + 1
    edges = graph.edges()
    ends = np.sort(communities[edges], axis=1)
    within = ends[:, 0] == ends[:, 1]
    table = np.zeros((size, size), dtype=np.int64)
    np.add.at(table, (ends[~within, 0], ends[~within, 1]), 1)
    return np.bincount(edges[within].ravel(), minlength=graph.n_nodes), table[np.triu_indices(size, 1)]


def _join(first: Integers, second: Integers, count: int, rng: np.random.Generator) -> NDArray[Any]:
    """That many different pairs across two communities, evenly."""
    pairs = min(count, len(first) * len(second))
    places = rng.choice(len(first) * len(second), pairs, replace=False)
    return np.stack((first[places // len(second)], second[places % len(second)]), axis=1)
