"""Number of 4-cliques, of 5-cliques and of 4-cycles under edge privacy.

Paper      smoothed integer ladder, ours; recursive ladders of cliques and cycles, ours
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon: the count, and a level for the interval
Estimator  unbiased before it is cut to what n people allow; mean error about J_0 / epsilon, J_0 the most patterns that
           one edge makes, or a little more
Cost       one exact count and a pruned pass over pairs of people: seconds on graphs of tens of thousands

Sensitivity: ladder functions (`statistics.ladder.ladder` says what (a) and (b) ask for). T_t is local sensitivity of
triangles at distance t (`statistics.ladder.functions`).

Cliques. L(x, y) is the number of (k - 2)-cliques among the common neighbours of x and y, over all pairs, and
I_0 = max L. (a) Joining x and y makes L(x, y) cliques, and parting them undoes as many. (b) One edge changes L(x, y) in
one of two ways. Either it makes w a common neighbour: new cliques hold w, and leaving w out gives different cliques of
one person less among the old ones. Or it joins p and q among them: new cliques hold both, and leaving q out gives
different cliques of one person less. Either way L grows by at most the same number for k - 1, so
I_{t+1} = min(I_t + I_t of (k - 1), C(n - 2, k - 2)) is a ladder, from triangles up, by induction over t.

4-cycles. I_0 is the largest number of paths x-a-b-y over all pairs: an edge closes as many. One more edge at x makes at
most as many as its other end and y have common neighbours, likewise at y; an edge elsewhere is used in its two
directions; so I_{t+1} = min(I_t + max(2, T_t), (n - 2)(n - 3)).

Interval: I_0 has no small sensitivity, but the level of its smoothed ladder has sensitivity 1 (`level_of`). Fine levels
have little noise, but a ladder that is smoothed so finely starts far above I_0 where growth is steep: LEVEL_KAPPA is
the best of a grid for six public graphs and ten from families, whichever of them is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.ladder_count import LEAST_EPSILON, CountError, NoisyBound, count_accuracy, interval_share
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.small_patterns import (
    exact_cliques,
    exact_four_cycles,
    most_cliques,
    most_cliques_of_a_pair,
    most_three_paths_of_a_pair,
)
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import even_grid, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.functions import triangle_ladder
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder, ladder_from_level, level_of

MOST_PEOPLE = 2_000_000  # all numbers of a ladder fit into 64 bits
KAPPA_SHARE = Fraction(1, 10)  # the ladders start low beside their growth
LEVEL_SHARE = Fraction(1, 10)  # of epsilon, at least
LEVEL_KAPPA = Fraction(1, 30)  # of epsilon: levels are finer than the ladder of the draw


def triangle_steps(graph: Graph) -> Integers:
    """T_t for as many steps as the ladders of all patterns here need to reach their caps."""
    return triangle_ladder(neighbour_front(graph), graph.n_nodes).first(4 * graph.n_nodes + 4)


def rising_steps(first: int, growth: Integers, most: int) -> Integers:
    """I_0, then each step more by the growth of that step, at most the cap; steps beyond it are not added up."""
    steps = np.empty(len(growth), dtype=np.int64)
    value = min(first, most)
    for place, more in enumerate(growth.tolist()):
        steps[place] = value
        value = min(value + more, most)
        if value == most:
            steps[place + 1 :] = most
            break
    return steps


def clique_ladder(graph: Graph, size: int) -> Ladder:
    """The ladder of cliques of four or five people."""
    steps = triangle_steps(graph)
    for k in range(4, size + 1):
        steps = rising_steps(most_cliques_of_a_pair(graph, k), steps, most_cliques(graph.n_nodes, k))
    return Ladder(steps)


def four_cycle_ladder(graph: Graph) -> Ladder:
    """The ladder of 4-cycles: paths of three edges, then steps that grow by triangles."""
    n = graph.n_nodes
    growth = np.maximum(2, triangle_steps(graph))
    return Ladder(rising_steps(most_three_paths_of_a_pair(graph), growth, most_paths(n)))


def most_paths(n_nodes: int) -> int:
    """The paths of three edges between two people of a complete graph."""
    return max(0, n_nodes - 2) * max(0, n_nodes - 3)


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, its ladder, the most that so many people can have and one edge can change, and a guess of the latter."""

    what: str
    exact: Callable[[Graph], int]
    ladder: Callable[[Graph], Ladder]
    most: Callable[[int], int]
    most_changed: Callable[[int], int]
    guess: Callable[[PublicFacts], float]


