"""Degree distribution under edge privacy: the share of people that has each degree.

Paper      as the histogram it is made from: `central.edge.degree_histogram`
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon, that of the histogram; dividing by the public number of people is post-processing
Estimator  the histogram over the number of people
Cost       that of the histogram
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.central.old_page import Answer, Page, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measurements


@dataclass(frozen=True, slots=True)
class DegreeDistribution(Page):
    """The share of people that has each degree, for one edge.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)], n_nodes=5)
    >>> shares = DegreeDistribution(epsilon=Fraction(200)).run(graph, SeededNoise(1)).value
    >>> [round(share, 2) for share in shares]
    [0.2, 0.6, 0.0, 0.2]
    """

    query = "degree-distribution"
    unit = "edge"

    @property
    def histogram(self) -> DegreeHistogram:
        """The page this one divides."""
        return DegreeHistogram(epsilon=self.epsilon)

    def measurements(self, graph: Graph) -> Measurements:
        """Those of the histogram."""
        return self.histogram.measurements(graph)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """The histogram over the public number of people."""
        counts = self.histogram.run(graph, noise)
        accuracy = counts.accuracy.scaled(1 / max(1, graph.n_nodes))
        return Answer(
            accuracy.value, accuracy, (*counts.stages, Stage("divided by the number of people")), counts.derived
        )

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the public number of people."""
        return self.histogram.forecast(facts).scaled(1 / max(1, facts.n_nodes))
