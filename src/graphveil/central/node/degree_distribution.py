"""Degree distribution under node privacy: the share of people that has each degree.

Paper      as the histogram it is made from: `central.node.degree_histogram`
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon, that of the histogram; dividing by its noisy number of people is post-processing
Estimator  the histogram over the noisy number of people
Cost       that of the histogram

Band: that of the share of all people up to a degree, with the noise of the tiles and of the number of people taken
together (`statistics.degrees.node_tile_bounds`), so that neither end has to hold alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.measured_degrees import MeasuredDegrees
from graphveil.central.node.query import NodePage
from graphveil.central.old_page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measurements


@dataclass(frozen=True, slots=True)
class NodeDegreeDistribution(NodePage):
    """The share of people that has each degree, for one person with all their edges; options as in the histogram."""

    query = "degree-distribution"
    most_bound = NodeDegreeHistogram.most_bound
    useful_from = NodeDegreeHistogram.useful_from

    def usual(self, facts: PublicFacts) -> float:  # noqa: ARG002 - shares do not grow with the people
        """All people."""
        return 1.0

    @property
    def histogram(self) -> NodeDegreeHistogram:
        """The page this one divides; what would be noise this one has refused."""
        return NodeDegreeHistogram(Fraction(1)).unchecked(epsilon=self.epsilon, max_degree=self.max_degree)

    def measurements(self, graph: Graph) -> Measurements:
        """Those of the histogram."""
        return self.histogram.measurements(graph)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """The histogram over the noisy number of people."""
        measured = self.histogram.measure(graph, noise)
        value = tuple(entry / measured.people for entry in measured.estimate())
        return Answer(
            value,
            self._accuracy(value, measured),
            (*self.histogram.stages(measured), Stage("divided by the number of people")),
            measured.derived,
        )

    def _accuracy(self, value: tuple[float, ...], measured: MeasuredDegrees) -> Accuracy:
        """Upper ends only."""
        bands = measured.upper_bands(value, measured.below.shares_at_most(LEVELS))
        return Accuracy(value, None, bands, bias=measured.bias, support=(0, 1), scope=measured.scope)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the declared number of people."""
        return self.histogram.forecast(facts).scaled(1 / max(1, facts.n_nodes))
