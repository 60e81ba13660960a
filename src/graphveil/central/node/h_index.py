"""The h-index of a graph: the largest x for which at least x people have x neighbours or more.

Paper      Hirsch 2005 (the index); its stability under node privacy, ours
Unit       node; the number of people is private, everybody must be listed
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is raised to 0; standard deviation sqrt(2 r)/(1 - r) with r = e^-epsilon
Cost       O(n log n)

What the largest degree would tell cannot be released under node privacy: one person can have any degree. The h-index
says where the degrees of most people end.

Sensitivity: 1. With weight a >= 1 let h be the largest x with #{v: d_v >= x} >= a x. Adding a person lowers no
degree, so h does not fall. Removing one lowers others' degrees by at most 1: of the a h people with degree h or more,
at least a h - 1 >= a (h - 1) still have h - 1 or more, so h falls by at most 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.query import IntegerStatistic, PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_h_index


@dataclass(frozen=True, slots=True)
class HIndex(IntegerStatistic):
    """The h-index plus discrete Laplace noise; `weight` asks for that many times x people of degree x.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> run(HIndex(epsilon=Fraction(10)), graph, SeededNoise(1)).value
    2
    """

    query = "h-index"
    unit = "node"
    why_one_unit = ("sharper answers exist there", "max-degree, degeneracy or degree-sequence")
    what = "largest x for which at least x times the weight people have x neighbours or more"

    weight: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        IntegerStatistic.__post_init__(self)
        if self.weight < 1:
            raise ParameterError(
                f"weight must be at least 1, not {self.weight}; below 1 one person can move more steps"
            )

    def exact(self, graph: Graph) -> int:
        """The largest x for which at least weight times x people have degree x or more."""
        return exact_h_index(graph.degrees, Fraction(self.weight))

    def support(self, facts: PublicFacts) -> tuple[float, float]:  # noqa: ARG002 - nothing is public
        """An h-index is at least 0; under node privacy nothing bounds it above."""
        return 0, math.inf
