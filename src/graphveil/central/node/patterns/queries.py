"""Number of edges, 2-stars and triangles under node privacy, by linear programs over the patterns of each person.

Paper      the linear programs of Race-to-the-Top (Dong, Fang, Yi, Tao, Machanavajjhala 2022); the choice of the bound
           by how many people must leave, ours
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: rough count, bound and count together; no promise about degrees is needed
Estimator  of the number of patterns that are left when nobody is part of more than tau, moved up by tau / 2 epsilon
Cost       a linear program for every bound that is tried, with a row for each person above it: seconds to minutes
Differs    Race-to-the-Top answers at several bounds and takes the largest after a penalty

Sensitivity: a person who joins moves the optimum at tau by an amount in [0, tau] (`patterns.programs`), what is proved
of it by one in [-tau / 256, tau + tau / 256] (`patterns.optimum`), and the scores that choose a bound by at most 1
(`patterns.curve`). Replacing a person by another is two steps and costs twice as much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.node.degree_bound import check_bound
from graphveil.central.node.patterns.count import PatternCount
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS
from graphveil.central.query import Answer, PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.measurement import Measurements, Outcomes

MOST_DEGREE = 1_000_000


@dataclass(frozen=True, slots=True)
class BoundedEdges(Query):
    """The number of edges, with a bound on degrees that is chosen from the graph or public (`max_degree`).

    `declared_people` is a public size of the graph, for the forecast.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(BoundedEdges(epsilon=Fraction(100), max_degree=3), graph, SeededNoise(1)).value
    3
    """

    query = "edges"
    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, most=MOST_DEGREE)

    @property
    def count(self) -> PatternCount:
        """Edges: a person has as many of them as neighbours."""
        return PatternCount(EDGES, lambda degree: degree, self.epsilon, self.max_degree, usual=200)

    def measure(self, graph: Graph) -> Measurements:
        """The bound where none is public, and the edges within it."""
        return self.count.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        return self.count.conclude(outcomes)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a usual bound."""
        return self.count.forecast(facts, facts.guess_edges())


@dataclass(frozen=True, slots=True)
class BoundedTwoStars(Query):
    """The number of 2-stars, pairs of friends of one person; options as for edges."""

    query = "2-stars"
    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, most=MOST_DEGREE)

    @property
    def count(self) -> PatternCount:
        """2-stars: among D people of degree D, C(D, 2) in the middle and D - 1 at the end of each friend's."""
        return PatternCount(TWO_STARS, lambda degree: 3 * math.comb(degree, 2), self.epsilon, self.max_degree, usual=50)

    def measure(self, graph: Graph) -> Measurements:
        """The bound where none is public, and the 2-stars within it."""
        return self.count.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        return self.count.conclude(outcomes)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a usual bound."""
        return self.count.forecast(facts, facts.guess_two_stars())


@dataclass(frozen=True, slots=True)
class BoundedTriangles(Query):
    """The number of triangles; options as for edges."""

    query = "triangles"
    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, least=2, most=MOST_DEGREE)

    @property
    def count(self) -> PatternCount:
        """Triangles: at most one for each pair of friends."""
        return PatternCount(TRIANGLES, lambda degree: math.comb(degree, 2), self.epsilon, self.max_degree, usual=50)

    def measure(self, graph: Graph) -> Measurements:
        """The bound where none is public, and the triangles within it."""
        return self.count.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        return self.count.conclude(outcomes)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a usual bound."""
        return self.count.forecast(facts, facts.guess_triangles())
