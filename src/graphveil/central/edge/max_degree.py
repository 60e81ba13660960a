"""Largest degree under edge privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to 0..n-1; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(n)

Sensitivity: one edge changes two degrees by 1 each, so the largest of all degrees by at most 1. (Under node privacy
one person can have any degree, so no useful release exists; a high quantile of the degree distribution does.)
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph


@dataclass(frozen=True, slots=True)
class MaximumDegree(IntegerStatistic):
    """The largest degree plus discrete Laplace noise, cut to what n people allow.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(MaximumDegree(epsilon=Fraction(10)), graph, SeededNoise(1)).value
    3
    """

    query = "max-degree"
    unit = "edge"
    why_one_unit = (
        "one person can know everybody: noise of n / epsilon on a number below n",
        "h-index (noise of 1 / epsilon) or degree-distribution",
    )
    what = "largest degree"

    def exact(self, graph: Graph) -> int:
        """The largest degree, 0 for nobody."""
        return int(graph.degrees.max(initial=0))

    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """From 0 to everybody else."""
        return 0, max(0, facts.n_nodes - 1)
