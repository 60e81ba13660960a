"""The mean of a number that people have, within a public range, under node privacy.

Paper      ours; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       node; a person's number is hidden with the person
Trust      central
Guarantee  pure epsilon: two sums, of which the mean is computed
Estimator  the ratio of two unbiased sums; its bias is of the order of (noise / people)^2
Cost       O(n)

Everybody's number is cut to the range and put on a grid of GRID steps from its lower to its upper end. Two sums are
measured: of the steps x from the lower end, and of the steps GRID - x from the upper end. One person more raises the
two by x and GRID - x, which is GRID together: both get noise for that sensitivity, and no epsilon is split between
a sum and a number of people. The mean is where the first sum's share of both lies in the range.

Interval: both sums are within their noise but for the failure, half of it each; the share rises with the first and
falls with the second.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.histogram import PUBLIC_THERE
from graphveil.central.attributes.node_mixing import check_private
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.privacy.loss import exact

GRID = 2**20


def number_in(cell: str) -> Fraction | None:
    """The number that stands in a cell; None where there is none."""
    try:
        return exact(cell, "cell")
    except ParameterError:
        return None


@dataclass(frozen=True, slots=True)
class AttributeMean(Query):
    """The mean of a column of numbers; people whose cell is no number are left out."""

    query = "attribute-mean"
    unit = "node"
    assumes = ("the range was decided without looking at the data",)
    why_one_unit = PUBLIC_THERE

    column: PeopleColumn
    lower: Fraction
    upper: Fraction
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_private(self.query, self.column)
        if not self.lower < self.upper:
            low, high = float(self.lower), float(self.upper)
            raise ParameterError(f"lower must be below upper; {low:g} and {high:g} were given")
        if any(cell and number_in(cell) is None for cell in self.column.cells.values()):  # told to the curator alone
            warnings.warn(
                f"{self.column.attribute}: cells that are no numbers count as empty; write decimals with a point, such "
                "as 25.5 and not 25,5",
                stacklevel=2,
            )

    def steps(self, name: object) -> int | None:
        """How many steps of the grid somebody's number lies above the lower end; None where there is no number."""
        number = number_in(self.column.cells.get(str(name), ""))
        if number is None:
            return None
        inside = min(max(number, self.lower), self.upper)
        return round(GRID * (inside - self.lower) / (self.upper - self.lower))

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """The two sums with all of epsilon."""
        found = [self.steps(name) for name in label_list(graph.labels, graph.n_nodes)]
        numbers = [steps for steps in found if steps is not None]
        sums = np.array([sum(numbers), GRID * len(numbers) - sum(numbers)], dtype=np.int64)
        what = f"sums of {self.column.attribute} from both ends of its range, in steps"
        return (NoisyVector(what=what, exact=sums, sensitivity=GRID, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """Where the first sum's share lies in the range."""
        low, high = float(outcomes[0][0]), float(outcomes[0][1])
        people = max(0, round((low + high) / GRID))
        stages = (Stage("took the ratio of the two sums, within the range"),)
        return Answer(self._at(_share(low, high)), self._accuracy(low, high), stages, {"people": people})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The error for a mean in the middle of the range."""
        half = GRID * facts.n_nodes / 2
        return self._accuracy(half, half, around=0.0)

    def _at(self, share: float) -> float:
        return float(self.lower) + share * float(self.upper - self.lower)

    def _accuracy(self, low: float, high: float, around: float | None = None) -> Accuracy:
        rate = self.epsilon / GRID
        share, width = _share(low, high), float(self.upper - self.lower)
        rounding = width / (2 * GRID)
        bands = []
        for level in LEVELS:
            off = discrete_laplace_quantile(rate, 1 - (1 - level) / 2)
            least, most = _share(low - off, high + off), _share(low + off, high - off, otherwise=1.0)
            bands.append(Band(level, (share - least) * width + rounding, (most - share) * width + rounding))
        total = max(1.0, low + high)
        std = width * math.hypot(share, 1 - share) * discrete_laplace_std(rate) / total
        support = (-math.inf, math.inf) if around is not None else (float(self.lower), float(self.upper))
        return Accuracy(self._at(share) if around is None else around, std, tuple(bands), support=support)


def _share(part: float, rest: float, otherwise: float = 0.0) -> float:
    part, rest = max(0.0, part), max(0.0, rest)
    return part / (part + rest) if part + rest else otherwise
