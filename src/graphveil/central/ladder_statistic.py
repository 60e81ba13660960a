"""A kind of page: a count whose local sensitivity is known at every distance, released on a smoothed ladder.

The loss of the draw is proved in `mechanisms.ladder`; the second number, on which the interval rests, has sensitivity 1
and discrete Laplace noise (`central.ladder_count`). Their losses add up.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

from graphveil.central.ladder_count import LadderError, NoisyBound, interval_share
from graphveil.central.page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.ladder import Ladder, SmoothedLadder
from graphveil.mechanisms.ladder_sampler import sample_ladder
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import EDGE, Trust


@dataclass(frozen=True, slots=True)
class LadderStatistic(ABC):
    """A count under edge privacy with noise of the size that this graph needs."""

    query: ClassVar[str]
    unit: ClassVar[str] = "edge"
    counted: ClassVar[str]  # plural noun
    bound: ClassVar[str]  # name of the number of sensitivity 1 that bounds the ladder

    epsilon: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)

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
    def most(self, n_nodes: int) -> int:
        """The largest count that so many people can have."""

    @abstractmethod
    def guess_bound(self, facts: PublicFacts) -> int:
        """What a forecast takes for the bound."""

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one edge."""
        module = type(self).__module__.removeprefix("graphveil.")
        return Guarantee(EDGE, Trust.CENTRAL, self.epsilon, proof=module)

    @property
    def interval_epsilon(self) -> Fraction:
        """What the interval gets."""
        return interval_share(self.epsilon) * self.epsilon

    @property
    def count_epsilon(self) -> Fraction:
        """What the count itself gets."""
        return self.epsilon - self.interval_epsilon

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Find how much one edge matters here, draw the count on that ladder, measure how wide the ladder is."""
        ladder = self.ladder(graph)
        law = SmoothedLadder(ladder, self.count_epsilon)
        noisy = sample_ladder(noise, self.exact(graph), law)
        bound = NoisyBound.measure(noise, self.exact_bound(graph, ladder), self.interval_epsilon)
        most = self.most(graph.n_nodes)
        value = min(max(0, noisy), most)
        stages = (
            Stage(f"counted the {self.counted}, and how many of them one edge can make or break t edges from here"),
            Stage(
                "drew the answer from rungs around the count, as wide as what one edge can change; each is "
                f"e^-{float(law.rate):g} times as likely as the one before",
                self.count_epsilon,
            ),
            Stage(f"added whole-number Laplace noise to {self.bound}, for the interval", self.interval_epsilon),
            Stage("cut the count to the range that is publicly possible"),
        )
        accuracy = self._error(bound, graph.n_nodes).accuracy(value, (0, most))
        return Answer(value, accuracy, stages, {self.bound: bound.noisy})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy that comes with a guess of the bound."""
        bound = NoisyBound(self.guess_bound(facts), self.interval_epsilon)
        return self._error(bound, facts.n_nodes).accuracy(0, (-math.inf, math.inf))

    def _error(self, bound: NoisyBound, n_nodes: int) -> LadderError:
        return LadderError(bound, partial(self.ladder_above, n_nodes=n_nodes), self.count_epsilon)
