"""Number of edges under node privacy, with a public degree bound.

Paper      Day, Li, Lyu 2016 (edge-by-edge projection); integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon
Estimator  of the graph whose degrees are cut at max_degree, unbiased; so at most the number of all edges
Cost       O(m log m) for the public order of the edges, then O(m)

The projection scans the edges in a public order that depends on people's persistent labels only and keeps an edge
while both its ends have fewer than max_degree kept edges.

Sensitivity: max_degree. Adding a person v changes the number of kept edges by 0..max_degree. Let D(u) be the change of
u's kept degree, u other than v, while both scans run side by side. An edge that only one scan keeps is refused in the
other because one end is full there; keeping it moves that end's D one step towards 0 and the other end's by at most
one, so the sum of |D(u)| does not grow. Each kept edge of v raises the sum by at most 1. Hence |sum D| <= deg(v), and
the number of kept edges changes by (sum D + deg(v)) / 2, which lies in 0..deg(v) <= max_degree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.page import Answer, PublicFacts, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.additive import add_discrete_laplace
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import NODE, Trust


@dataclass(frozen=True, slots=True)
class BoundedEdgeCount:
    """The number of edges that are left when degrees are cut at a public bound, plus discrete Laplace noise.

    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> BoundedEdgeCount(epsilon=Fraction(20), max_degree=2).run(graph, SeededNoise(1)).value
    2
    """

    query: ClassVar[str] = "edges"
    unit: ClassVar[str] = "node"

    epsilon: Fraction
    max_degree: int

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.max_degree < 1:
            raise ParameterError(f"max_degree must be at least 1, not {self.max_degree}")

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one person with all their edges."""
        return Guarantee(NODE, Trust.CENTRAL, self.epsilon, proof="central.bounded_edges")

    @property
    def rate(self) -> Fraction:
        """Rate of the noise: epsilon over the sensitivity."""
        return self.epsilon / self.max_degree

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Cut the degrees, count, add noise."""
        kept = project_bounded_degree(graph, self.max_degree).n_edges
        value = max(0, add_discrete_laplace(noise, kept, self.rate))
        stages = (
            Stage(f"kept edges, in a public order, while both ends had fewer than {self.max_degree} of them"),
            Stage(f"counted them: one person more or less changes the count by at most {self.max_degree}"),
            Stage(f"added whole-number Laplace noise of scale {float(1 / self.rate):g}", self.epsilon),
        )
        return Answer(value, self._accuracy(value), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on public parameters alone
        """The noise does not depend on the graph; what the bound cuts off is not in the forecast."""
        return self._accuracy(0)

    def _accuracy(self, value: int) -> Accuracy:
        """A lower end only: cutting degrees loses an unknown number of edges, so nothing bounds the truth above."""
        bands = tuple(
            Band(level, float(discrete_laplace_quantile(self.rate, 2 * level - 1)), math.inf) for level in LEVELS[1:]
        )
        return Accuracy(
            value,
            discrete_laplace_std(self.rate),
            bands,
            bias=f"downward by the edges cut off at degree {self.max_degree}; none if nobody has more",
            support=(0, math.inf),
            scope=f"one-sided: the edges are at least this many; an upper end needs the promise that nobody has more "
            f"than {self.max_degree}",
        )
