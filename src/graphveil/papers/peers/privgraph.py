"""A graph of noisy communities (PrivGraph).

Paper      Yuan, Zhang, Du, Chen, Cheng, Sun 2023 (PrivGraph)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  communities from a noisy coarse graph, refined person by person; degrees within communities and edges
           between them with noise; pairs are then joined in proportion
Cost       O(m) and a draw for every pair of coarse groups and every person and community
Differs    communities are chosen in three rounds; people are dealt into groups by a public permutation and not by
           number, which in public data sets follows communities; the choice scores edges, which one more edge only
           raises: no factor 2; noise is exact; noisy degrees within a community are projected to their noisy sum, not
           cut at 0

Sensitivity, a third of epsilon each. (1) People are dealt into groups by a public permutation; one edge changes one
number of edges between two groups by 1. (2) In three rounds everybody chooses a community by the number of their edges
into it as it was after the round before: one edge raises one score of each of its two ends by 1 in a round, and each of
these six choices costs a sixth (`mechanisms.selection`, monotone scores, noisy max). (3) An edge lies within a
community, where it changes two degrees by 1, or between two, where it changes one number by 1: never both. With weight
1 for degrees and 2 for numbers between communities the sum of weighted changes is 2 either way.

People are followed: communities and degrees are those of the people named.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.communities import find_weighted_communities
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import norm_sub
from graphveil.mechanisms.selection import ReportNoisyMax
from graphveil.papers.peers.block_graph import draw_pairs
from graphveil.privacy.loss import Pure
from graphveil.synthetic.synthesizer import Fit, Synthesizer

MOST_GROUPS = 1_000  # a draw for every pair of them
CHOICES_AT_ONCE = 4_000_000
ROUNDS = 3  # in which everybody chooses a community, each time among those of the round before
ENDS = 2  # of an edge: so many people's scores change
DEALING_SEED = 0  # public


@dataclass(frozen=True, slots=True, eq=False)
class CommunityChoices:
    """Everybody's choice of a community, by noisy numbers of their edges into each: a measurement.

    `epsilon` pays for the choices of both ends of an edge.
    """

    graph: Graph
    communities: Integers
    epsilon: Fraction

    @property
    def loss(self) -> Pure:
        """Two people's choices: those of the ends of an edge."""
        return Pure(ENDS * self.mechanism.epsilon)

    @property
    def mechanism(self) -> ReportNoisyMax:
        """What one person chooses with; one more edge only raises scores."""
        return ReportNoisyMax(epsilon=self.epsilon / ENDS, sensitivity=Fraction(1), monotone=True)

    @property
    def text(self) -> str:
        """What everybody chooses, and by what."""
        return "let every person choose a community by noisy numbers of edges into each"

    def draws(self, noise: Noise, runs: int) -> Integers:
        """The number of everybody's community, a row a run; scores are made for some people at a time."""
        n, size = self.graph.n_nodes, int(self.communities.max(initial=0)) + 1
        step = max(1, CHOICES_AT_ONCE // (size * runs))
        chosen = np.empty((runs, n), dtype=np.int64)
        for first in range(0, n, step):
            last = min(n, first + step)
            scores = np.tile(edges_into(self.graph, self.communities, first, last), (runs, 1))
            chosen[:, first:last] = self.mechanism.select_rows(scores, noise).reshape(runs, last - first)
        return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivGraph(Synthesizer):
    """Communities, degrees within them, edges between them.

    >>> cliques = [(i, j) for start in (0, 6) for i in range(start, start + 6) for j in range(start, i)]
    >>> fit = run(PrivGraph(epsilon=Fraction(300), group_size=1), Graph.from_edges(cliques), SeededNoise(1))
    >>> fit.targets["communities"], fit.targets["edges"]
    ([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], 30)
    """

    group_size: int = 20

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if self.group_size < 1:
            raise ParameterError(f"group_size must be at least 1, not {self.group_size}")

    def measure(self, graph: Graph) -> tuple[Adaptive]:
        """Edges between groups of people; then choices of communities; then degrees within and edges between them."""
        share, dealt = self.epsilon / 3, self._deal(graph.n_nodes)
        counts = count_between_groups(graph, dealt)
        what = "edges between groups of people that were dealt at random"
        coarse = NoisyVector(what=what, exact=counts, sensitivity=1, epsilon=share)
        return (
            Adaptive(
                coarse,
                lambda noisy: coarse_communities(noisy, dealt).tobytes(),
                partial(self._following, graph, ROUNDS),
                2 * share,
                audit_key=dealt.tobytes(),
            ),
        )

    def _following(self, graph: Graph, rounds: int, key: bytes) -> Measurements:
        """The choices of so many more rounds, then degrees and edges; the key holds everybody's community so far."""
        share, communities = self.epsilon / 3, np.frombuffer(key, dtype=np.int64)
        if rounds == 0:
            inner, across = count_edges(graph, communities)
            counts, weights = np.concatenate((inner, across)), np.repeat([1, 2], [len(inner), len(across)])
            what = "degrees within communities and edges between them"
            return (NoisyVector(what=what, exact=counts, sensitivity=2, epsilon=share, weights=weights),)
        choices = CommunityChoices(graph, communities, share / ROUNDS)
        following = partial(self._following, graph, rounds - 1)
        cost = share + share * (rounds - 1) / ROUNDS
        return (Adaptive(choices, lambda chosen: _numbered(chosen).tobytes(), following, cost, audit_key=key),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The communities of the last round, degrees within and edges between."""
        (last,), n = outcomes, facts.n_nodes
        for _ in range(ROUNDS):
            last = last[1]  # what followed the round before
        communities, noisy = _numbered(last[0]), last[1]
        degrees = np.zeros(n)
        for community in range(int(communities.max(initial=-1)) + 1):
            members = np.flatnonzero(communities == community)
            degrees[members] = norm_sub(noisy[members], float(noisy[members].sum()))
        between = np.maximum(noisy[n:], 0)
        edges = int(np.rint(degrees.sum() / 2)) + int(between.sum())
        targets = {
            "edges": edges,
            "communities": communities.tolist(),
            "inner_degrees": degrees.round(3).tolist(),
            "edges_between": between.tolist(),
        }
        parameters = {"communities": communities, "degrees": degrees, "between": between}
        return Fit(n, targets, parameters, follows_people=True, labels=facts.labels)

    def _deal(self, n_nodes: int) -> Integers:
        """Everybody's group, by a public permutation."""
        n_groups = max(1, min(MOST_GROUPS, -(-n_nodes // self.group_size)))
        return np.random.default_rng(DEALING_SEED).permutation(n_nodes) % n_groups

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


def coarse_communities(noisy: Integers, dealt: Integers) -> Integers:
    """Everybody's community, from noisy numbers of edges between the groups that people were dealt into."""
    n_groups = int(dealt.max(initial=0)) + 1
    weights = np.zeros((n_groups, n_groups))
    weights[np.triu_indices(n_groups)] = np.maximum(noisy, 0)
    loops = 2 * weights.diagonal()
    np.fill_diagonal(weights, 0)
    weights += weights.T
    rows, columns = np.nonzero(weights)
    indptr = np.searchsorted(rows, np.arange(n_groups + 1))
    return find_weighted_communities(indptr, columns, weights[rows, columns], loops)[dealt].astype(np.int64)


def _numbered(chosen: Integers) -> Integers:
    """The same communities, numbered without gaps."""
    return np.unique(chosen, return_inverse=True)[1].astype(np.int64)


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


def _join(first: Integers, second: Integers, count: int, rng: np.random.Generator) -> AnyArray:
    """That many different pairs across two communities, evenly."""
    pairs = min(count, len(first) * len(second))
    places = rng.choice(len(first) * len(second), pairs, replace=False)
    return np.stack((first[places // len(second)], second[places % len(second)]), axis=1)
