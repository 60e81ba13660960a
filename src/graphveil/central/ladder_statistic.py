"""A kind of query: a count whose local sensitivity is known at every distance, released on a smoothed ladder.

The loss of the draw is proved in `statistics.ladder.ladder`; the second number, on which the interval rests, has
sensitivity 1 and discrete Laplace noise (`central.ladder_count`). Their losses add up. Queries with noise of another
law replace `noisy_count`, `law_widths` and `law_std`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.arrays import Floats, Integers
from graphveil.central.ladder_count import (
    LEAST_EPSILON,
    CountError,
    NoisyBound,
    NoisyCount,
    count_accuracy,
    interval_share,
)
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurement, Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import fine_grid, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder


@dataclass(frozen=True, slots=True)
class LadderBound:
    """An integer of sensitivity 1 that bounds the ladder of a count.

    `ladder_above(bound, n)` is nowhere below the ladder of any graph of n people with this bound, and rises with it.
    """

    name: str
    what: str  # the same in words
    exact: Callable[[Graph, Ladder], int]
    ladder_above: Callable[[int, int], Ladder]
    most: Callable[[int], int]  # its largest value among so many people
    guess: Callable[[PublicFacts], int]  # for a forecast


@dataclass(frozen=True, slots=True)
class LadderCount:
    """A count, a ladder function of it, and what bounds the ladder."""

    what: str
    exact: Callable[[Graph], int]
    ladder: Callable[[Graph], Ladder]
    most: Callable[[int], int]  # the largest count that so many people can have
    bound: LadderBound


@dataclass(frozen=True, slots=True)
class LadderStatistic(Query):
    """A count under edge privacy with noise of the size that this graph needs."""

    unit = "edge"
    least_epsilon = LEAST_EPSILON

    @property
    @abstractmethod
    def count(self) -> LadderCount:
        """What is counted, and what bounds its ladder."""

    @property
    def kappa_share(self) -> Fraction:
        """The part of epsilon that pays for rungs that grow (`statistics.ladder.ladder`)."""
        return Fraction(1, 20)

    @property
    def interval_epsilon(self) -> Fraction:
        """The part of epsilon that pays for the number under the interval."""
        return interval_share(self.epsilon) * self.epsilon

    @property
    def count_epsilon(self) -> Fraction:
        """The part of epsilon that pays for the count itself."""
        return self.epsilon - self.interval_epsilon

    def measure(self, graph: Graph) -> Measurements:
        """The count on the ladder of this graph, and the number that bounds the ladder."""
        ladder, bound = self.count.ladder(graph), self.count.bound
        return self.noisy_count(self.count.exact(graph), ladder), NoisyInteger(
            what=bound.what, exact=bound.exact(graph, ladder), sensitivity=1, epsilon=self.interval_epsilon
        )

    def read(self, outcomes: Outcomes, n_nodes: int) -> NoisyCount:
        """The count within its public range, and what the noisy bound says about its error."""
        noisy, noisy_bound = (int(outcome) for outcome in outcomes)
        bound = NoisyBound(noisy_bound, self.interval_epsilon)
        return NoisyCount(min(max(0, noisy), self.count.most(n_nodes)), bound, self.error(bound, n_nodes))

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy count with an interval that follows from the noisy bound."""
        count = self.read(outcomes, facts.n_nodes)
        accuracy = count_accuracy(count.value, count.error, (0, self.count.most(facts.n_nodes)))
        stages = (Stage("cut the count to the range that is publicly possible"),)
        return Answer(count.value, accuracy, stages, {self.count.bound.name: count.bound.noisy})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy that comes with a guess of the bound."""
        bound = NoisyBound(self.count.bound.guess(facts), self.interval_epsilon)
        return count_accuracy(0, self.error(bound, facts.n_nodes), (-math.inf, math.inf))

    def noisy_count(self, exact: int, ladder: Ladder) -> Measurement:
        """The count with noise, at `count_epsilon`."""
        return LadderInteger(what=self.count.what, exact=exact, rungs=self._law(ladder))

    def error(self, bound: NoisyBound, n_nodes: int) -> CountError:
        """What the noisy bound says about the noise of the count."""
        return CountError(bound, self, n_nodes)

    def bound_grid(self, n_nodes: int) -> Integers:
        """Values of the bound, from 0 to the largest that it can have for public reasons."""
        return fine_grid(0, self.count.bound.most(n_nodes), self.interval_epsilon)

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this bound."""
        return ladder_half_widths(self._law_above(bound, n_nodes), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the noise, at most, in any graph with this bound."""
        return ladder_std(self._law_above(bound, n_nodes))

    def _law_above(self, bound: int, n_nodes: int) -> SmoothedLadder:
        return self._law(self.count.bound.ladder_above(bound, n_nodes))

    def _law(self, ladder: Ladder) -> SmoothedLadder:
        return SmoothedLadder(ladder, self.count_epsilon, self.kappa_share)
