"""Number of connected components under edge privacy.

Paper      Dwork, McSherry, Nissim, Smith 2006; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to 1..n; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(n + m)

Sensitivity: 1. One more edge joins two components or none. (One more person can join any number of them, so the count
is not offered under node privacy.)
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.statistics.components import exact_components


@dataclass(frozen=True, slots=True)
class ComponentCount(IntegerStatistic):
    """The number of connected components plus discrete Laplace noise; a person without edges is one of their own.

    >>> graph = Graph.from_edges([(0, 1), (2, 3)], n_nodes=5)
    >>> run(ComponentCount(epsilon=Fraction(10)), graph, SeededNoise(1)).value
    3
    """

    query = "components"
    unit = "edge"
    why_one_unit = (
        "one person can join everybody: noise of n / epsilon on a number of at most n",
        "degeneracy (noise of 1 / epsilon)",
    )
    what = "number of connected components"

    def exact(self, graph: Graph) -> int:
        """The number of components, people without edges included."""
        return exact_components(graph).count

    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """From 1 (0 for nobody) to everybody apart."""
        return min(1, facts.n_nodes), facts.n_nodes
