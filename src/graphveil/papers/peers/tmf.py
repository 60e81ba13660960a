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

from dataclasses import dataclass
from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import draw_all
from graphveil.statistics.publication.noisy_pairs import COUNT_SHARE, LargestPairs
from graphveil.synthetic.synthesizer import Fit, Synthesizer


@dataclass(frozen=True, slots=True, kw_only=True)
class TopMFilter(Synthesizer):
    """Keep the m largest entries.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], n_nodes=5)
    >>> method = TopMFilter(epsilon=Fraction(500))
    >>> method.sample(method.fit(ring, SeededNoise(1)), seed=1) == ring
    True
    """

    count_share: Fraction = COUNT_SHARE

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if not 0 < self.count_share < 1:
            raise ParameterError(f"count_share must lie between 0 and 1, not at {self.count_share}")

    def measurements(self, graph: Graph) -> tuple[LargestPairs]:
        """A noisy number of edges and so many of the largest entries of a noisy matrix."""
        count_rate = self.epsilon * self.count_share
        return (LargestPairs(graph, count_rate, self.epsilon - count_rate),)

    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Publish the graph of the largest noisy entries."""
        ((published, _),) = draw_all(self.measurements(graph), noise)
        return Fit(
            n_nodes=graph.n_nodes,
            targets={"edges": published.n_edges},
            parameters={"graph": published},
            follows_people=True,
            labels=graph.labels,
        )

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """The graph that was published."""
        del seed
        published: Graph = fit.parameters["graph"]
        return published
