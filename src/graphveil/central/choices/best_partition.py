"""The best of several candidate partitions of the people, by modularity, under edge privacy.

Paper      McSherry, Talwar 2007 (selection by score); McKenna, Sheldon 2020 (permute-and-flip); modularity: Newman
           2006
Unit       edge; the set of people is public, and so are the candidates
Trust      central
Guarantee  pure epsilon
Estimator  names a candidate whose score m Q is within 2.5 ln(K / b) / epsilon of the best, but for a probability of b
Cost       O(m) for each of K candidates
Differs    the sensitivity 2 would ask for the rate epsilon / 4; one edge moves all scores by amounts in [-1/2, 2), and
           only the width 5/2 of that range counts

Candidates must be public or computed from earlier releases. The score is m Q = (edges inside groups) - L / (2 V),
where V = 2 m and L is the sum over groups of the squared degree sums; without edges it is 0.

Sensitivity: adding an edge inside a group of degree sum a changes the score by 1 - 2 (a + 1) / (V + 2) + L / (V (V +
2)). With a^2 <= L <= a^2 + (V - a)^2 this lies in [0, 2). An edge between groups with degree sums that add up to s
changes it by -(s + 1) / (V + 2) + L / (V (V + 2)), and s^2 / 2 <= L <= V^2 puts this in [-1/2, 1). A first edge gives
0 or -1/2. Selection by permute-and-flip does not change if all scores move by the same constant; less 3/4, every
score moves by at most 5/4 either way, and general scores of sensitivity 5/4 have the rate epsilon / (5/2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.measurement import Outcomes
from graphveil.mechanisms.selection import NoisyChoice, PermuteAndFlip


@dataclass(frozen=True, slots=True)
class BestPartition(Query):
    """The number of the candidate chosen; a candidate gives every person, in the graph's order, a group.

    Groups are whole numbers or texts, of one kind within a candidate.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)])
    >>> candidates = ((0, 1, 0, 1, 0, 1), (0, 0, 0, 1, 1, 1))
    >>> run(BestPartition(epsilon=Fraction(10), partitions=candidates), graph, SeededNoise(1)).value
    1
    """

    query = "best-partition"
    unit = "edge"
    why_one_unit = (
        "one person can bring edges into any group, as many as n: noise of n / epsilon on the score",
        "transitivity",
    )
    assumes = ("the candidate partitions are public or come from earlier releases",)

    partitions: tuple[tuple[int | str, ...], ...]

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        try:
            object.__setattr__(self, "partitions", tuple(plain_groups(groups) for groups in self.partitions))
        except TypeError:
            object.__setattr__(self, "partitions", ())
        if not self.partitions or len({len(groups) for groups in self.partitions}) > 1:
            raise ParameterError("partitions must be one or more lists of equal length, with a group for every person")

    @property
    def mechanism(self) -> PermuteAndFlip:
        """The choice by modularity times the number of edges."""
        return PermuteAndFlip(epsilon=self.epsilon, sensitivity=Fraction(5, 4))

    def check_people(self, n_people: int) -> None:
        """Refuse candidates that do not have a group for every person."""
        listed = len(self.partitions[0])
        if listed != n_people:
            raise ParameterError(f"partitions list {listed} people; the graph has {n_people}")

    def measure(self, graph: Graph) -> tuple[NoisyChoice]:
        """One candidate, chosen by modularity times the number of edges."""
        self.check_people(graph.n_nodes)
        scores = np.array([edge_modularity(graph, numbered(groups)) for groups in self.partitions], dtype=object)
        return (NoisyChoice(what="partition of highest modularity", mechanism=self.mechanism, scores=scores),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - candidates are parameters
        """The number of the candidate, and by how much its score may fall short."""
        value = int(outcomes[0])
        rate = f"{float(self.mechanism.rate):.3g}"
        stages = (Stage(f"a score that is x below the best is chosen with probability e^(-{rate} x) at most"),)
        return Answer(value, replace(self._shortfall(), value=value, center=0), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on public parameters alone
        """By how much the chosen score may fall short."""
        return self._shortfall()

    def _shortfall(self) -> Accuracy:
        gaps = [self.mechanism.error_bound(len(self.partitions), level) for level in LEVELS]
        bands = tuple(Band(level, 0.0, gap) for level, gap in zip(LEVELS, gaps, strict=True))
        scope = (
            "edges within groups, beyond expectation, that the chosen candidate has fewer than the best; "
            "candidates count from 0 in the order given, which is that of the columns of a file"
        )
        return Accuracy(0, None, bands, support=(0, math.inf), scope=scope)


def plain_groups(groups: Iterable[object]) -> tuple[int | str, ...]:
    """The groups of one candidate as Python's own numbers or texts; anything else has no place in a release.

    >>> plain_groups(np.array([3, 3, 5])), plain_groups("aab")
    ((3, 3, 5), ('a', 'a', 'b'))
    """
    given = tuple(groups)
    kinds = set(map(type, given))
    for plain, kind in ((int, Integral), (str, str)):
        if all(issubclass(each, kind) for each in kinds):
            return tuple(map(plain, given))  # type: ignore[arg-type]
    found = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise ParameterError(f"the groups of a partition must be all whole numbers or all texts; one has {found}")


def numbered(groups: Iterable[int | str]) -> Integers:
    """Groups as numbers from 0 up in the order in which they come, however large or long they were."""
    number: dict[int | str, int] = {}
    return np.array([number.setdefault(group, len(number)) for group in groups], dtype=np.int64)


def edge_modularity(graph: Graph, groups: Integers) -> Fraction:
    """The number of edges times modularity: edges inside groups - L / (4 m), exactly."""
    if graph.n_edges == 0:
        return Fraction(0)
    edges = graph.edges()
    inside = int(np.count_nonzero(groups[edges[:, 0]] == groups[edges[:, 1]]))
    _, group_of = np.unique(groups, return_inverse=True)
    volumes = np.zeros(int(group_of.max()) + 1, dtype=np.int64)
    np.add.at(volumes, group_of, graph.degrees)
    squares = sum(volume**2 for volume in volumes.tolist())
    return inside - Fraction(squares, 4 * graph.n_edges)
