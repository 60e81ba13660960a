"""Whether people keep to their own group, as one number from -1 to 1, under edge privacy.

Paper      Newman 2003 (assortativity by category); the interval is ours
Unit       edge; the set of people and everybody's group are public
Trust      central
Guarantee  pure epsilon: the edges between each two groups, of which the coefficient is computed
Estimator  the coefficient of the noisy table, cut to -1..1; edges of people without a value are left out
Cost       O(n + m)

Sensitivity: that of the table, 1: one edge is counted in one cell. Interval: `statistics.mixing.homophily_ends`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats
from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.mixing import GroupedQuery, known_cells
from graphveil.central.query import Answer, PublicFacts, Stage
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.mixing import cells_of, homophily, homophily_ends

GUESSED_WITHIN = 0.5  # the share of edges within groups that a forecast assumes


@dataclass(frozen=True, slots=True)
class Homophily(GroupedQuery):
    """Newman's coefficient: 1 if all edges lie within groups, 0 if they fall as at random.

    >>> table = {"person": [0, 1, 2, 3], "team": ["red", "red", "blue", "blue"]}
    >>> column = PeopleColumn.from_columns(table, attribute="team", public=True)
    >>> teams = Graph.from_edges([(0, 1), (2, 3)])
    >>> run(Homophily(epsilon=Fraction(50), column=column), teams, SeededNoise(1)).value
    1.0
    """

    query = "homophily"
    unit = "edge"

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - the table says it all
        """The coefficient of the noisy table."""
        cells = np.asarray(outcomes[0], dtype=np.float64)[known_cells(self.column)]
        rates = np.full(len(cells), float(self.epsilon))
        return homophily_answer(self.column, cells, rates)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The error where half of all edges lie within groups of equal size."""
        cells = guessed_cells(self.column, facts)
        return homophily_accuracy(cells, np.full(len(cells), float(self.epsilon)), len(self.column.values), around=0.0)


def homophily_answer(column: PeopleColumn, cells: Floats, rates: Floats) -> Answer:
    """The coefficient of noisy cells between people who have a value, with its interval."""
    accuracy = homophily_accuracy(cells, rates, len(column.values))
    stages = (
        Stage(
            "computed the coefficient of the noisy table, without people who have no value: 1 if all edges lie within "
            "groups, 0 if they fall as at random, below 0 if they avoid their own group"
        ),
    )
    value = accuracy.value
    assert isinstance(value, float)
    return Answer(value, accuracy, stages, {"groups": column.values})


def homophily_accuracy(
    cells: Floats, rates: Floats, n_groups: int, *, around: float | None = None, scope: str = ""
) -> Accuracy:
    """The coefficient and its bands at every level; a forecast moves them `around` another value."""
    value = homophily(np.maximum(0, cells), n_groups)
    bands = []
    for level in LEVELS:
        low, high = homophily_ends(cells, rates, n_groups, 1 - level)
        bands.append(Band(level, max(0.0, value - low), max(0.0, high - value)))
    shown = value if around is None else around
    return Accuracy(shown, None, tuple(bands), support=(-1.0, 1.0), scope=scope)


def guessed_cells(column: PeopleColumn, facts: PublicFacts) -> Floats:
    """A table to forecast with: groups of equal size, half of the edges within them."""
    pairs = cells_of(len(column.values))
    own = np.array([a == b for a, b in pairs])
    within = facts.guess_edges() * (GUESSED_WITHIN if not own.all() else 1.0)
    across = facts.guess_edges() - within
    cells: Floats = np.where(own, within / max(1, own.sum()), across / max(1, (~own).sum()))
    return cells
