"""A published graph under edge privacy: the m largest entries of a noisy adjacency matrix.

Paper      Nguyen, Imine, Rusinowitch 2015 (top-m filter, TmF)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a simple graph with a noisy number of edges; of these a share e^e m / (e^e m + N - m) is true, N pairs of
           people and e the epsilon of the matrix: nearly none of them below e = ln(N / m)
Cost       O(m log m) time, O(m) memory for m edges true and published; nothing grows with n^2
Differs    the paper draws the entries above a threshold and treats sparse and dense graphs apart; which of the two a
           graph is, is private. Here the m largest entries are taken of all, always, whether or not they are above the
           threshold; the draws are exact, and the law is that of the full matrix (`statistics.publication.noisy_pairs`)

Sensitivity: one edge changes the number of edges by 1, so discrete Laplace noise of rate `count_share` epsilon on it
costs that share. It also changes one entry of the matrix by 1; the noisy entry, or its bit, costs the other share. The
filter sees the noisy number and the noisy matrix alone: it is free, and so is everything done to the graph later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.query import NAMES_PEOPLE, Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, discrete_laplace_std
from graphveil.mechanisms.measurement import Adaptive, Outcomes
from graphveil.statistics.publication.invented_edges import (
    KnownEdges,
    PublishedPairs,
    expected_ones,
    invented_accuracy,
    invented_forecast,
)
from graphveil.statistics.publication.noisy_pairs import COUNT_SHARE, largest_pairs, published_edges


@dataclass(frozen=True, slots=True)
class TopMFilter(Query):
    """The published edges as pairs of labels.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], n_nodes=5)
    >>> run(TopMFilter(epsilon=Fraction(500)), graph, SeededNoise(1)).value
    ((0, 1), (0, 3), (1, 2), (2, 3))
    """

    query = "adjacency"
    unit = "edge"
    why_one_unit = NAMES_PEOPLE, "degree-histogram"

    count_share: Fraction = COUNT_SHARE

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if not 0 < self.count_share < 1:
            raise ParameterError(f"count_share must lie between 0 and 1, not at {self.count_share}")

    @property
    def count_rate(self) -> Fraction:
        """The epsilon of the number of edges."""
        return self.epsilon * self.count_share

    @property
    def matrix_rate(self) -> Fraction:
        """The epsilon of the matrix."""
        return self.epsilon - self.count_rate

    def measure(self, graph: Graph) -> tuple[Adaptive]:
        """A noisy number of edges and so many of the largest entries of a noisy matrix."""
        return (largest_pairs(graph, self.count_rate, self.matrix_rate),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The published edges, and how many of them are invented."""
        _, (published, ones) = outcomes[0]
        value = published_edges(published)
        stages = (Stage("published as many pairs as the noisy number says, those that are most likely edges"),)
        size, pairs = published.n_edges, math.comb(facts.n_nodes, 2)
        known = KnownEdges.from_count(size, pairs, self.count_rate)
        seen = PublishedPairs(pairs, ones, size, self.matrix_rate)
        accuracy = invented_accuracy(value, seen, known, known.half_true(pairs, self.matrix_rate))
        return Answer(value, accuracy, stages, {"edges": size})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """How many published edges will be invented, for a guessed number of edges."""
        pairs, rate = math.comb(facts.n_nodes, 2), self.matrix_rate
        edges = min(facts.guess_edges(), pairs)
        known = KnownEdges.from_count(edges, pairs, self.count_rate)
        published = PublishedPairs(pairs, expected_ones(edges, pairs, rate), round(edges), rate)
        return invented_forecast(published, known, known.half_true(pairs, rate))

    def size_std(self, n_people: int) -> float:  # noqa: ARG002 - the same among any number of people
        """The standard deviation of the number of edges published, by which `release.policy` judges the query."""
        return discrete_laplace_std(self.count_rate)
