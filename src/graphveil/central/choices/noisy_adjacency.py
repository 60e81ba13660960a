"""A noisy adjacency matrix under edge privacy, projected back to a simple graph.

Paper      randomised response: Warner 1965; on every pair of a graph: Karwa, Slavković, Krivitsky 2014
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a simple graph. `threshold`: pairs that are edges with probability 1/2 or more given their bit; it is empty
           as long as epsilon is below ln(N / m), N pairs of people and m edges, and that is right: any pair is then
           more likely no edge. `most-likely`: as many edges as the bits suggest, under which they are most likely
Cost       O(m log m) time, O(m) memory for m edges true and published
Differs    symmetric with an empty diagonal by construction, so nothing has to be symmetrised; bits are only counted

Both projections use the noisy matrix alone. A threshold set by the true number of edges would be a second look at the
graph that nobody paid for. The number used is the unbiased estimate
(|Y| - N q) / (1 - 2 q) from the number |Y| of bits that are 1, with q = 1 / (1 + e^epsilon). It is free, but has a
standard deviation of sqrt(N q (1 - q)) / (1 - 2 q), which grows with n; what `top-m-filter` pays for does not.

Sensitivity: one edge changes one entry of the matrix. Its noisy bit is right with odds e^epsilon, so the probabilities
of either outcome differ by the factor e^epsilon at most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.publication.invented_edges import (
    KnownEdges,
    PublishedPairs,
    expected_ones,
    flip_chance,
    invented_accuracy,
    invented_forecast,
)
from graphveil.statistics.publication.noisy_pairs import NearestGraph, published_edges

PROJECTIONS = ("threshold", "most-likely")


@dataclass(frozen=True, slots=True)
class NoisyAdjacency(Query):
    """The published edges as pairs of labels.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], n_nodes=5)
    >>> run(NoisyAdjacency(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    ((0, 1), (0, 3), (1, 2), (2, 3))
    """

    query = "adjacency"
    unit = "edge"

    projection: str = "threshold"

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if self.projection not in PROJECTIONS:
            raise ParameterError(f"projection must be {' or '.join(PROJECTIONS)}, not {self.projection!r}")

    def measure(self, graph: Graph) -> tuple[NearestGraph]:
        """A noisy bit for every pair, and the graph next to them."""
        pairs = math.comb(graph.n_nodes, 2)
        return (NearestGraph(graph=graph, epsilon=self.epsilon, size=lambda ones: self._size(ones, pairs)),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The published edges, and how many of them are invented."""
        published, ones = outcomes[0]
        pairs = math.comb(facts.n_nodes, 2)
        edges = estimate_edges(ones, pairs, float(self.epsilon))
        value = published_edges(published)
        rule = {
            "threshold": "kept the pairs that are more likely an edge than not, given their bit and that number",
            "most-likely": "took the graph with that number of edges under which the bits are most likely",
        }
        stages = (
            Stage("estimated the number of edges from the number of pairs whose bit came out as an edge"),
            Stage(rule[self.projection]),
        )
        known = KnownEdges.from_ones(edges, ones, pairs, self.epsilon)
        seen = PublishedPairs(pairs, ones, published.n_edges, self.epsilon)
        accuracy = invented_accuracy(value, seen, known, self._note(seen, known))
        return Answer(value, accuracy, stages, {"edges": edges})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """How many published edges will be invented, for a guessed number of edges."""
        pairs = math.comb(facts.n_nodes, 2)
        edges = min(facts.guess_edges(), pairs)
        ones = round(expected_ones(edges, pairs, self.epsilon))
        known = KnownEdges.from_ones(edges, ones, pairs, self.epsilon)
        published = PublishedPairs(pairs, ones, self._size(ones, pairs), self.epsilon)
        return invented_forecast(published, known, self._note(published, known))

    def size_std(self, n_people: int) -> float:
        """The standard deviation of the estimated number of edges, by which `release.policy` judges the query.

        sqrt(N q (1 - q)) / (1 - 2 q) with q = 1 / (1 + e^epsilon) is sqrt(N) / (2 sinh(epsilon / 2)).
        """
        return math.sqrt(math.comb(n_people, 2)) / 2 / math.sinh(min(float(self.epsilon), 700.0) / 2)

    def _size(self, ones: int, pairs: int) -> int:
        edges = estimate_edges(ones, pairs, float(self.epsilon))
        return edges if self.projection != "threshold" else count_likely_edges(ones, edges, pairs, float(self.epsilon))

    def _note(self, published: PublishedPairs, known: KnownEdges) -> str:
        if self.projection == "most-likely":
            return known.half_true(published.pairs, self.epsilon)
        if published.size or not known.is_fair or not 0 < known.estimate < published.pairs:
            return ""
        least = math.log(published.pairs / known.estimate) / float(self.epsilon)
        return f"no pair is more likely an edge than not: that would need {least:.2g} times this epsilon"


def estimate_edges(ones: int, pairs: int, epsilon: float) -> int:
    """(|Y| - N q) / (1 - 2 q), rounded and cut to what n people can have."""
    flip = flip_chance(epsilon)
    return min(max(0, round((ones - pairs * flip) / (1 - 2 * flip))), pairs)


def count_likely_edges(ones: int, edges: int, pairs: int, epsilon: float) -> int:
    """How many pairs are an edge with probability 1/2 or more: none, those with bit 1, or all.

    With prior odds m / (N - m), a bit of 1 multiplies them by e^epsilon and a bit of 0 divides them by it.

    >>> count_likely_edges(40, 10, 100, 1.0), count_likely_edges(12, 10, 100, 4.0), count_likely_edges(60, 95, 100, 1.0)
    (0, 12, 100)
    """
    if edges == 0:
        return 0
    log_odds = math.log(edges) - math.log(max(pairs - edges, 1e-300))
    return pairs if log_odds >= epsilon else ones if log_odds >= -epsilon else 0
