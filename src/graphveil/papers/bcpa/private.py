"""BCPA with its order taken from a graph that is already private.

Paper      after Huang, Wang, Tang, Zhang 2019, Algorithms 1 and 2
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  the joint degrees of `dk2-soft`, corrected where a noisy count stands out against them
Cost       that of `dk2-soft`, the betweenness of one graph, and a draw for each of D (D + 1) / 2 pairs of degrees
Differs    half of epsilon buys a soft joint degree table; a graph drawn from it, not the private one, gives the
           betweenness and with it order and groups; noise goes to all pairs of degrees up to a public bound

Sensitivity: `synthetic.dk2.soft` for the first half of epsilon. For the second, groups and their largest degrees are
computed from what the first released, so they are public, and `statistics.joint_degrees.tuple_noise` applies. It also
shows that the order gains nothing: the largest degree of a group is at least that of each pair in it. The idea is kept,
and what it would add to a soft table is seen at large epsilon only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Adaptive, Outcomes, Together
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.bcpa.betweenness_order import betweenness_order
from graphveil.privacy.loss import Pure
from graphveil.statistics.joint_degrees.tuple_noise import conclude_pairs, noise_degrees, pair_counts, pair_places
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples
from graphveil.synthetic.dk2.soft import SoftDk2
from graphveil.synthetic.synthesizer import Fit, Synthesizer

STEPS = 100_000_000  # walks along an edge for the order: a second
SOURCES = 64  # of betweenness in a large graph: the graph is a random one, so that a rough order is as good


@dataclass(frozen=True, slots=True, eq=False)
class GroupedPairs:
    """Noisy counts of all pairs of degrees, with noise by groups that follow from an earlier outcome: a measurement.

    So the groups are public. They take long to compute, and are part of the outcome: (group degrees, counts).
    """

    group_degrees: Integers
    counts: NoisyVector

    @property
    def loss(self) -> Pure:
        """The loss of the counts; the order costs nothing more."""
        return self.counts.loss

    @property
    def text(self) -> str:
        """What is counted, and its noise."""
        return self.counts.text

    def draws(self, noise: Noise, runs: int) -> list[tuple[Integers, Integers]]:
        """The groups and the noisy counts of each run."""
        return [(self.group_degrees, counts) for counts in self.rows(noise, runs)]

    def rows(self, noise: Noise, runs: int) -> Integers:
        """The noisy counts, a row a run."""
        return self.counts.draws(noise, runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateBcpa(Synthesizer):
    """Groups by the betweenness of a private graph.

    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> graph = power_law_cluster(100, 3, 0.2, seed=1)
    >>> method = PrivateBcpa(epsilon=Fraction(500))
    >>> drawn = method.sample(run(method, graph, SeededNoise(1)), seed=1)
    >>> abs(drawn.n_edges / graph.n_edges - 1) < 0.05
    True
    """

    max_degree: int = 500
    n_groups: int = 20

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        if min(self.max_degree, self.n_groups) < 1:
            raise ParameterError(
                f"max_degree and n_groups must be at least 1, not {self.max_degree} and {self.n_groups}"
            )

    def measure(self, graph: Graph) -> tuple[Adaptive]:
        """The soft table; then the counts of all pairs, with noise by the groups that a graph drawn from it gives."""
        n, bound = graph.n_nodes, self._bound(graph.n_nodes)
        return (
            Adaptive(
                Together(self._soft.measure(graph)),
                lambda outcome: self._groups(self._soft.conclude(list(outcome), PublicFacts(n))).tobytes(),
                lambda key: (self._pairs(graph, bound, np.frombuffer(key, dtype=np.int64)),),
                self.epsilon / 2,
                audit_key=noise_degrees(bound).tobytes(),
            ),
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The soft table, corrected where a noisy count of a pair of degrees stands out against it."""
        ((soft, (groups, pairs)),) = outcomes
        first, bound = self._soft.conclude(list(soft), facts), self._bound(facts.n_nodes)
        noisy = conclude_pairs(pairs, bound, self.epsilon / 2, groups)
        rows, counts = first.parameters["table"].whole(0)
        expected = np.zeros(len(noisy.counts))
        np.add.at(expected, pair_places(np.minimum(rows, bound)), counts)
        corrected = np.abs(noisy.counts - expected) > noisy.thresholds()
        # pairs at the bound stand for all larger degrees, whose share among them only the soft table knows
        corrected &= noisy.degrees[:, 1] < bound
        corrected &= noisy.counts <= _most_edges(rows, counts, noisy.degrees)
        untouched = (rows.max(axis=1) >= bound) | ~corrected[pair_places(np.minimum(rows, bound))]
        degrees = np.concatenate((rows[untouched], noisy.degrees[corrected]))
        totals = np.concatenate((counts[untouched], np.maximum(noisy.counts[corrected], 0)))
        targets = {**first.targets, "max_degree": bound, "corrected_pairs": int(corrected.sum())}
        return Fit(facts.n_nodes, targets, {"degrees": degrees, "counts": totals})

    @property
    def _soft(self) -> SoftDk2:
        return SoftDk2(epsilon=self.epsilon / 2)

    def _bound(self, n_nodes: int) -> int:
        return max(1, min(self.max_degree, n_nodes - 1))

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """A graph with these joint degrees."""
        degrees, counts = fit.parameters["degrees"], fit.parameters["counts"]
        return graph_from_tuples(degrees, counts, fit.n_nodes, seed=seed, exactly=True)

    def _pairs(self, graph: Graph, bound: int, groups: Integers) -> GroupedPairs:
        return GroupedPairs(groups, pair_counts(graph, bound, self.epsilon / 2, groups))

    def _groups(self, first: Fit) -> Integers:
        """The group degrees of a graph drawn from a soft table."""
        return self.group_degrees(self._soft.sample(first, seed=0), self._bound(first.n_nodes))

    def group_degrees(self, drawn: Graph, bound: int) -> Integers:
        """For every pair of degrees the largest one of its group; pairs that the drawn graph lacks are on their own."""
        largest = noise_degrees(bound).copy()
        table = exact_joint_degrees(drawn)
        order = betweenness_order(drawn, table, steps=STEPS, least_sources=SOURCES).places
        within = table.degrees[:, 1] <= bound
        for group in np.array_split(order[within[order]], self.n_groups):
            largest[pair_places(table.degrees[group])] = table.degrees[group].max(initial=1)
        return largest


def _most_edges(rows: Integers, counts: Integers, pairs: Integers) -> Integers:
    """How many edges people of two degrees can have between them, if a table lacks at most one person of each.

    >>> _most_edges(np.array([[1, 3]]), np.array([6]), np.array([[1, 3], [2, 3]])).tolist()
    [21, 3]
    """
    size = int(max(rows.max(initial=1), pairs.max(initial=1))) + 1
    ends = np.bincount(rows.ravel(), np.repeat(counts, 2), size)
    people = np.ceil(ends / np.maximum(1, np.arange(size))).astype(np.int64) + 1
    most: Integers = people[pairs].prod(axis=1)
    return most
