"""Average local clustering under edge privacy: how often two friends of a person are friends, the mean over people.

Paper      smoothed integer ladder, ours; it extends Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased up to 1/Q before it is cut to 0..1, Q = 2^20; mean error about 1.5 J_0 / (epsilon n Q), J_0 / Q the
           clustering that one edge can change, 3 to 40 on the benchmark graphs
Cost       one exact count of triangles and a pruned pass over wedges

f = sum over people v of floor(Q T_v / C(d_v, 2)), T_v their triangles; people with d_v < 2 count 0 (as in networkx).

Sensitivity. An edge between x and y with a and b other friends and common neighbours w moves f by at most
W(x, y) = E(a) + E(b) + sum_w H(d_w), E(a) = min(Q, ceil(2 Q / (a + 1))), H(d) = ceil(Q / C(d, 2)), H(3) = Q / 2. For w
gets one triangle more; and x has clustering c before and ((a - 1) c + 2 t / a) / (a + 1) after, t <= a, which differ
by at most 2 / (a + 1). One more edge elsewhere moves W(x, y) by at most Q. At an end, from x to z: E(a) rises by at
most about Q/3, from 2 friends to 1, or z becomes a common neighbour of degree at least 2, so H <= Q. Between two
others: both may be common neighbours that go from degree 3 to 2, Q/2 each (it would be 4Q/3 with H(3) = ceil(Q/3)).
Pairs without common neighbours have W <= 2 Q. So I_t = min(max(2 Q, max W) + Q t, Q n) is a ladder function, and I_0
changes by at most Q: it is released with discrete Laplace noise for the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.ladder_count import LEAST_EPSILON, CountError, NoisyBound
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.statistics.pareto_pairs import heaviest_pair
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import fine_grid, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

Q = 2**20
KAPPA_SHARE = Fraction(1, 7)  # the ladder starts low and is steep
INTERVAL_SHARE = Fraction(1, 7)


@dataclass(frozen=True, slots=True)
class AverageClustering(Query):
    """The mean local clustering coefficient.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2)])
    >>> round(run(AverageClustering(epsilon=Fraction(100)), graph, SeededNoise(1)).value, 3)
    1.0
    """

    query = "average-clustering"
    unit = "edge"
    why_one_unit = (
        "one person can raise the clustering of all their friends from 0 to 1: noise of n / epsilon on a sum below n",
        "transitivity",
    )
    least_epsilon = LEAST_EPSILON

    @property
    def interval_epsilon(self) -> Fraction:
        """The part of epsilon that pays for the number under the interval."""
        return INTERVAL_SHARE * self.epsilon

    def measure(self, graph: Graph) -> Measurements:
        """The sum of all clusterings on the ladder of this graph, and where the ladder starts, both times Q."""
        first = heaviest_change(graph)
        return LadderInteger(
            what="sum of all local clusterings", exact=total_clustering(graph), rungs=self.law(first, graph.n_nodes)
        ), NoisyInteger(
            what=f"clustering that one edge can change, in units of 1/{Q:,}",
            exact=first,
            sensitivity=Q,
            epsilon=self.interval_epsilon,
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy sum over the public number of people."""
        n = facts.n_nodes
        bound = NoisyBound(int(outcomes[1]), self.interval_epsilon / Q)
        value = min(max(0.0, int(outcomes[0]) / (Q * n)), 1.0) if n else 0.0
        stages = (Stage("divided the sum by the number of people and cut it to 0..1"),)
        return Answer(value, self._accuracy(value, bound, n), stages, {"largest_change": bound.noisy / Q})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """From a guess of the clustering that one edge can change (`largest_clustering_change`, 8 by default)."""
        guess = math.ceil(Q * facts.guesses.get("largest_clustering_change", 8.0))
        around = self._accuracy(0.0, NoisyBound(guess, self.interval_epsilon / Q), facts.n_nodes)
        return Accuracy(0, around.std, around.bands)

    def law(self, first: int, n_nodes: int) -> SmoothedLadder:
        """The law of the noisy sum where one edge can change it by `first`."""
        return SmoothedLadder(clustering_ladder(first, n_nodes), self.epsilon - self.interval_epsilon, KAPPA_SHARE)

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise of the sum where one edge can change it by `bound`."""
        return ladder_half_widths(self.law(bound, n_nodes), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the same."""
        return ladder_std(self.law(bound, n_nodes))

    def bound_grid(self, n_nodes: int) -> Integers:
        """From two ends that change all the way to everybody."""
        return fine_grid(2 * Q, Q * max(2, n_nodes), self.interval_epsilon / Q)

    def _accuracy(self, value: float, bound: NoisyBound, n_nodes: int) -> Accuracy:
        whole = Q * max(1, n_nodes)
        error = CountError(bound, self, n_nodes)
        spreads = [min(1.0, width / whole + 1 / Q) for width in error.half_widths]  # the floors of f take up to 1/Q
        bands = tuple(Band(level, spread, spread) for level, spread in zip(LEVELS, spreads, strict=True))
        return Accuracy(value, min(1.0, error.std / whole), bands, support=(0, 1))


def clustering_ladder(first: int, n_nodes: int) -> Ladder:
    """I_t from I_0: rising by Q a step to Q n."""
    most = Q * n_nodes
    if n_nodes <= 2:  # no triangle fits
        return Ladder(np.zeros(1, dtype=np.int64))
    steps = first + Q * np.arange(max(0, most - first) // Q + 2, dtype=np.int64)
    return Ladder(np.minimum(steps, most))


def heaviest_change(graph: Graph) -> int:
    """I_0: the most that one edge can change f."""
    return max(2 * Q, heaviest_pair(graph, *change_weights(int(graph.degrees.max(initial=0)))))


def change_weights(max_degree: int) -> tuple[Integers, Integers]:
    """E(a) and H(d): the most that an end with a other friends, and a common friend of degree d, can change."""
    degree = np.arange(max_degree + 1, dtype=np.int64)
    end = np.minimum(Q, -(-2 * Q // (degree + 1)))
    common = np.where(degree > 1, -(-2 * Q // np.maximum(1, degree * (degree - 1))), 0)
    common[3:4] = Q // 2
    return end, common


def total_clustering(graph: Graph) -> int:
    """The integer f: all local clusterings, each rounded down to a multiple of 1/Q, times Q."""
    degree = graph.degrees.astype(np.int64)
    pairs = np.maximum(1, degree * (degree - 1) // 2)
    return int((Q * exact_triangles_per_node(graph) // pairs).sum())
