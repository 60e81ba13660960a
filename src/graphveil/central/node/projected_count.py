"""The common kind of count under node privacy: of the graph with degrees cut at a bound, public or chosen and paid for.

Edges are scanned in a public order and kept while both ends have fewer than D kept edges (Day, Li, Lyu 2016). A new
person with k <= D kept edges moves the kept degrees of all others by at most k in total (`graph.project`), so a sum
over people of a function of the degree changes by at most k times the function's largest step plus its value at k.

Cutting edges only lowers such counts, so the answer is a lower bound of the count in the whole graph, up to its
noise.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.central.node.degree_bound import BoundRule, guessed_bound, public_bound
from graphveil.central.node.query import NodePage
from graphveil.central.old_page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.old_measurement import Measurements, draw_all

LEAST_BOUND = 16


@dataclass(frozen=True, slots=True)
class ProjectedCount(NodePage):
    """A count that grows with the graph, taken after cutting degrees; `max_degree` is the bound if it is public."""

    counted: ClassVar[str]
    multiple: ClassVar[float]  # the bound is this times epsilon^power times the noisy h-index
    power: ClassVar[float]

    @abstractmethod
    def exact(self, graph: Graph) -> int:
        """The count in a graph whose degrees are cut."""

    @abstractmethod
    def sensitivity(self, bound: int) -> int:
        """By how much one person changes the count at most, after cutting at this bound."""

    @property
    def bound_epsilon(self) -> Fraction:
        """What choosing the bound takes: nothing for a public one, else a tenth, a fifth where epsilon is small."""
        if self.max_degree is not None:
            return Fraction(0)
        return self.epsilon / (5 if self.epsilon < Fraction(3, 10) else 10)

    @property
    def bound_multiple(self) -> float:
        """The bound as a multiple of the h-index."""
        return self.multiple * math.pow(self.epsilon, self.power)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Choose the bound, cut degrees, count, add noise."""
        (outcome,) = draw_all(self.measurements(graph), noise)
        if self.max_degree is not None:
            bound, noisy = public_bound(self.max_degree), outcome
        else:
            bound, noisy = self.bound_rule.conclude(outcome[0]), outcome[1]
        value = max(0, noisy)
        rate = self.rate(bound.value)
        stages = (
            bound.stage,
            Stage(f"kept edges, in a public order, while both ends had fewer than {bound.value} of them"),
            Stage(f"{self.counted}: one person more or less changes it by at most {self.sensitivity(bound.value)}"),
            Stage(
                f"added whole-number Laplace noise of scale {float(1 / rate):.3g}", self.epsilon - self.bound_epsilon
            ),
        )
        derived = {"max_degree": bound.value}
        if bound.h_index is not None:
            derived["h_index"] = bound.h_index
        return Answer(value, self._accuracy(value, bound.value), stages, derived)

    @property
    def bound_rule(self) -> BoundRule:
        """How a bound is chosen where none is public."""
        return BoundRule(self.bound_epsilon, self.bound_multiple, LEAST_BOUND, self.most_bound)

    def measurements(self, graph: Graph) -> Measurements:
        """The count after cutting at the public bound, or at one chosen from the noisy h-index."""

        def noisy_count(bound: int) -> Measurements:
            return (NoisyInteger(self.exact(project_bounded_degree(graph, bound)), self.rate(bound)),)

        if self.max_degree is not None:
            return noisy_count(self.max_degree)
        return (self.bound_rule.measurement(graph, noisy_count),)

    def rate(self, bound: int) -> Fraction:
        """Rate of the count's noise: its share of epsilon over the sensitivity."""
        return (self.epsilon - self.bound_epsilon) / max(1, self.sensitivity(bound))

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound; what the bound cuts off is not in the forecast."""
        bound = self.max_degree or guessed_bound(facts, self.bound_multiple, LEAST_BOUND)
        return self._accuracy(0, bound, support=(-math.inf, math.inf))

    def _accuracy(self, value: int, bound: int, support: tuple[float, float] = (0, math.inf)) -> Accuracy:
        """A lower end only: cutting degrees loses an unknown part, so nothing bounds the truth above."""
        rate = self.rate(bound)
        bands = tuple(Band(level, float(discrete_laplace_quantile(rate, 2 * level - 1)), math.inf) for level in LEVELS)
        return Accuracy(
            value,
            discrete_laplace_std(rate),
            bands,
            bias=f"downward by what is cut off at degree {bound}; none if nobody has more",
            support=support,
            scope=f"one-sided: the count is at least this; an upper end needs the promise that nobody has more than "
            f"{bound} neighbours",
        )
