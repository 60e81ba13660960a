"""A central query: an algorithm that answers a question about a private graph with a value and its accuracy.

`IntegerStatistic` is the simplest kind: a whole number that one edge or one person changes by at most a known amount.
With global sensitivity s, adding discrete Laplace noise of rate epsilon / s has a probability ratio of at most
e^epsilon at every integer. Cutting the result to a range that is public is post-processing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, Value, discrete_laplace_accuracy
from graphveil.mechanisms.algorithm import PublicFacts, stated_guarantee
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes, Stage
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Loss, Pure, exact_epsilon

__all__ = ["Answer", "PublicFacts", "Query", "Stage"]

NAMES_PEOPLE = (
    "its answer names people, and whether somebody is in the data is what node privacy hides: a name could be right "
    "only with a probability near e^epsilon / n"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query concludes: the noisy value, its accuracy, and how it came about.

    `stages` are the free steps of `conclude`; a release puts what was measured, and what that cost, before them.
    `derived` holds other noisy values that were paid for on the way (a degree bound, a noisy size); they are as public
    as the value.
    """

    value: Value
    accuracy: Accuracy
    stages: tuple[Stage, ...] = ()
    derived: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query(ABC):
    """An algorithm that answers one query; a session turns its epsilon into a loss for k edges.

    Under node privacy the noise must hide what one person can change in any graph of n people. Where that is
    everything, the query is offered under edge privacy only. `why_one_unit` then holds a public reason, with the size
    of the noise, and what to ask for instead.
    """

    query: ClassVar[str]
    unit: ClassVar[str]  # "edge" or "node"
    assumes: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[str] = "edges"  # or "directions" or "weights", which the graph must have
    least_epsilon: ClassVar[Fraction] = Fraction(0)  # below it no noise can be drawn
    why_one_unit: ClassVar[tuple[str, str] | None] = None

    epsilon: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.epsilon < self.least_epsilon:
            least, given = float(self.least_epsilon), float(self.epsilon)
            raise ParameterError(
                f"{self.query} needs an epsilon of {least:g} or more for one {self.unit}, not {given:g}"
            )

    def check_people(self, n_people: int) -> None:  # noqa: B027 - most queries answer for any number
        """Refuse, before anything is spent, a public number of people (edge privacy) that parameters do not suit."""

    def check_names(self, names: Sequence[Any]) -> None:  # noqa: B027 - most queries name nobody
        """Refuse, before anything is spent, public names of people (edge privacy) that parameters do not suit."""

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one unit; the measurements must compose to it."""
        return stated_guarantee(self)

    @property
    def loss(self) -> Loss:
        """What a ledger is charged for one unit: the guarantee, or the zCDP loss behind it where there is a delta."""
        return Pure(self.guarantee.epsilon)

    @abstractmethod
    def measure(self, graph: Graph) -> Measurements:
        """List what is taken from the private graph; draws nothing."""

    @abstractmethod
    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The answer, from the noisy outcomes and public facts alone."""

    @abstractmethod
    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The accuracy to expect (around the value 0), before anything is spent."""


@dataclass(frozen=True, slots=True)
class IntegerStatistic(Query):
    """An integer statistic of known global sensitivity, released with discrete Laplace noise."""

    what: ClassVar[str]  # the statistic in words
    sensitivity: ClassVar[int] = 1

    @abstractmethod
    def exact(self, graph: Graph) -> int:
        """The exact value of the statistic; it leaves only with noise."""

    @abstractmethod
    def support(self, facts: PublicFacts) -> tuple[float, float]:
        """The range every answer lies in, from public facts alone."""

    @property
    def rate(self) -> Fraction:
        """Rate of the noise: epsilon over the sensitivity."""
        return self.epsilon / self.sensitivity

    def measure(self, graph: Graph) -> tuple[NoisyInteger]:
        """The statistic with all of epsilon."""
        exact = self.exact(graph)
        return (NoisyInteger(what=self.what, exact=exact, sensitivity=self.sensitivity, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy number, cut to the public range."""
        low, high = self.support(facts)
        value = int(min(max(low, outcomes[0]), high))
        stages = (Stage("cut the result to the range that is publicly possible"),)
        return Answer(value, discrete_laplace_accuracy(value, self.rate, support=(low, high)), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise does not depend on the graph."""
        return discrete_laplace_accuracy(0, self.rate)
