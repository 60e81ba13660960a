"""Degree distribution under node privacy: the share of people that has each degree.

Paper      as the histogram it is made from: `central.node.degree_histogram`
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon, that of the histogram; dividing by its noisy number of people is post-processing
Estimator  the histogram over the noisy number of people
Cost       that of the histogram

Interval: the upper end of the people up to a degree over a lower end of the number of people; each has half of the
failure probability.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.central.node.degree_bound import check_bound
from graphveil.central.node.degree_histogram import MOST_BOUND, NodeDegreeHistogram
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy
from graphveil.mechanisms.measurement import Measurements, Outcomes


@dataclass(frozen=True, slots=True)
class NodeDegreeDistribution(Query):
    """The share of people that has each degree, for one person with all their edges; options as in the histogram."""

    query = "degree-distribution"
    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, most=MOST_BOUND)

    @property
    def histogram(self) -> NodeDegreeHistogram:
        """The query whose answer is divided."""
        return NodeDegreeHistogram(self.epsilon, self.max_degree)

    def measure(self, graph: Graph) -> Measurements:
        """The measurements of the histogram, which cost all of epsilon."""
        return self.histogram.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The histogram over the noisy number of people, with upper ends."""
        noisy, stages, derived = self.histogram.read(outcomes)
        value = tuple(entry / noisy.people for entry in noisy.histogram())
        accuracy = noisy.accuracy(value, [noisy.share_ends(1 - level) for level in LEVELS], 1)
        return Answer(value, accuracy, (*stages, Stage("divided by the noisy number of people")), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """That of the histogram over the declared number of people."""
        return self.histogram.forecast(facts).scaled(1 / max(1, facts.n_nodes))
