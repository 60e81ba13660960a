"""Mutual, one-way and unconnected pairs of a directed graph (the dyad census) under edge privacy.

Paper      Holland, Leinhardt 1970 for the census; the joint sensitivity is proved here
Unit       edge; one directed relationship; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what is possible; each count has the noise of one epsilon
Cost       O(m log m)

Let M be the number of mutual pairs and E that of pairs with at least one arc. One more arc either joins two people who
were not connected (E grows by 1, M stays) or answers an arc that was there (M grows by 1, E stays). (M, E) changes by
exactly 1 in total, and both get noise of rate epsilon: nothing is split. Noise on mutual and one-way pairs instead
would need twice that, since an answered arc turns one kind into the other. One-way pairs are E - M, unconnected ones
n (n - 1) / 2 - E.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.directed.directions import NODE_REASON, DirectedQuery
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes

PAIRS = "mutual pairs and connected pairs"
SENSITIVITY = 1


def pair_counts(graph: Graph) -> Integers:
    """The exact numbers of mutual pairs and of pairs with at least one arc."""
    directed = oriented(graph)
    connected = directed.n_edges
    return np.array([len(directed.arcs) - connected, connected], dtype=np.int64)


def noisy_pairs(graph: Graph, epsilon: Fraction) -> NoisyVector:
    """Both counts with noise for a change of 1 in total."""
    return NoisyVector(what=PAIRS, exact=pair_counts(graph), sensitivity=SENSITIVITY, epsilon=epsilon)


@dataclass(frozen=True, slots=True)
class Dyads(DirectedQuery, Query):
    """How many pairs of people are mutual, one-way and unconnected, in this order.

    >>> from graphveil.graph.directed import DirectedGraph
    >>> graph = DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2)], n_nodes=4)
    >>> run(Dyads(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    (1, 1, 4)
    """

    query = "dyads"
    unit = "edge"
    why_one_unit = (NODE_REASON, "edges of the graph without directions")

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """Mutual and connected pairs, with all of epsilon."""
        return (noisy_pairs(graph, self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The three counts, which add up to the number of pairs."""
        pairs = math.comb(facts.n_nodes, 2)
        mutual, connected = (int(count) for count in outcomes[0])
        connected = min(max(0, connected), pairs)
        mutual = min(max(0, mutual), connected)
        stage = Stage("cut both to what is possible; one-way pairs are connected ones less the mutual ones")
        value = (mutual, connected - mutual, pairs - connected)
        derived = {"labels": ("mutual", "one-way", "unconnected")}
        return Answer(value, self._accuracy(value, outcomes[0], pairs), (stage,), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise does not depend on the graph."""
        return self._accuracy((0, 0, 0), (0, 0), 0)

    def _accuracy(self, value: tuple[int, int, int], noisy: Integers | tuple[int, int], pairs: int) -> Accuracy:
        """All three at once: each of the two noises may fail half as often, and one-way pairs have both."""
        mutual, connected = (float(count) for count in noisy)
        middle = np.array((mutual, connected - mutual, pairs - connected))
        given = np.array(value, dtype=np.float64)
        bands = []
        for level in LEVELS:
            slack = discrete_laplace_quantile(self.epsilon, (1 + level) / 2)
            reach = slack * np.array((1.0, 2.0, 1.0))
            below = np.maximum(0.0, given - (middle - reach)).tolist()
            above = np.maximum(0.0, middle + reach - given).tolist()
            bands.append(Band(level, tuple(below), tuple(above)))
        std = discrete_laplace_std(self.epsilon)
        support = (0, max(pairs, 0) if pairs else math.inf)
        return Accuracy(value, (std, math.sqrt(2) * std, std), tuple(bands), support=support)
