"""How many edges join each two groups of people, under edge privacy.

Paper      Newman 2003 (mixing matrix); integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; the set of people and everybody's group are public
Trust      central
Guarantee  pure epsilon
Estimator  every cell is unbiased before it is cut to what its two groups can have between them
Cost       O(n + m)

Sensitivity: 1, for all cells together. One edge joins one pair of groups, so it is counted in one cell.
The homophily of the noisy table comes with the answer at no further cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.mechanisms.accuracy import Accuracy, Value, discrete_laplace_accuracy
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.mixing import SENSITIVITY, cells_of, homophily, mixing_counts

ASSUMED = "everybody's group is public, and was made without looking at the edges"


@dataclass(frozen=True, slots=True)
class GroupedQuery(Query):
    """A query about edges and the groups of people, which are public."""

    assumes = (ASSUMED,)

    column: PeopleColumn

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        given: object = self.column
        if not isinstance(given, PeopleColumn):
            raise ParameterError(f"column must be a column of a table of people, not {type(given).__name__}")
        if not self.column.public:
            raise ParameterError(
                f"{self.query} takes everybody's {self.column.attribute} for public under edge privacy; one person's "
                "value moves all their edges: where it is private ask under node privacy"
            )
        self.column.check_groups()

    def check_names(self, names: Sequence[Any]) -> None:
        """Refuse a table of other people."""
        self.column.check_names(names)

    def measure(self, graph: Graph) -> Measurements:
        """All cells with all of epsilon."""
        counts = exact_cells(graph, self.column)
        what = "edges between each two groups of people"
        return (NoisyVector(what=what, exact=counts, sensitivity=SENSITIVITY, epsilon=self.epsilon),)


@dataclass(frozen=True, slots=True)
class Mixing(GroupedQuery):
    """The edges between each two groups, cell by cell; `derived` has the groups of each cell, and the homophily.

    >>> table = {"person": [0, 1, 2, 3], "team": ["red", "red", "blue", "blue"]}
    >>> column = PeopleColumn.from_columns(table, attribute="team", public=True)
    >>> answer = run(Mixing(epsilon=Fraction(50), column=column), Graph.from_edges([(0, 1), (1, 2)]), SeededNoise(1))
    >>> dict(zip(answer.derived["labels"], answer.value, strict=True))
    {'blue - blue': 0, 'blue - red': 1, 'red - red': 1}
    """

    query = "mixing"
    unit = "edge"

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy cells, each cut to what its groups can have between them."""
        groups = self.column.groups
        sizes = np.bincount(
            self.column.groups_of(label_list(facts.labels, facts.n_nodes)), minlength=len(groups)
        ).astype(np.int64)
        value = tuple(np.clip(outcomes[0], 0, _most(sizes)).tolist())
        most = math.comb(facts.n_nodes, 2)
        accuracy = discrete_laplace_accuracy(value, self.epsilon, entries=len(value), support=(0, most))
        stages = (Stage("cut every number to what its two groups can have between them"),)
        return Answer(value, accuracy, stages, mixing_facts(self.column, np.array(value)))

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon and the groups
        """The noise does not depend on the graph."""
        return discrete_laplace_accuracy(0, self.epsilon, entries=len(cells_of(len(self.column.groups))))


def exact_cells(graph: Graph, column: PeopleColumn) -> Integers:
    """The exact number of edges between each two groups; not private."""
    groups = column.groups_of(label_list(graph.labels, graph.n_nodes))
    return mixing_counts(graph, groups, len(column.groups))


def exact_mixing(graph: Graph, column: PeopleColumn) -> dict[str, float]:
    """The exact cells by name, and the homophily, for the curator; not private."""
    cells = exact_cells(graph, column)
    facts = mixing_facts(column, cells)
    labels, measured = facts["labels"], facts["homophily"]
    assert isinstance(labels, tuple)
    assert isinstance(measured, float)
    return {**{f"edges {label}": int(cell) for label, cell in zip(labels, cells, strict=True)}, "homophily": measured}


def mixing_facts(column: PeopleColumn, cells: Integers) -> dict[str, Value]:
    """What a table of cells is read with: the two groups of each; and what follows from it, the homophily."""
    groups = column.groups
    known = known_cells(column)
    return {
        "labels": tuple(f"{groups[a]} - {groups[b]}" for a, b in cells_of(len(groups))),
        "groups": groups,
        "homophily": homophily(cells[known], len(column.values)),
    }


def known_cells(column: PeopleColumn) -> Integers:
    """The places of the cells between people who have a value: homophily leaves out edges to anybody else."""
    kept = [place for place, pair in enumerate(cells_of(len(column.groups))) if max(pair) < len(column.values)]
    return np.array(kept, dtype=np.int64)


def _most(sizes: Integers) -> Integers:
    """The most edges that fit between each two groups."""
    pairs = [sizes[a] * (sizes[a] - 1) // 2 if a == b else sizes[a] * sizes[b] for a, b in cells_of(len(sizes))]
    return np.array(pairs, dtype=np.int64)
