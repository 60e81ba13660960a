"""The simplest kind of query: a whole number that one edge or one person changes by at most a known amount.

With global sensitivity s, adding discrete Laplace noise of rate epsilon / s has a probability ratio of at most
e^epsilon at every integer. Cutting the result to a range that is public is post-processing.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, discrete_laplace_accuracy
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes


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
