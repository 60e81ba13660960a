"""Race-to-the-Top (R2T) for edges, 2-stars and triangles under node privacy.

Paper      Dong, Fang, Yi, Tao, Machanavajjhala 2022 (R2T), linear programs as truncation
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon
Estimator  with probability 1 - failure not above the count, and below it by at most 4 log(GS) ln(log(GS) / failure)
           times the largest number of patterns of one person, over epsilon
Cost       a linear program for each of the bounds
Differs    bounds grow by `base` (2 in the paper); noise is discrete; optima are proved within tau / 256

Sensitivity: the optimum at tau changes by at most tau when a person joins (`central.node.patterns.programs`). Each of
the `rounds` bounds gets an equal share of epsilon; taking the largest of noisy values less a public penalty is
post-processing. The largest bound, `most_patterns`, is a public limit on the patterns of one person.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from graphveil.central.node.patterns.optimum import ETA, find_optimum
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, Pattern
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes

MOST_PATTERNS = 1_000_000
LEAST_BASE = 1.5


@dataclass(frozen=True, slots=True)
class Race(Query):
    """What the three queries share: the race over bounds; each has a pattern."""

    unit = "node"
    pattern: ClassVar[Pattern]

    base: float = 5.5
    failure: float = 0.1
    most_patterns: int = MOST_PATTERNS

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if not LEAST_BASE <= self.base <= MOST_PATTERNS:
            raise ParameterError(f"base must be between {LEAST_BASE} and {MOST_PATTERNS:,}, not {self.base}")
        if not 0 < self.failure < 1:
            raise ParameterError(f"failure must lie between 0 and 1, not {self.failure}")
        if self.most_patterns < 2:
            raise ParameterError(f"most_patterns must be 2 or more, not {self.most_patterns}")

    @property
    def bounds(self) -> list[int]:
        """The public bounds: powers of the base up to the public limit."""
        rounds = max(1, math.ceil(math.log(self.most_patterns) / math.log(self.base)))
        return [math.ceil(self.base**place) for place in range(1, rounds + 1)]

    def measure(self, graph: Graph) -> Measurements:
        """The optimum at every bound, each with an equal share of epsilon."""
        loads, share = self.pattern.loads(graph), self.epsilon / len(self.bounds)
        return tuple(
            NoisyInteger(
                what=f"number of {self.pattern.name} when nobody is part of more than {tau}",
                exact=math.ceil(find_optimum(self.pattern.program(graph, loads, tau))),
                sensitivity=_sensitivity(tau),
                epsilon=share,
            )
            for tau in self.bounds
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The largest of the noisy values less its penalty, and of 0."""
        less = [int(noisy) - self._penalty(tau) for noisy, tau in zip(outcomes, self.bounds, strict=True)]
        value = max(0, math.floor(max(less)))
        stages = (Stage("took the largest of the values, each less a penalty that its noise rarely passes"),)
        return Answer(value, self.accuracy(value), stages)

    def accuracy(self, value: int) -> Accuracy:
        """A lower end only: no optimum is above the count, and how far below depends on a private number."""
        bands = tuple(Band(level, max(0.0, max(self._surplus(level))), math.inf) for level in LEVELS)
        scope = "one-sided: the count is at least this"
        return Accuracy(value, None, bands, bias="downward", support=(0, math.inf), scope=scope)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The distance if somebody is part of as many patterns as the public limit allows."""
        last = self._penalty(self.bounds[-1])
        bands = tuple(Band(level, last, 2 * last + max(self._surplus(level))) for level in LEVELS)
        return Accuracy(0, None, bands, bias="downward", scope="at worst: if one person is part of `most_patterns`")

    def _surplus(self, level: float) -> list[float]:
        """How far the noise at each bound may pass its penalty, for all bounds at once; most are below 0."""
        rounds = len(self.bounds)
        return [
            discrete_laplace_quantile(self.epsilon / rounds / _sensitivity(tau), 1 - (1 - level) / rounds)
            - self._penalty(tau)
            for tau in self.bounds
        ]

    def _penalty(self, tau: int) -> float:
        rounds = len(self.bounds)
        return _sensitivity(tau) * rounds * math.log(rounds / self.failure) / float(self.epsilon)


@dataclass(frozen=True, slots=True)
class RaceEdges(Race):
    """The number of edges by Race-to-the-Top."""

    query = "edges"
    pattern = EDGES


@dataclass(frozen=True, slots=True)
class RaceTwoStars(Race):
    """The number of 2-stars by Race-to-the-Top."""

    query = "2-stars"
    pattern = TWO_STARS


@dataclass(frozen=True, slots=True)
class RaceTriangles(Race):
    """The number of triangles by Race-to-the-Top.

    >>> from itertools import combinations
    >>> graph = Graph.from_edges(list(combinations(range(9), 2)))
    >>> run(RaceTriangles(epsilon=Fraction(10_000)), graph, SeededNoise(1)).value
    83
    """

    query = "triangles"
    pattern = TRIANGLES


def _sensitivity(tau: int) -> int:
    return math.ceil((1 + ETA) * tau)