@dataclass(frozen=True, slots=True)
class LevelledCount(Query):
    """A count on a smoothed ladder with an interval from the level of that ladder."""

    unit = "edge"
    least_epsilon = 10 * LEAST_EPSILON
    counted: ClassVar[Counted]

    def check_people(self, n_people: int) -> None:
        """Refuse more people than ladders in 64 bits allow."""
        if n_people > MOST_PEOPLE:
            raise ParameterError(
                f"{self.query} are counted among at most {MOST_PEOPLE:,} people, not {n_people:,}; "
                "ask for triangles or 2-stars instead"
            )

    @property
    def level_epsilon(self) -> Fraction:
        """The part of epsilon that pays for the level."""
        return max(LEVEL_SHARE, interval_share(self.epsilon)) * self.epsilon

    @property
    def _level_q(self) -> int:
        return math.ceil(1 / (LEVEL_KAPPA * self.epsilon))

    def measure(self, graph: Graph) -> Measurements:
        """The count on its ladder, and the level of the ladder."""
        self.check_people(graph.n_nodes)
        counted = self.counted
        ladder = counted.ladder(graph)
        width = int(SmoothedLadder(ladder, self.epsilon, LEVEL_KAPPA).widths(1)[0])
        return LadderInteger(what=counted.what, exact=counted.exact(graph), rungs=self._law(ladder)), NoisyInteger(
            what="level of its ladder", exact=level_of(width, self._level_q), sensitivity=1, epsilon=self.level_epsilon
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy count within its public range, with an interval that follows from the noisy level."""
        noisy, level = (int(outcome) for outcome in outcomes)
        most = self.counted.most(facts.n_nodes)
        value = min(max(0, noisy), most)
        stages = (Stage("cut the count to the range that is publicly possible"),)
        return Answer(value, self._accuracy(value, level, facts.n_nodes, (0, most)), stages, {"level": level})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy that comes with a guess of what one edge can change."""
        level = level_of(max(1, round(self.counted.guess(facts))), self._level_q)
        return self._accuracy(0, level, facts.n_nodes, (-math.inf, math.inf))

    def _accuracy(self, value: int, level: int, n_nodes: int, support: tuple[float, float]) -> Accuracy:
        return count_accuracy(value, CountError(NoisyBound(level, self.level_epsilon), self, n_nodes), support)

    def bound_grid(self, n_nodes: int) -> Integers:
        """From level 0 to that of a complete graph; from level to level half-widths grow by a factor."""
        return even_grid(0, level_of(self.counted.most_changed(n_nodes), self._level_q))

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this level."""
        return ladder_half_widths(self._law_above(bound, n_nodes), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the noise, at most, in any graph with this level."""
        return ladder_std(self._law_above(bound, n_nodes))

    def _law_above(self, level: int, n_nodes: int) -> SmoothedLadder:
        felt = math.ceil(80 / float(self.epsilon - self.level_epsilon))  # steps: no draw gets beyond them
        return self._law(ladder_from_level(level, self._level_q, felt, self.counted.most_changed(n_nodes)))

    def _law(self, ladder: Ladder) -> SmoothedLadder:
        return SmoothedLadder(ladder, self.epsilon - self.level_epsilon, KAPPA_SHARE)


@dataclass(frozen=True, slots=True)
class FourCliques(LevelledCount):
    """The number of groups of four people who all know each other.

    >>> from itertools import combinations
    >>> six = Graph.from_edges(list(combinations(range(6), 2)))
    >>> run(FourCliques(epsilon=Fraction(100)), six, SeededNoise(1)).value
    15
    """

    query = "4-cliques"
    why_one_unit = ("one person can be in a clique with any three: noise of n^3 / epsilon", "triangles")
    counted = Counted(
        "number of 4-cliques",
        lambda graph: exact_cliques(graph, 4),
        lambda graph: clique_ladder(graph, 4),
        lambda n_nodes: math.comb(n_nodes, 4),
        lambda n_nodes: most_cliques(n_nodes, 4),
        lambda facts: 0.2 * facts.guess_common_neighbors() ** 2,
    )


@dataclass(frozen=True, slots=True)
class FiveCliques(LevelledCount):
    """The number of groups of five people who all know each other; as for four."""

    query = "5-cliques"
    why_one_unit = ("one person can be in a clique with any four: noise of n^4 / epsilon", "triangles")
    counted = Counted(
        "number of 5-cliques",
        lambda graph: exact_cliques(graph, 5),
        lambda graph: clique_ladder(graph, 5),
        lambda n_nodes: math.comb(n_nodes, 5),
        lambda n_nodes: most_cliques(n_nodes, 5),
        lambda facts: 0.01 * facts.guess_common_neighbors() ** 3,
    )


@dataclass(frozen=True, slots=True)
class FourCycles(LevelledCount):
    """The number of cycles of four people, whatever else joins them.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> run(FourCycles(epsilon=Fraction(100)), square, SeededNoise(1)).value
    1
    """

    query = "4-cycles"
    why_one_unit = ("one person can close a cycle with any three: noise of n^3 / epsilon", "triangles or 2-stars")
    counted = Counted(
        "number of 4-cycles",
        exact_four_cycles,
        four_cycle_ladder,
        lambda n_nodes: 3 * math.comb(n_nodes, 4),
        most_paths,
        lambda facts: 0.2 * facts.guess_max_degree() * facts.guess_common_neighbors(),
    )
