"""What dK-PA, DRC and BCPA share: Laplace noise on the joint-degree tuples that occur, scaled by a group's degrees.

A tuple (k, l; c) says that c edges join a person of degree k and one of degree l. The published schemes put the tuples
of the graph into groups, add Laplace noise of scale (4 d + 1) / epsilon to every count, d being the largest degree
within the group, and publish the tuples. Three things are taken from the private graph without paying for them: which
tuples occur, which group each is in, and the largest degree of a group.

The scale itself is not the trouble: Laplace noise of scale (4 max(k, l) + 1) / epsilon on *all* pairs of degrees up to
a public bound is epsilon-edge-private, because one edge moves at most a edges out of tuples of degree a or more and
into tuples of degree a + 1 or more at each of its ends, and the losses add up to less than epsilon.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.degree_table import DegreeTable, exact_joint_degrees
from graphveil.mechanisms.additive import sample_discrete_laplace_vector
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import PublishedClaim
from graphveil.privacy.loss import exact_epsilon

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NoisyTuples:
    """Published tuples: `degrees` has a row for each, `counts` a row for each run and an entry for each tuple."""

    degrees: Integers
    counts: Integers


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

    @abstractmethod
    def order(self, graph: Graph, table: DegreeTable) -> Integers:
        """The order in which the tuples are cut into groups of consecutive ones."""

    def perturb(self, graph: Graph, noise: Noise, runs: int = 1) -> NoisyTuples:
        """The noisy tuples of a graph, in that many independent runs."""
        table = exact_joint_degrees(graph)
        largest = self.group_degrees(graph, table)
        counts = np.empty((runs, len(table)), dtype=np.int64)
        for j, degree in enumerate(largest):
            counts[:, j] = table.counts[j] + sample_discrete_laplace_vector(noise, self.rate(int(degree)), runs)
        return NoisyTuples(table.degrees, counts)

    def group_degrees(self, graph: Graph, table: DegreeTable) -> Integers:
        """For every tuple the largest degree within its group."""
        largest = np.empty(len(table), dtype=np.int64)
        for group in np.array_split(self.order(graph, table), self.n_groups):
            largest[group] = table.degrees[group].max(initial=0)
        return largest

    def rate(self, largest_degree: int) -> Fraction:
        """Rate of the noise: epsilon over what one edge changes at most in a group, 4 d + 1."""
        return self.epsilon / (4 * largest_degree + 1)
