"""A kind of page: a count whose local sensitivity is known at every distance, released on a smoothed ladder.

The loss of the draw is proved in `statistics.ladder.ladder`; the second number, on which the interval rests, has
sensitivity 1 and discrete Laplace noise (`central.ladder_count`). Their losses add up. Pages with another law replace
`noisy_count`, `law`, `law_widths` and `law_std`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.ladder_count import (
    LEAST_EPSILON,
    CountError,
    NoisyBound,
    NoisyCount,
    count_accuracy,
    interval_share,
)
from graphveil.central.old_page import Answer, Page, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger, OnLadder
from graphveil.mechanisms.old_measurement import Measurement, Measurements, draw_all
from graphveil.statistics.ladder.accuracy import Floats, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder


@dataclass(frozen=True, slots=True)
class LadderStatistic(Page):
    """A count under edge privacy with noise of the size that this graph needs."""

    unit = "edge"
    least_epsilon = LEAST_EPSILON
    counted: ClassVar[str]  # plural noun
    bound: ClassVar[str]  # name of the number of sensitivity 1 that bounds the ladder

    @abstractmethod
    def exact(self, graph: Graph) -> int:
        """The count itself."""

    @abstractmethod
    def ladder(self, graph: Graph) -> Ladder:
        """A ladder function of the count."""

    @abstractmethod
    def exact_bound(self, graph: Graph, ladder: Ladder) -> int:
        """The integer of sensitivity 1 that bounds the ladder."""

    @abstractmethod
    def ladder_above(self, bound: int, n_nodes: int) -> Ladder:
        """A ladder that is nowhere below that of any graph with this bound; it rises with the bound."""

    @abstractmethod
    def largest_bound(self, n_nodes: int) -> int:
        """The largest value of the bound among so many people."""

    @abstractmethod
    def most(self, n_nodes: int) -> int:
        """The largest count that so many people can have."""

    @abstractmethod
    def guess_bound(self, facts: PublicFacts) -> int:
        """What a forecast takes for the bound."""

    @property
    def interval_epsilon(self) -> Fraction:
        """What the interval gets."""
        return interval_share(self.epsilon) * self.epsilon

    @property
    def count_epsilon(self) -> Fraction:
        """What the count itself gets."""
        return self.epsilon - self.interval_epsilon

    def measurements(self, graph: Graph) -> Measurements:
        """Find how much one edge matters here: the count on that ladder, and how wide the ladder is."""
        ladder = self.ladder(graph)
        bound = NoisyInteger(self.exact_bound(graph, ladder), self.interval_epsilon)
        return self.noisy_count(self.exact(graph), ladder), bound

    def conclude(self, outcomes: Sequence[int], n_nodes: int) -> NoisyCount:
        """What the two outcomes say."""
        noisy, noisy_bound = outcomes
        bound = NoisyBound(noisy_bound, self.interval_epsilon)
        return NoisyCount(min(max(0, noisy), self.most(n_nodes)), bound, self.error(bound, n_nodes))

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Measure, and say how it was done."""
        count = self.conclude(draw_all(self.measurements(graph), noise), graph.n_nodes)
        accuracy = count_accuracy(count.value, count.error, (0, self.most(graph.n_nodes)))
        return Answer(count.value, accuracy, self.stages, {self.bound: count.bound.noisy})

    @property
    def stages(self) -> tuple[Stage, ...]:
        """What a run does, in plain words."""
        return (
            Stage(f"counted the {self.counted}, and how many of them one edge can make or break t edges from here"),
            Stage(self.law, self.count_epsilon),
            Stage(f"added whole-number Laplace noise to {self.bound}, for the interval", self.interval_epsilon),
            Stage("cut the count to the range that is publicly possible"),
        )

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy that comes with a guess of the bound."""
        bound = NoisyBound(self.guess_bound(facts), self.interval_epsilon)
        return count_accuracy(0, self.error(bound, facts.n_nodes), (-math.inf, math.inf))

    def noisy_count(self, exact: int, ladder: Ladder) -> Measurement:
        """The count with noise, at `count_epsilon`."""
        return OnLadder(exact, SmoothedLadder(ladder, self.count_epsilon))

    @property
    def law(self) -> str:
        """The same in words."""
        return "drew the answer from rungs around the count that are as wide as what one edge can change"

    def error(self, bound: NoisyBound, n_nodes: int) -> CountError:
        """What the noisy bound says about the noise of the count."""
        return CountError(bound, self, n_nodes)

    def bound_range(self, n_nodes: int) -> tuple[int, int]:
        """Between which values the bound lies, for public reasons."""
        return 0, self.largest_bound(n_nodes)

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this bound."""
        return ladder_half_widths(SmoothedLadder(self.ladder_above(bound, n_nodes), self.count_epsilon), failures)

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the noise, at most, in any graph with this bound."""
        return ladder_std(SmoothedLadder(self.ladder_above(bound, n_nodes), self.count_epsilon))
