"""A graph of the largest entries of a noisy adjacency matrix (TmF).

Paper      Nguyen, Imine, Rusinowitch 2015 (top-m filter)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a simple graph with a noisy number of edges, of which the share of true ones rises with epsilon: nearly none
           below ln(N / m), N pairs of people and m edges
Cost       O(m log m) time, O(m) memory; nothing grows with n^2
Differs    levels at or below zero are always reached if need be, whatever the density, which is private; draws are
           exact, and have the law of the full matrix (`statistics.publication.noisy_pairs`)

Sensitivity: one edge changes the number of edges by 1 and one entry of the matrix by 1.

The fit is the graph itself: people are followed, and drawing again gives the same graph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.measurement import Adaptive, Outcomes
from graphveil.statistics.publication.invented_edges import expected_true_share
from graphveil.statistics.publication.noisy_pairs import COUNT_SHARE, largest_pairs
from graphveil.synthetic.synthesizer import Fit, Synthesizer


@dataclass(frozen=True, slots=True, kw_only=True)
class TopMFilter(Synthesizer):
    """Keep the m largest entries.

    >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], n_nodes=5)
    >>> method = TopMFilter(epsilon=Fraction(500))
    >>> method.sample(run(method, ring, SeededNoise(1)), seed=1) == ring
    True
    """

    count_share: Fraction = COUNT_SHARE

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if not 0 < self.count_share < 1:
            raise ParameterError(f"count_share must lie between 0 and 1, not at {self.count_share}")

    def measure(self, graph: Graph) -> tuple[Adaptive]:
        """A noisy number of edges, and so many of the largest entries of a noisy matrix."""
        count_epsilon = self.epsilon * self.count_share
        return (largest_pairs(graph, count_epsilon, self.epsilon - count_epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The graph of the largest noisy entries, as it was published."""
        ((_, (published, _)),) = outcomes
        targets, rate = {"edges": published.n_edges}, self.epsilon * (1 - self.count_share)
        share = expected_true_share(published.n_edges, math.comb(facts.n_nodes, 2), rate)
        parameters = {"graph": published}
        return Fit(facts.n_nodes, targets, parameters, follows_people=True, labels=facts.labels, true_share=share)

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """The published graph itself, whatever the seed."""
        del seed
        published: Graph = fit.parameters["graph"]
        return published
