"""Number of triangles under node privacy.

Paper      smoothed ladder on a rank projection, ours; projection: Blocki, Blum, Datta, Sheffet 2013; ladders: Zhang,
           Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people and count together; no promise about degrees is needed
Estimator  of the graph in which people keep their first D edges, unbiased before it is cut at 0
Cost       O(m log m) for the public order of the edges, then one exact count of triangles

Sensitivity: no constant bound exists after such a projection; the ladder follows how many people are near the bound
(`central.node.ladder` has the proof).

A degree bound of about twice the h-index balances what is cut off, always downward, against noise of about D^2 / (2
epsilon). Below epsilon 3/10 this was mostly noise on graphs of less than 50,000 people: it is then refused unless a
larger public size is declared, for which the forecast is not noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.forecast_guesses import guess_triangles
from graphveil.central.node.ladder import TRIANGLES, CutCount, LadderNodePage, NoisyCut
from graphveil.central.old_page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.noise.source import Noise


@dataclass(frozen=True, slots=True)
class NodeTriangles(LadderNodePage):
    """The number of triangles left when people keep their first edges, on a smoothed ladder.

    `max_degree` is the bound if it is public; `declared_people` a public size of the graph, needed at small epsilon.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(i, j) for i in range(30) for j in range(i)])
    >>> NodeTriangles(epsilon=Fraction(100), max_degree=29).run(graph, SeededNoise(1)).value
    4060
    """

    query = "triangles"
    multiple = 2.05
    mere_noise = 10  # forecasts are rough: 4 times the usual count for Twitter at epsilon 0.1, where a fifth was missed

    def usual(self, facts: PublicFacts) -> float:
        """Where a fifth of the friends of a friend are friends."""
        return guess_triangles(facts)

    def error(self, facts: PublicFacts) -> float:
        """That of the forecast, without its bands."""
        return self.guess_cut(facts).std(TRIANGLES, self.shares.counts)

    @property
    def counts(self) -> tuple[tuple[CutCount, Fraction], ...]:
        """Triangles, with all that counts may cost."""
        return ((TRIANGLES, self.shares.counts),)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Choose the bound, cut, count, draw from the ladder."""
        cut, (value,), stages = self.measure(graph, noise)
        drawn = Stage(
            "drew the number of triangles left from rungs around it, as wide as what one person can change here",
            self.shares.counts,
        )
        derived = {"max_degree": cut.bound, "h_index": cut.h_index, "people": cut.people}
        return Answer(value, self._accuracy(value, cut, (0, math.inf)), (*stages, drawn), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed h-index; what the bound cuts off is not in the forecast."""
        return self._accuracy(0, self.guess_cut(facts), (-math.inf, math.inf))

    def _accuracy(self, value: int, cut: NoisyCut, support: tuple[float, float]) -> Accuracy:
        """A lower end only; one-sided, so twice the failure probability."""
        widths = [cut.half_width(TRIANGLES, self.shares.counts, min(1.0, 2 * (1 - level))) for level in LEVELS]
        return Accuracy(
            value,
            cut.std(TRIANGLES, self.shares.counts),
            tuple(Band(level, math.ceil(width), math.inf) for level, width in zip(LEVELS, widths, strict=True)),
            bias=f"downward by what is cut off at degree {cut.bound}; none if nobody has more",
            support=support,
            scope=f"one-sided: there are at least this many{cut.caution}; an upper end needs the promise that nobody "
            f"has more than {cut.bound} neighbours",
        )
