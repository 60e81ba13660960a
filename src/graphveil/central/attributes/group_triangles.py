"""How many triangles there are between each three groups of people, under edge privacy.

Paper      smoothed integer ladders, ours; one for each kind of triangle
Unit       edge; the set of people and everybody's group are public
Trust      central
Guarantee  pure epsilon: all kinds, and a bound for the intervals
Estimator  every number is unbiased before it is cut to what the sizes of its groups allow
Cost       one pass over triangles and one over paths of two edges

A kind of triangle is three groups. Let L(u, v) be the number of triangles of a kind that an edge between u and v
closes: their common neighbours in the third group, 0 if their two groups are not in the kind. I_0 is the largest,
whether u and v are joined or not. That is (a) of `statistics.ladder.ladder`. One edge elsewhere gives u and v one
common neighbour more at most, and L is at most what the sizes of the groups allow, so I_t = min(I_0 + t, cap) is a
ladder: that is (b).

An edge between groups a and b changes kinds with both a and b alone, their counts and their ladders: one for each third
group, C of them. So every kind gets epsilon / C. Interval: the largest of all I_0 changes by at most 1 with one edge;
its noisy value bounds all ladders. All intervals hold at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.arrays import Floats
from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.mixing import GroupedQuery
from graphveil.central.ladder_count import LEAST_EPSILON, interval_share
from graphveil.central.query import Answer, PublicFacts, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.graph.statistics.group_triangles import exact_group_triangles, kinds_of, most_common_by_group
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.ladder_sampler import LadderVector
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import NoisyLadder, fine_grid, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.functions import rising_ladder
from graphveil.statistics.ladder.ladder import SmoothedLadder

MOST_GROUPS = 10
KAPPA_SHARE = Fraction(1, 20)  # as for triangles


@dataclass(frozen=True, slots=True)
class GroupTriangles(GroupedQuery):
    """The triangles between each three groups; `derived` has the groups of each number.

    >>> table = {"person": [0, 1, 2, 3], "team": ["red", "red", "blue", "blue"]}
    >>> column = PeopleColumn.from_columns(table, attribute="team", public=True)
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> answer = run(GroupTriangles(epsilon=Fraction(99), column=column), graph, SeededNoise(1))
    >>> answer.derived["labels"][2], answer.value
    ('blue - red - red', (0, 0, 1, 0))
    """

    query = "group-triangles"
    unit = "edge"
    why_one_unit = ("one person can be in a triangle with any two others: noise of n^2 / (2 epsilon)", "triangles")
    least_epsilon = LEAST_EPSILON

    def __post_init__(self) -> None:
        GroupedQuery.__post_init__(self)
        groups = len(self.column.groups)
        if groups > MOST_GROUPS:
            raise ParameterError(
                f"{self.query} divides epsilon among the groups, and {self.column.attribute} makes {groups}; at most "
                f"{MOST_GROUPS} are allowed: name the ones to count with values= (--attribute-values A,B,…)"
            )
        if self.epsilon < groups * LEAST_EPSILON:
            raise ParameterError(f"{groups} groups need an epsilon of at least {float(groups * LEAST_EPSILON):g}")

    @property
    def bound_epsilon(self) -> Fraction:
        """The part of epsilon that pays for the number under the intervals."""
        return interval_share(self.epsilon) * self.epsilon

    @property
    def kind_epsilon(self) -> Fraction:
        """What each kind of triangle gets: an edge changes as many kinds as there are groups."""
        return (self.epsilon - self.bound_epsilon) / len(self.column.groups)

    def measure(self, graph: Graph) -> Measurements:
        """All kinds on their ladders, and the number that bounds these."""
        groups, n_groups = self.column.groups_of(label_list(graph.labels, graph.n_nodes)), len(self.column.groups)
        most = most_common_by_group(graph, groups, n_groups)
        caps = _caps(np.bincount(groups, minlength=n_groups).tolist())
        return (
            LadderVector(
                what="triangles between each three groups of people",
                exact=tuple(exact_group_triangles(graph, groups, n_groups).tolist()),
                rungs=tuple(self._law(int(first), cap) for first, cap in zip(most, caps, strict=True)),
                at_once=n_groups,
            ),
            NoisyInteger(
                what="largest number of common neighbours, in one group, of two people",
                exact=int(most.max(initial=0)),
                sensitivity=1,
                epsilon=self.bound_epsilon,
            ),
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy numbers, each cut to what its groups can have between them."""
        groups = self.column.groups
        members = self.column.groups_of(label_list(facts.labels, facts.n_nodes))
        sizes: list[int] = np.bincount(members, minlength=len(groups)).tolist()
        noisy = [int(number) for number in np.atleast_1d(outcomes[0])]
        value = tuple(min(max(0, number), most) for number, most in zip(noisy, _most(sizes), strict=True))
        bound = int(outcomes[1])
        accuracy = self._accuracy(value, bound, max(_caps(sizes)), (0, math.comb(facts.n_nodes, 3)))
        stages = (Stage("cut every number to what its three groups can have between them"),)
        return Answer(value, accuracy, stages, {"labels": kind_names(self.column), "max_common_neighbors": bound})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guess of the bound."""
        value = (0,) * len(kinds_of(len(self.column.groups)))
        return self._accuracy(value, facts.guess_common_neighbors(), facts.n_nodes, (-math.inf, math.inf))

    def _accuracy(self, value: tuple[int, ...], bound: int, cap: int, support: tuple[float, float]) -> Accuracy:
        """Intervals that hold at once: each kind may fail with its part of the probability."""
        table = NoisyLadder.build(partial(self._widths, cap), fine_grid(0, cap, self.bound_epsilon), self.bound_epsilon)
        bands = tuple(
            Band(level, width, width)
            for level in LEVELS
            for width in (float(table.rule((1 - level) / len(value))(bound)),)
        )
        std = ladder_std(self._law(min(max(0, bound), cap), cap))
        return Accuracy(value, std, bands, support=support)

    def _widths(self, cap: int, bound: int, failures: Floats) -> Floats:
        return ladder_half_widths(self._law(bound, cap), failures)

    def _law(self, first: int, cap: int) -> SmoothedLadder:
        return SmoothedLadder(rising_ladder(first, cap), self.kind_epsilon, KAPPA_SHARE)


def kind_names(column: PeopleColumn) -> tuple[str, ...]:
    """The groups of every kind of triangle."""
    return tuple(" - ".join(column.groups[group] for group in kind) for kind in kinds_of(len(column.groups)))


def exact_kinds(graph: Graph, column: PeopleColumn) -> dict[str, int]:
    """The exact number of triangles of every kind by its name, for few groups; for the curator, not private."""
    if len(column.groups) > MOST_GROUPS:
        return {}
    groups = column.groups_of(label_list(graph.labels, graph.n_nodes))
    counts = exact_group_triangles(graph, groups, len(column.groups)).tolist()
    return {f"triangles {name}": count for name, count in zip(kind_names(column), counts, strict=True)}


def _caps(sizes: list[int]) -> list[int]:
    """The most triangles of every kind that one edge can close: everybody in the third group but the two."""
    caps = []
    for kind in kinds_of(len(sizes)):
        others = [(third, [g for place, g in enumerate(kind) if place != at]) for at, third in enumerate(kind)]
        caps.append(max(0, *(sizes[third] - pair.count(third) for third, pair in others)))
    return caps


def _most(sizes: list[int]) -> list[int]:
    """The most triangles of every kind."""
    kinds = kinds_of(len(sizes))
    return [math.prod(math.comb(sizes[group], kind.count(group)) for group in set(kind)) for kind in kinds]
