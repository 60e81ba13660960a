"""Joint degrees under edge privacy: how many edges join people of degree about 2^k and about 2^l.

Paper      soft binning, ours; the table itself: Mahadevan, Krioukov, Fall, Vahdat 2006 (dK-2)
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before cells below twice their noise scale are set to 0
Cost       O(m)
Differs    published dK-2 mechanisms add noise to the pairs of degrees that occur, scaled by the true largest degree,
           which is not private; soft bins around powers of two need noise of scale 9 / epsilon whatever the
           degrees are

Sensitivity: below 9 in L1 (`statistics.joint_degrees.soft`).

The value lists the cells (k, l), k <= l, row by row: (0, 0), (0, 1), ..., (1, 1), .... `derived` holds the knots 1,
2, 4, …. Shares are linear between knots, so the sum over cells of 2^k 2^l count estimates the sum over edges of the
product of degrees, from which assortativity follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.laplace import LIMIT, NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.privacy.rounding import tidy_up
from graphveil.statistics.degrees.monotone_tiles import distances
from graphveil.statistics.joint_degrees.soft import (
    SENSITIVITY,
    SoftJointDegrees,
    cell_quantiles,
    cell_std,
    last_exponent,
    read_soft_joint,
    soft_cells,
    soft_joint_measurement,
)


@dataclass(frozen=True, slots=True)
class JointDegrees(Query):
    """Edges by the degrees at their two ends, in soft bins around powers of two.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)])
    >>> answer = run(JointDegrees(epsilon=Fraction(500)), graph, SeededNoise(1))
    >>> answer.derived["knots"], [round(count) for count in answer.value]
    ((1, 2, 4), [0, 0, 4, 0, 0, 0])
    """

    query = "joint-degrees"
    unit = "edge"
    why_one_unit = (
        "one person moves all edges of their friends to other cells: noise of D^2 / epsilon with degrees cut at D",
        "degree-histogram or edges",
    )

    def check_people(self, n_people: int) -> None:
        """The finest cell has the smallest rate, which must be one that noise can be drawn at."""
        finest = SENSITIVITY << 2 * last_exponent(n_people)
        if self.epsilon * LIMIT < finest:
            least, given = float(tidy_up(Fraction(finest, LIMIT), 3)), float(self.epsilon)
            raise ParameterError(
                f"{self.query} of {n_people:,} people needs an epsilon of {least:g} or more for one edge, not {given:g}"
            )

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """All cells with all of epsilon."""
        return (soft_joint_measurement(graph, self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The cells that stand out of the noise."""
        measured = read_soft_joint(outcomes[0], facts.n_nodes, self.epsilon)
        value = self.estimate(measured)
        bands = tuple(
            Band(level, *distances(np.array(value), measured.counts - slack, measured.counts + slack))
            for level in LEVELS
            for slack in (cell_quantiles(measured, 1 - level),)
        )
        accuracy = Accuracy(value, cell_std(self.epsilon), bands, bias="small cells are set to 0", support=(0, np.inf))
        stages = (Stage("set cells below twice the scale of the noise to 0"),)
        return Answer(value, accuracy, stages, {"knots": measured.knots})

    def estimate(self, measured: SoftJointDegrees) -> tuple[float, ...]:
        """Cells that stand out of the noise."""
        kept = measured.counts >= 2 * SENSITIVITY / float(self.epsilon)
        counts: list[float] = np.where(kept, measured.counts, 0.0).tolist()
        return tuple(counts)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise does not depend on the graph."""
        if facts.n_nodes < 1:
            raise ParameterError(f"a forecast needs at least 1 person, not {facts.n_nodes}")
        cells = soft_cells(facts.n_nodes)
        nothing = SoftJointDegrees(cells, np.zeros(len(cells)), self.epsilon)
        bands = tuple(Band(level, widest, widest) for level in LEVELS
                      for widest in (float(cell_quantiles(nothing, 1 - level).max()),))  # fmt: skip
        return Accuracy(0, cell_std(self.epsilon), bands, scope="each cell")
