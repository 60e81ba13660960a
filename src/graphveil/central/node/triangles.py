"""Number of triangles under node privacy.

Paper      smoothed ladder on a rank projection, ours; projection: Blocki, Blum, Datta, Sheffet 2013; ladders: Zhang,
           Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people and count together; no promise about degrees is needed
Estimator  of the graph in which people keep their first D edges, unbiased before it is raised to 0
Cost       O(m log m) for the public order of the edges, then one exact count of triangles

Sensitivity: no constant bound exists after such a projection; the ladder follows how many people are near the bound
(`central.node.ladder` has the proof).

A degree bound of about twice the h-index balances what truncation removes, always downward, against noise of about
D^2 / (2 epsilon).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.node.degree_bound import check_bound, one_sided_scope
from graphveil.central.node.ladder import LEAST_LADDER_EPSILON, MOST_BOUND, TRIANGLES, LadderCounts, Shares, Truncation
from graphveil.central.query import Answer, PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.measurement import Measurements, Outcomes

MULTIPLE = 2.05  # the bound over the noisy h-index


@dataclass(frozen=True, slots=True)
class NodeTriangles(Query):
    """The number of triangles left when people keep their first edges, on a smoothed ladder.

    `max_degree` is the bound if it is public; `declared_people` a public size of the graph, for the forecast.

    >>> graph = Graph.from_edges([(i, j) for i in range(30) for j in range(i)])
    >>> run(NodeTriangles(epsilon=Fraction(100), max_degree=29), graph, SeededNoise(1)).value
    4060
    """

    query = "triangles"
    unit = "node"
    least_epsilon = LEAST_LADDER_EPSILON

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, least=2, most=MOST_BOUND)

    @property
    def counts(self) -> LadderCounts:
        """The triangles, with all that counts may cost."""
        shares = Shares.of(self.epsilon)
        return LadderCounts(shares, ((TRIANGLES, shares.counts),), self.max_degree, MULTIPLE)

    def measure(self, graph: Graph) -> Measurements:
        """The h-index, the number of people, and the triangles after truncation."""
        return self.counts.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy number, with a lower end."""
        truncation, (value,), stages = self.counts.conclude(outcomes)
        return Answer(value, self._accuracy(value, truncation, (0, math.inf)), stages, truncation.derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed h-index; what truncation removes is not in the forecast."""
        return self._accuracy(0, self.counts.guess(facts), (-math.inf, math.inf))

    def _accuracy(self, value: int, truncation: Truncation, support: tuple[float, float]) -> Accuracy:
        """A lower end only; one-sided, so twice the failure probability."""
        epsilon, bound = self.counts.shares.counts, truncation.bound
        widths = [truncation.half_width(TRIANGLES, epsilon, min(1.0, 2 * (1 - level))) for level in LEVELS]
        return Accuracy(
            value,
            truncation.std(TRIANGLES, epsilon),
            tuple(Band(level, math.ceil(width), math.inf) for level, width in zip(LEVELS, widths, strict=True)),
            bias=f"downward by what truncation at degree {bound} removes; none if nobody has more neighbours",
            support=support,
            scope=one_sided_scope(bound) + truncation.caution,
        )
