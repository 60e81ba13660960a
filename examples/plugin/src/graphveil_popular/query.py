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

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph


@dataclass(frozen=True, slots=True)
class PopularPeople(IntegerStatistic):
    """The number of people with many friends plus discrete Laplace noise.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> star = Graph.from_edges([(0, friend) for friend in range(1, 9)])
    >>> run(PopularPeople(epsilon=Fraction(40)), star, SeededNoise(1)).value
    1
    """

    query = "popular-people"
    unit = "edge"
    what = "number of people with many friends"
    sensitivity = 2

    threshold: int = 5

    def exact(self, graph: Graph) -> int:
        """The number of people with at least `threshold` friends."""
        return int((graph.degrees >= self.threshold).sum())

    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """From nobody to everybody; the number of people is public under edge privacy."""
        return 0, facts.n_nodes
