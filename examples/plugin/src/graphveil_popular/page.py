"""Number of people with at least `threshold` friends, under edge privacy.

Paper      none: an example
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to 0..n; standard deviation sqrt(2 r)/(1 - r) with r = e^(-epsilon/2)
Cost       O(n)

Sensitivity: one edge more or less changes the degrees of its two ends, by 1 each. Each of them may pass the threshold,
so the count differs by at most 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.central.integer_statistic import IntegerStatistic
from graphveil.graph.core import Graph


@dataclass(frozen=True, slots=True)
class PopularPeople(IntegerStatistic):
    """The number of people with many friends plus discrete Laplace noise.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> star = Graph.from_edges([(0, friend) for friend in range(1, 9)])
    >>> PopularPeople(epsilon=Fraction(40)).run(star, SeededNoise(1)).value
    1
    """

    query = "popular-people"
    unit = "edge"
    sensitivity = 2
    counted = "counted the people with many friends: one edge more or less changes the count by at most 2"

    threshold: int = 5

    def exact(self, graph: Graph) -> int:
        """The number itself."""
        return int((graph.degrees >= self.threshold).sum())

    def support(self, graph: Graph) -> tuple[float, float]:
        """At most everybody."""
        return 0, graph.n_nodes
