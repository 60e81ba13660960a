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
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.edge_tiles import LevelTiles


@dataclass(frozen=True, slots=True)
class DegreeDistribution(Query):
    """The share of people that has each degree, for one edge.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)], n_nodes=5)
    >>> shares = run(DegreeDistribution(epsilon=Fraction(200)), graph, SeededNoise(1)).value
    >>> [round(share, 2) for share in shares]
    [0.2, 0.6, 0.0, 0.2]
    """

    query = "degree-distribution"
    unit = "edge"

    @property
    def histogram(self) -> DegreeHistogram:
        """The query whose answer is divided."""
        return DegreeHistogram(epsilon=self.epsilon)

    def measure(self, graph: Graph) -> tuple[LevelTiles]:
        """The tiles of the histogram."""
        return self.histogram.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The histogram over the public number of people."""
        counts = self.histogram.conclude(outcomes, facts)
        accuracy = counts.accuracy.scaled(1 / max(1, facts.n_nodes))
        return Answer(accuracy.value, accuracy, (*counts.stages, Stage("divided by the number of people")))

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the public number of people."""
        return self.histogram.forecast(facts).scaled(1 / max(1, facts.n_nodes))
