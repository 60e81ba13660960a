"""A count of patterns under node privacy, with a bound on the patterns of one person that is chosen and paid for.

    1. h     the noisy h-index, for a fifth of epsilon
    2. tau   the most patterns of a person with D friends, where D is a public function of h
    3. A_tau the number of patterns that are left when nobody is part of more than tau of them, with Laplace noise

Loss: the h-index changes by at most 1 (`central.node.h_index`), ceil(A_tau) by at most ceil((1 + ETA) tau)
(`optimum`). The two losses add up to epsilon. Nothing else is taken from the graph.

Why it is accurate: at most h people have more than h friends, and nobody else has more patterns than C(h, 2) triangles
or h edges. So a bound near that cuts few people, who are the rows of the program, and it is a small part of the count.
A graph truncated at D has no more patterns than A_tau, so this loses less than truncation by the same D.

The larger the graph and epsilon, the more people it pays not to cut. With n people of whom n D^-2 have more than D
friends, about n / D edges are cut at D, and noise is D / epsilon: best is D^2 ~ epsilon n. As h^3 ~ n in such a graph,
D ~ h (epsilon h)^(1/2), until D passes the largest degree. How much D should grow differs from pattern to pattern, so
power and multiple come from a grid: expected errors on seven public graphs and 14 families of 200 and 1,000 people, at
epsilon 0.25 to 4, each over the best of the grid on the same graph (`benchmarks.central.multiples` shows them, and what
is chosen with each graph left out). For edges the best of the grid, 0.35, cuts too many people of networks with
heavy tails at small epsilons; 0.45 is 4 % further off on average.

With a public bound on degrees, tau follows from it, and all of epsilon goes into the third step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.node.degree_bound import DegreeBound
from graphveil.central.node.patterns.optimum import ETA, find_optimum
from graphveil.central.node.patterns.programs import Pattern
from graphveil.central.query import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes

H_INDEX_SHARE = Fraction(1, 5)  # of epsilon
MOST_DEGREE = 1_000_000  # of a bound


@dataclass(frozen=True, slots=True)
class Choice:
    """How a bound on degrees follows from the h-index h: `multiple` h (epsilon h)^`power`, and `least` or more.

    It stays below `steepest` times h.
    """

    multiple: float
    power: float
    least: int

    def bound(self, epsilon: Fraction, max_degree: int | None) -> DegreeBound:
        """The public bound, or the one that is chosen: never below the noise of the h-index, so not by its bad luck."""
        if max_degree is not None:
            return DegreeBound(max_degree, Fraction(0), 1.0)
        share = epsilon * H_INDEX_SHARE
        least = max(self.least, math.ceil(1 / share))
        multiple = self.multiple * math.pow(epsilon, self.power)
        return DegreeBound(None, share, multiple, MOST_DEGREE, least, 1 + self.power, steepest(epsilon))


def steepest(epsilon: float | Fraction) -> float:
    """The most h-indices that a bound on degrees is worth: few people of large networks have more friends than that."""
    return 5 * math.pow(epsilon, 0.3)


@dataclass(frozen=True, slots=True)
class PatternCount:
    """A count of patterns; `load` gives how many patterns a person with so many neighbours can be part of."""

    pattern: Pattern
    load: Callable[[int], int]
    epsilon: Fraction  # of the count alone
    bound: DegreeBound

    def measure(self, graph: Graph) -> Measurements:
        """The h-index where no bound is public, and the patterns within the bound."""

        def noisy_count(bound: int) -> Measurements:
            tau, loads = self._tau(bound), self.pattern.loads(graph)
            value = math.ceil(find_optimum(self.pattern.program(graph, loads, tau)))
            what = f"number of {self.pattern.name} when nobody is part of more than {tau}"
            return (NoisyInteger(what=what, exact=value, sensitivity=_sensitivity(tau), epsilon=self.epsilon),)

        return self.bound.measure(graph, noisy_count, self.epsilon)

    def conclude(self, outcomes: Outcomes) -> Answer:
        """The noisy number, raised to 0 if it is negative."""
        bound, derived, (noisy,) = self.bound.conclude(outcomes)
        tau, value = self._tau(bound), max(0, int(noisy))
        kept = Stage(f"kept as many {self.pattern.name} as possible while nobody was part of more than {tau}")
        accuracy = self._accuracy(value, tau, (0, math.inf))
        return Answer(value, accuracy, (self.bound.stage(bound), kept), {**derived, "patterns_of_one_person": tau})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise at a guessed bound; what the bound takes away is not in the forecast."""
        return self._accuracy(0, self._tau(self.bound.guess(facts)), (-math.inf, math.inf))

    def _tau(self, bound: int) -> int:
        return max(1, self.load(bound))

    def _accuracy(self, value: int, tau: int, support: tuple[float, float]) -> Accuracy:
        """A lower end only: ceil(A_tau) is at most the count, and by how much less nobody knows."""
        rate = self.epsilon / _sensitivity(tau)
        return Accuracy(
            value,
            discrete_laplace_std(rate),
            tuple(Band(level, float(discrete_laplace_quantile(rate, 2 * level - 1)), math.inf) for level in LEVELS),
            bias=f"downward by what the bound of {tau} {self.pattern.name} for one person takes away",
            support=support,
            scope=f"one-sided: the count is at least this; an upper end needs the promise that nobody is part of more "
            f"than {tau} {self.pattern.name}",
        )


def _sensitivity(tau: int) -> int:
    """What one person changes ceil(A_tau) by, at most."""
    return math.ceil((1 + ETA) * tau)
