"""The simplest kind of page: a whole number that one unit changes by at most a known amount.

With global sensitivity s, adding discrete Laplace noise of rate epsilon / s has a probability ratio of at most
e^epsilon at every integer. Cutting the result to a range that is public is post-processing.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from graphveil.central.query import Answer, LaplacePage, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, discrete_laplace_accuracy
from graphveil.mechanisms.measurement import draw_all
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger


@dataclass(frozen=True, slots=True)
class IntegerStatistic(LaplacePage):
    """An integer statistic of known global sensitivity, released with discrete Laplace noise."""

    counted: ClassVar[str]  # what was computed, and why one unit changes it by at most the sensitivity
    sensitivity = 1

    @abstractmethod
    def exact(self, graph: Graph) -> int:
        """The statistic itself."""

    @abstractmethod
    def support(self, graph: Graph) -> tuple[float, float]:
        """The range every answer lies in, from public facts alone."""

    def measurements(self, graph: Graph) -> tuple[NoisyInteger]:
        """The statistic with noise."""
        return (NoisyInteger(self.exact(graph), self.rate),)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Compute, add noise, cut to the public range."""
        low, high = self.support(graph)
        (noisy,) = draw_all(self.measurements(graph), noise)
        value = int(min(max(low, noisy), high))
        stages = (
            Stage(self.counted),
            Stage(f"added whole-number Laplace noise of scale {float(1 / self.rate):g}", self.epsilon),
            Stage("cut the result to the range that is publicly possible"),
        )
        return Answer(value, discrete_laplace_accuracy(value, self.rate, support=(low, high)), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise does not depend on the graph."""
        return discrete_laplace_accuracy(0, self.rate)
