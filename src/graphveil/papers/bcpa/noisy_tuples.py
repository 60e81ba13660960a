"""What dK-PA, DRC and BCPA share: Laplace noise on the joint-degree tuples that occur, scaled by a group's degrees.

A tuple (k, l; c) says that c edges join a person of degree k and one of degree l. The published schemes put the tuples
of the graph into groups, add Laplace noise of scale (4 d + 1) / epsilon to every count, d being the largest degree
within the group, and publish the tuples. Three things are taken from the private graph without paying for them: which
tuples occur, which group each is in, and the largest degree of a group.

The scale itself is not the trouble: Laplace noise of scale (4 max(k, l) + 1) / epsilon on *all* pairs of degrees up to
a public bound is epsilon-edge-private, because one edge moves at most a edges out of tuples of degree a or more and
into tuples of degree a + 1 or more at each of its ends, and the losses add up to less than epsilon.

Since the scale of the noise is private itself, no list of measurements with known losses describes these schemes. They
are no `Algorithm`: they draw their noise themselves, for study, and no session can release what they draw.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.subgraph import shuffle_people
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.bcpa.betweenness_order import TupleOrder
from graphveil.privacy.guarantee import Guarantee, PublishedClaim, Status
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import EDGE, Trust
from graphveil.statistics.joint_degrees.tuple_noise import pair_places
from graphveil.synthetic.dk2.from_tuples import graph_from_tuples


@dataclass(frozen=True, slots=True)
class NoisyTuples:
    """Published tuples: `degrees` has a row for each, `counts` a row for each run and an entry for each tuple."""

    degrees: Integers
    counts: Integers
    order: TupleOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class TuplePerturbation(ABC):
    """A scheme with its public parameters; the number of groups is chosen from the size of the data set."""

    claim: ClassVar[PublishedClaim]

    epsilon: Fraction
    n_groups: int = 1

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.n_groups < 1:
            raise ParameterError(f"n_groups must be at least 1, not {self.n_groups}")

    @property
    def guarantee(self) -> Guarantee:
        """The epsilon that was claimed, marked as refuted."""
        proof = type(self).__module__.removeprefix("graphveil.")
        return Guarantee(EDGE, Trust.CENTRAL, self.epsilon, proof=proof, status=Status.CLAIM_REFUTED)

    @abstractmethod
    def order(self, graph: Graph, table: DegreeTable) -> TupleOrder:
        """The order in which the tuples are cut into groups of consecutive ones."""

    def draw_graph(self, graph: Graph, noise: Noise, *, seed: int) -> Graph:
        """A graph with the noisy tuples, as nearly as any has them, its nodes in random order."""
        noisy = self.perturb(graph, noise)
        drawn = graph_from_tuples(noisy.degrees, noisy.counts[0], graph.n_nodes, seed=seed)
        return shuffle_people(replace(drawn, roster_declared=True), seed=seed)

    def perturb(self, graph: Graph, noise: Noise, runs: int = 1) -> NoisyTuples:
        """The noisy tuples of a graph, in that many independent runs."""
        table = exact_joint_degrees(graph)
        return self.add_noise(table, self.order(graph, table), noise, runs)

    def runs(self, given: Graph, count: int, noise: Noise) -> Floats:
        """What is published in that many runs, as an audit sees it: an entry for every pair of degrees.

        The entry of a tuple that does not occur is missing (NaN).
        """
        published = self.perturb(given, noise, runs=count)
        cells = np.full((count, math.comb(given.n_nodes, 2)), np.nan)
        cells[:, pair_places(published.degrees)] = published.counts
        return cells

    def add_noise(self, table: DegreeTable, order: TupleOrder, noise: Noise, runs: int = 1) -> NoisyTuples:
        """Cut the ordered tuples into groups, each with noise for its largest degree."""
        largest = self.group_degrees(table, order)
        counts = np.tile(table.counts, (runs, 1))
        for degree in np.unique(largest).tolist():
            same = largest == degree
            size = (runs, int(same.sum()))
            drawn = bulk_discrete_laplace(noise, self.rate(degree), size[0] * size[1])
            counts[:, same] += drawn.reshape(size)
        return NoisyTuples(table.degrees, counts, order)

    def group_degrees(self, table: DegreeTable, order: TupleOrder) -> Integers:
        """For every tuple the largest degree within its group."""
        largest = np.empty(len(table), dtype=np.int64)
        for group in np.array_split(order.places, self.n_groups):
            largest[group] = table.degrees[group].max(initial=0)
        return largest

    def rate(self, largest_degree: int) -> Fraction:
        """Rate of the noise: epsilon over what one edge changes at most in a group, 4 d + 1."""
        return self.epsilon / (4 * largest_degree + 1)
