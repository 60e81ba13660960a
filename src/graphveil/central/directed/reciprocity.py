"""Reciprocity of a directed graph: the share of arcs that are answered, under edge privacy.

Paper      Newman, Forrest, Balthrop 2002 for the statistic; sensitivity as in `dyads`
Unit       edge; one directed relationship; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  2 M / (M + E) of the noisy counts of mutual and connected pairs; 0 where there are none
Cost       O(m log m)

There are M + E arcs, and 2 M of them are answered. (M, E) changes by 1 in total with one arc (`dyads`). The ratio rises
in M and falls in E, so bounds on M and E, which hold together, bound it: 2 M- / (M- + E+) to 2 M+ / (M+ + E-).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.directed.directions import NODE_REASON, DirectedQuery
from graphveil.central.directed.dyads import noisy_pairs
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes


@dataclass(frozen=True, slots=True)
class Reciprocity(DirectedQuery, Query):
    """The share of directed relationships that are returned.

    >>> from graphveil.graph.directed import DirectedGraph
    >>> graph = DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2), (2, 3)])
    >>> run(Reciprocity(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    0.5
    """

    query = "reciprocity"
    unit = "edge"
    why_one_unit = (NODE_REASON, "transitivity of the graph without directions")

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """Mutual and connected pairs, with all of epsilon."""
        return (noisy_pairs(graph, self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The ratio of the noisy counts, and what they say together."""
        pairs = math.comb(facts.n_nodes, 2)
        mutual, connected = (int(count) for count in outcomes[0])
        value = _ratio(min(max(0, mutual), max(0, connected)), max(0, connected))
        bands = tuple(self._band(level, value, mutual, connected, pairs) for level in LEVELS)
        std = self._std(mutual, max(1, connected))
        stage = Stage("divided twice the mutual pairs by the mutual and the connected pairs together")
        derived = {"mutual": max(0, mutual), "connected": max(0, connected)}
        return Answer(value, Accuracy(value, std, bands, support=(0, 1)), (stage,), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """As if a fifth of the connected pairs were mutual, among as many as so many people may have."""
        connected = facts.guess_edges()
        middle = _ratio(connected / 5, connected)
        bands = tuple(self._band(level, middle, connected / 5, connected, math.inf) for level in LEVELS)
        return Accuracy(0, self._std(connected / 5, connected), bands)

    def _std(self, mutual: float, connected: float) -> float:
        """By the first derivatives of the ratio in the two counts."""
        total = max(1.0, mutual + connected)
        return 2 * discrete_laplace_std(self.epsilon) * math.hypot(connected, mutual) / total**2

    def _band(self, level: float, value: float, mutual: float, connected: float, pairs: float) -> Band:
        slack = discrete_laplace_quantile(self.epsilon, (1 + level) / 2)
        most_connected = min(max(0, connected + slack), pairs)
        least_connected = max(0, connected - slack)
        least_mutual, most_mutual = max(0, mutual - slack), max(0, mutual + slack)
        low = _ratio(min(least_mutual, most_connected), most_connected)
        high = _ratio(most_mutual, max(least_connected, most_mutual)) if most_mutual else 0.0
        return Band(level, max(0.0, value - low), max(0.0, high - value))


def _ratio(mutual: float, connected: float) -> float:
    """The share of answered arcs; 0 where there are no arcs."""
    return 2 * mutual / (mutual + connected) if mutual + connected > 0 else 0.0
