"""How many edges join each two groups of people, and their homophily, under node privacy.

Paper      ours; the projection: Day, Li, Lyu 2016, applied to each pair of groups by itself
Unit       node; a person's value is hidden with the person, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: the bounds and all cells together
Estimator  of the graph truncated cell by cell, unbiased before it is raised to 0; so every cell is low by what is cut
Cost       O(m log m)

Sensitivity. Each cell is a graph of its own: the edges between its two groups. In it edges are kept, in a public order
of names, while both ends have fewer than t kept edges of that cell; one person more then raises the number of kept
edges by 0 to t (`graph.project`). Somebody of group a has edges in the cells of a alone: a with itself, and a with
each of the C - 1 other groups. So with weight w on each cell the table changes by at most w_own t_own + (C - 1)
w_other t_other. Noise in proportion to the root of t is best for the sum of errors: weights are 1 / root t, rounded.
One projection of the whole graph would not do: it can change all along a path (tests/central/test_node_attributes.py).

The bounds follow from the noisy h-index of the graph (`degree_bound`): of a person's edges about half lie within the
own group, and the others are spread over C - 1 groups. On eleven attributes of five graphs the multiples cost 1.25
times the error of the best ones for that attribute, 1.5 times in the worst case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.homophily import guessed_cells, homophily_accuracy
from graphveil.central.attributes.mixing import known_cells, mixing_facts
from graphveil.central.node.degree_bound import DegreeBound, check_bound
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.graph.order import edge_order
from graphveil.graph.project import scan
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.mixing import cells_of

BOUND_SHARE = Fraction(1, 10)  # of epsilon, for the h-index
OWN, OTHERS = Fraction(13, 10), Fraction(7, 5)  # of the bound: for the own group, for all others together
ASSUMED = "which values are counted was decided without looking at the data"
FINE = 1000  # weights are multiples of 1 / FINE


@dataclass(frozen=True, slots=True)
class CellBounds:
    """How many edges of one cell a person keeps at most: within the own group, and towards each other group."""

    own: int
    other: int
    n_groups: int

    @classmethod
    def of(cls, bound: int, n_groups: int, *, public: bool) -> CellBounds:
        """A public bound holds for every cell; a chosen one is shared out."""
        if public or n_groups == 1:
            return cls(bound, bound, n_groups)
        other = math.ceil(OTHERS * bound / (n_groups - 1))
        return cls(max(1, math.ceil(OWN * bound)), max(1, min(bound, other)), n_groups)

    def weights(self) -> list[Fraction]:
        """The weight of every cell: 1 within groups, the root of own / other, rounded, between them."""
        other = Fraction(math.isqrt(FINE**2 * self.own // self.other), FINE)
        return [Fraction(1) if a == b else other for a, b in cells_of(self.n_groups)]

    def sensitivity(self) -> Fraction:
        """What one person changes at most, by weight: all cells of one group."""
        pairs = zip(cells_of(self.n_groups), self.weights(), strict=True)
        of_first = ((self.own if a == b else self.other) * weight for (a, b), weight in pairs if a == 0)
        return sum(of_first, Fraction(0))

    def kept(self, graph: Graph, groups: Integers) -> Integers:
        """How many edges of each cell are kept."""
        edges = graph.edges()
        ends = np.sort(groups[edges], axis=1)
        counts = []
        for a, b in cells_of(self.n_groups):
            cell = edges[(ends[:, 0] == a) & (ends[:, 1] == b)]
            taken = np.zeros(graph.n_nodes, dtype=np.int64)
            most = self.own if a == b else self.other
            counts.append(int(scan(cell, edge_order(graph, cell), taken, most, False).sum()))  # noqa: FBT003
        return np.array(counts, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class NodeGroupedQuery(Query):
    """A query about edges between groups whose members are private.

    `max_degree` is a public bound on how many people of any one group somebody knows; without it bounds are chosen.
    """

    assumes = (ASSUMED,)

    column: PeopleColumn
    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree)
        check_private(self.query, self.column)
        self.column.check_groups()

    @property
    def bound(self) -> DegreeBound:
        """The public bound, or a tenth of epsilon for the h-index."""
        share = self.epsilon * BOUND_SHARE if self.max_degree is None else Fraction(0)
        return DegreeBound(self.max_degree, share, math.pow(self.epsilon, 0.3))

    def rates(self, bound: int) -> list[Fraction]:
        """The rate of the noise of every cell."""
        cells = self.cell_bounds(bound)
        epsilon = self.epsilon - self.bound.epsilon
        return [epsilon * weight / cells.sensitivity() for weight in cells.weights()]

    def cell_bounds(self, bound: int) -> CellBounds:
        """The bounds of all cells that go with a bound on degrees."""
        return CellBounds.of(bound, len(self.column.groups), public=self.max_degree is not None)

    def measure(self, graph: Graph) -> Measurements:
        """The h-index where no bound is public, and the kept edges of all cells."""
        groups = self.column.groups_of(label_list(graph.labels, graph.n_nodes))
        epsilon = self.epsilon - self.bound.epsilon

        def cells(bound: int) -> Measurements:
            bounds = self.cell_bounds(bound)
            return (
                NoisyVector(
                    what="kept edges between each two groups of people",
                    exact=bounds.kept(graph, groups),
                    sensitivity=bounds.sensitivity(),
                    epsilon=epsilon,
                    weights=np.array(bounds.weights(), dtype=object),
                ),
            )

        return self.bound.measure(graph, cells, epsilon)

    def stages(self, bound: int) -> tuple[Stage, ...]:
        """How the bounds came about and what was kept."""
        cells = self.cell_bounds(bound)
        kept = f"kept, in a public order, at most {cells.own} edges of a person within the own group"
        return self.bound.stage(bound), Stage(f"{kept} and {cells.other} towards each other group")


@dataclass(frozen=True, slots=True)
class NodeMixing(NodeGroupedQuery):
    """The kept edges between each two groups, cell by cell, each with a lower end."""

    query = "mixing"
    unit = "node"

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The noisy cells, raised to 0 where they are below."""
        bound, derived, (noisy,) = self.bound.conclude(outcomes)
        value = tuple(np.maximum(0, noisy).tolist())
        accuracy = self._accuracy(value, bound, (0, math.inf))
        return Answer(value, accuracy, self.stages(bound), {**mixing_facts(self.column, np.array(value)), **derived})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound; what truncation removes is not in the forecast."""
        bound = self.bound.guess(facts)
        return self._accuracy((0,) * len(self.rates(bound)), bound, (-math.inf, math.inf))

    def _accuracy(self, value: tuple[int, ...], bound: int, support: tuple[float, float]) -> Accuracy:
        """Lower ends that hold at once: truncation removes an unknown part, so nothing bounds the truth above."""
        rates = self.rates(bound)
        bands = []
        for level in LEVELS:
            failure = (1 - level) / len(rates)
            below = tuple(float(discrete_laplace_quantile(rate, 1 - 2 * failure)) for rate in rates)
            bands.append(Band(level, below, (math.inf,) * len(rates)))
        return Accuracy(
            value,
            tuple(discrete_laplace_std(rate) for rate in rates),
            tuple(bands),
            bias="downward by what truncation removes; none if nobody knows more people of one group than are kept",
            support=support,
            scope="one-sided: every count is at least its lower end",
        )


@dataclass(frozen=True, slots=True)
class NodeHomophily(NodeGroupedQuery):
    """Newman's coefficient of the kept edges between people who have one of the values."""

    query = "homophily"
    unit = "node"

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The coefficient of the noisy table."""
        bound, derived, (noisy,) = self.bound.conclude(outcomes)
        known = known_cells(self.column)
        rates = np.array([float(rate) for rate in self.rates(bound)])[known]
        cells = np.asarray(noisy, dtype=np.float64)[known]
        accuracy = homophily_accuracy(cells, rates, len(self.column.values), scope="of the kept edges")
        assert isinstance(accuracy.value, float)
        return Answer(accuracy.value, accuracy, self.stages(bound), {"groups": self.column.values, **derived})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The error at a guessed bound where half of all edges lie within groups of equal size."""
        rates = np.array([float(rate) for rate in self.rates(self.bound.guess(facts))])[known_cells(self.column)]
        cells = guessed_cells(self.column, facts)
        return homophily_accuracy(cells, rates, len(self.column.values), around=0.0, scope="of the kept edges")


def check_private(query: str, column: PeopleColumn) -> None:
    """Refuse what is no column of people, or one that is declared public, under node privacy."""
    given: object = column
    if not isinstance(given, PeopleColumn):
        raise ParameterError(f"column must be a column of a table of people, not {type(given).__name__}")
    if column.public:
        raise ParameterError(
            f"{query} under node privacy hides everybody's {column.attribute} with the person: a column that is "
            "declared public would be named in the answer; read it with public=False"
        )
