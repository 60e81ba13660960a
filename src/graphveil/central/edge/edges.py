"""Number of edges under edge privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut at 0; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(1) once the graph is read

Sensitivity: neighbouring graphs differ in one edge, so the count differs by exactly 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph


@dataclass(frozen=True, slots=True)
class EdgeCount(IntegerStatistic):
    """The number of edges plus discrete Laplace noise.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> run(EdgeCount(epsilon=Fraction(10)), graph, SeededNoise(1)).value
    3
    """

    query = "edges"
    unit = "edge"
    what = "number of edges"

    def exact(self, graph: Graph) -> int:
        """The number of edges, each counted once."""
        return graph.n_edges

    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """At least 0; the number of pairs is public but far away."""
        return 0, math.comb(facts.n_nodes, 2)
