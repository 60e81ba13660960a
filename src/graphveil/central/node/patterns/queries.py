"""Number of edges, 2-stars and triangles under node privacy, by linear programs over the patterns of each person.

Paper      the linear programs of Race-to-the-Top (Dong, Fang, Yi, Tao, Machanavajjhala 2022); the bound from the
           h-index, ours
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound and count together; no promise about degrees is needed
Estimator  of the number of patterns that are left when nobody is part of more than tau, unbiased before it is raised
           to 0; so at most the number of all patterns
Cost       one linear program, with a row for each person above the bound: seconds
Differs    Race-to-the-Top answers at several bounds and takes the largest after a penalty

Sensitivity: a person who joins moves the optimum at tau by an amount in [0, tau] (`patterns.programs`), what is proved
of it by one in [-tau / 256, tau + tau / 256] (`patterns.optimum`), and the h-index by at most 1 (`node.h_index`).
Replacing a person by another is two steps and costs twice as much.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from graphveil.central.node.degree_bound import check_bound
from graphveil.central.node.patterns.count import MOST_DEGREE, Choice, PatternCount
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, Pattern
from graphveil.central.query import Answer, PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.measurement import Measurements, Outcomes


@dataclass(frozen=True, slots=True)
class Counted:
    """A pattern; how many of them a person of a degree can be part of; how a bound on degrees is chosen.

    `least` is the smallest public degree bound under which there can be such a pattern.
    """

    pattern: Pattern
    load: Callable[[int], int]
    choice: Choice
    least: int = 1


@dataclass(frozen=True, slots=True)
class BoundedCount(Query):
    """A count of patterns, with a bound on those of one person that is chosen from the graph.

    With a public bound on degrees (`max_degree`) it follows from that instead. `declared_people` is a public size of
    the graph, for the forecast.
    """

    unit = "node"
    counted: ClassVar[Counted]

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, least=self.counted.least, most=MOST_DEGREE)

    @property
    def count(self) -> PatternCount:
        """The steps that all patterns share."""
        counted = self.counted
        bound = counted.choice.bound(self.epsilon, self.max_degree)
        return PatternCount(counted.pattern, counted.load, self.epsilon - bound.epsilon, bound)

    def measure(self, graph: Graph) -> Measurements:
        """The bound where none is public, and the patterns within it."""
        return self.count.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        return self.count.conclude(outcomes)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound."""
        return self.count.forecast(facts)


@dataclass(frozen=True, slots=True)
class BoundedEdges(BoundedCount):
    """The number of edges: a person has as many of them as neighbours.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(BoundedEdges(epsilon=Fraction(100), max_degree=3), graph, SeededNoise(1)).value
    3
    """

    query = "edges"
    counted = Counted(EDGES, lambda degree: degree, Choice(0.45, 1 / 2, 16))


@dataclass(frozen=True, slots=True)
class BoundedTwoStars(BoundedCount):
    """The number of 2-stars, pairs of friends of one person.

    Among people of degree D a person is in the middle of C(D, 2) and at the end of D - 1 of each friend's.
    """

    query = "2-stars"
    counted = Counted(TWO_STARS, lambda degree: 3 * math.comb(degree, 2), Choice(0.7, 1 / 4, 8))


@dataclass(frozen=True, slots=True)
class BoundedTriangles(BoundedCount):
    """The number of triangles: a person is part of at most one for each pair of friends."""

    query = "triangles"
    counted = Counted(TRIANGLES, lambda degree: math.comb(degree, 2), Choice(0.85, 1 / 16, 8), least=2)
