"""Degeneracy: the largest k such that in some group of people everybody has k neighbours or more (the deepest k-core).

Paper      Seidman 1983 (cores); stability of the largest core number, ours
Unit       edge (the set of people is public) or node (the number of people is private)
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is limited to the possible range; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(n + m)

Sensitivity: 1 under both units. Degeneracy is the largest minimum degree of a subgraph. Adding edges or people lowers
no minimum degree, so it does not fall. Removing an edge or a person from the best subgraph lowers every degree in it
by at most 1, so it falls by at most 1 (a single person left over has degree 0 and came from degeneracy at most 1).
The vector of all core numbers has no such bound: one edge can change all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.statistics.cores import exact_degeneracy


@dataclass(frozen=True, slots=True)
class Degeneracy(IntegerStatistic):
    """The largest core number plus discrete Laplace noise, for one edge.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> run(Degeneracy(epsilon=Fraction(10)), graph, SeededNoise(1)).value
    2
    """

    query = "degeneracy"
    unit = "edge"
    what = "largest core number"

    def exact(self, graph: Graph) -> int:
        """The largest core number of the graph."""
        return exact_degeneracy(graph)

    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """From 0 to everybody else."""
        return 0, max(0, facts.n_nodes - 1)


@dataclass(frozen=True, slots=True)
class NodeDegeneracy(IntegerStatistic):
    """The largest core number plus discrete Laplace noise, for one person with all their edges."""

    query = "degeneracy"
    unit = "node"
    what = "largest core number"

    def exact(self, graph: Graph) -> int:
        """The largest core number of the graph."""
        return exact_degeneracy(graph)

    def support(self, facts: PublicFacts) -> tuple[float, float]:  # noqa: ARG002 - nothing is public
        """It is at least 0; under node privacy nothing bounds it above."""
        return 0, math.inf
