"""Number of people under node privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       node; everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is raised to 0; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(1)

Sensitivity: neighbouring graphs differ in one person, so the count differs by exactly 1. This needs the list of
people as an input: if people were read off the edges, a hub that leaves would take its leaves along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph


@dataclass(frozen=True, slots=True)
class NodeCount(IntegerStatistic):
    """The number of people plus discrete Laplace noise.

    >>> run(NodeCount(epsilon=Fraction(10)), Graph.from_edges([(0, 1)], n_nodes=5), SeededNoise(1)).value
    5
    """

    query = "nodes"
    unit = "node"
    why_one_unit = ("the set of people is public there: count them", "edges")
    what = "number of people"

    def exact(self, graph: Graph) -> int:
        """The number of people who are listed, with or without edges."""
        return graph.n_nodes

    def support(self, facts: PublicFacts) -> tuple[float, float]:  # noqa: ARG002 - nothing is public
        """A count is at least 0; under node privacy nothing bounds it above."""
        return 0, math.inf
