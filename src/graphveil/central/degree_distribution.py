"""Degree distribution: the share of people that has each degree, under edge or node privacy.

Paper      as the histograms it is made from: `central.edge.degree_histogram`, `central.node.degree_histogram`
Unit       edge (the set of people is public) or node (the number of people is private)
Trust      central
Guarantee  pure epsilon, that of the histogram; dividing by its sum is post-processing
Estimator  the histogram over the number of people: public under edge privacy, noisy under node privacy
Cost       that of the histogram

Band under node privacy: that of the share of all people up to a degree, with the noise of the tiles and of the number
of people taken together (`statistics.degrees.node_tile_bounds`), so that neither end has to hold alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.measured_degrees import MeasuredDegrees
from graphveil.central.node.query import NodePage
from graphveil.central.old_page import Answer, Page, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measurements

DIVIDED = Stage("divided by the number of people")


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
        accuracy = _scaled(counts.accuracy, 1 / max(1, graph.n_nodes))
        return Answer(accuracy.value, accuracy, (*counts.stages, DIVIDED), counts.derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the public number of people."""
        return _scaled(self.histogram.forecast(facts), 1 / max(1, facts.n_nodes))


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
            value, self._accuracy(value, measured), (*self.histogram.stages(measured), DIVIDED), measured.derived
        )

    def _accuracy(self, value: tuple[float, ...], measured: MeasuredDegrees) -> Accuracy:
        """Upper ends only."""
        bands = measured.upper_bands(value, measured.below.shares_at_most(LEVELS))
        return Accuracy(value, None, bands, bias=measured.bias, support=(0, 1), scope=measured.scope)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the declared number of people."""
        return _scaled(self.histogram.forecast(facts), 1 / max(1, facts.n_nodes))


def _scaled(accuracy: Accuracy, factor: float) -> Accuracy:
    """The same statement about every entry times a public factor."""

    def times(entries: Any) -> Any:
        return tuple(entry * factor for entry in entries) if isinstance(entries, tuple) else entries * factor

    return Accuracy(
        value=times(accuracy.value),
        std=None if accuracy.std is None else times(accuracy.std),
        bands=tuple(Band(band.confidence, times(band.below), times(band.above)) for band in accuracy.bands),
        bias=accuracy.bias,
        support=times(accuracy.support),
        scope=accuracy.scope,
    )
