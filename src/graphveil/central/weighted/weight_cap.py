"""The cap on the weight of one edge: public, or chosen from noisy counts of edges by weight.

Without a cap one edge could change a total by anything. Where none is given, edges are counted by classes of weight, 1,
2 to 3, 4 to 7 and so on. One edge more or less changes one of these counts by 1. The cap is twice the end of the
highest class that stands out from its noise, and at least LEAST_CAP. A class stands out if its noisy count passes what
the noise of all classes together passes once in 200 times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.query import Stage
from graphveil.errors import ParameterError
from graphveil.graph.weighted import WeightedGraph
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes

CLASSES = 31  # weights up to 2^31
LEAST_CAP = 16
FALSE_ALARM = 200  # once in so many times some class stands out by its noise alone
SHARE = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class WeightCap:
    """A public cap, or one that a tenth of epsilon chooses."""

    max_weight: int | None
    epsilon: Fraction  # of the whole query

    def __post_init__(self) -> None:
        if self.max_weight is not None and self.max_weight < 1:
            raise ParameterError(f"max_weight must be a whole number of at least 1, not {self.max_weight}")

    @property
    def share(self) -> Fraction:
        """What choosing the cap costs."""
        return Fraction(0) if self.max_weight is not None else SHARE * self.epsilon

    @property
    def rest(self) -> Fraction:
        """What is left for the question itself."""
        return self.epsilon - self.share

    def measure(self, graph: WeightedGraph, following: Callable[[int], Measurements]) -> Measurements:
        """What is asked at the public cap, or edges by weight and then what is asked at the cap they give."""
        if self.max_weight is not None:
            return following(self.max_weight)
        classes = NoisyVector(
            what="numbers of edges by weight", exact=edges_by_weight(graph), sensitivity=1, epsilon=self.share
        )
        return (Adaptive(classes, self.choose, following, self.rest, audit_key=LEAST_CAP),)

    def choose(self, counts: Any) -> int:
        """The cap that noisy counts of edges by weight give."""
        threshold = math.log(CLASSES * FALSE_ALARM) / float(self.share)
        standing = np.flatnonzero(np.asarray(counts) > threshold)
        top = int(standing[-1]) if len(standing) else 0
        return max(LEAST_CAP, min(1 << (top + 2), (1 << CLASSES) - 1))

    def conclude(self, outcomes: Outcomes) -> tuple[int, dict[str, int], list[Any]]:
        """The cap, what was paid for on the way, and the outcomes of the question itself."""
        if self.max_weight is not None:
            return self.max_weight, {}, list(outcomes)
        (counts, *rest) = outcomes[0]
        cap = self.choose(counts)
        return cap, {"max_weight": cap}, rest

    def guess(self) -> int:
        """The cap that a forecast takes."""
        return LEAST_CAP if self.max_weight is None else self.max_weight

    def stage(self, cap: int) -> Stage:
        """How the cap came about."""
        if self.max_weight is not None:
            return Stage(f"cut every weight at the public cap {cap:,}")
        return Stage(f"cut every weight at {cap:,}, a cap chosen from the noisy numbers of edges by weight")


def edges_by_weight(graph: WeightedGraph) -> Integers:
    """How many edges weigh 1, 2 to 3, 4 to 7 and so on; the last class has no end, and weight 0 has no class."""
    weights = graph.weights[graph.weights > 0].astype(np.float64)
    places = np.minimum(np.frexp(weights)[1] - 1, CLASSES - 1)
    return np.bincount(places, minlength=CLASSES).astype(np.int64)
