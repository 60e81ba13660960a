"""Degree sequence under edge privacy, one noisy number per rank.

Paper      Hay, Li, Miklau, Jensen 2009; integer noise: Ghosh, Roughgarden, Sundararajan 2009
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  isotonic regression of the noisy sorted degrees, rounded, cut to 0..n-1; no entry is further from the truth
           than the largest of the n noises
Cost       O(n log n)
Differs    noise on the integers instead of the reals

Sensitivity: 2 in L1. One more edge raises two degrees by 1. Raising one entry from a to a + 1 changes the sorted
sequence only at the first rank that holds a, by 1; so two ranks change by 1, or one by 2.

Band: if all noises keep within their quantiles at once (the failure probability is shared out over the ranks), every
noisy rank bounds its degree from both sides, all later ranks from above and all earlier ones from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_accuracy, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, distances

SENSITIVITY = 2


@dataclass(frozen=True, slots=True)
class DegreeSequence(Query):
    """All degrees from the largest to the smallest, without saying whose they are.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(DegreeSequence(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    (3, 1, 1, 1)
    """

    query = "degree-sequence"
    unit = "edge"

    @property
    def rate(self) -> Fraction:
        """Rate of the noise of every rank: epsilon over the sensitivity."""
        return self.epsilon / SENSITIVITY

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """The sorted degrees with all of epsilon."""
        exact = exact_sequence(graph)
        return (NoisyVector(what="sorted degrees", exact=exact, sensitivity=SENSITIVITY, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - a rank for everybody
        """The falling sequence closest to the noisy one."""
        value = estimate(outcomes[0])
        stages = (Stage("took the falling sequence nearest to the noisy one, in whole numbers from 0 to n - 1"),)
        return Answer(value, self._accuracy(value, outcomes[0]), stages)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise depends on epsilon alone; runs of equal degrees come out better than this."""
        return discrete_laplace_accuracy(0, self.rate, entries=max(1, facts.n_nodes))

    def _accuracy(self, value: tuple[int, ...], noisy: Integers) -> Accuracy:
        n, ranks = len(noisy), np.arange(len(noisy))
        tiles = FallingTiles(max(0, n - 1), n, self.rate, ranks, np.ones_like(ranks), noisy)
        bands = tuple(Band(level, *distances(np.array(value), *bound_falling(tiles, 1 - level))) for level in LEVELS)
        return Accuracy(value, discrete_laplace_std(self.rate), bands, support=(0, tiles.ceiling))


def exact_sequence(graph: Graph) -> Integers:
    """The degrees of all people, sorted from the largest to the smallest."""
    return np.sort(graph.degrees)[::-1].astype(np.int64)


def estimate(noisy: Integers) -> tuple[int, ...]:
    """The falling sequence of whole numbers in 0..n-1 nearest to a noisy one."""
    if not len(noisy):
        return ()
    from scipy.optimize import isotonic_regression

    fitted = isotonic_regression(noisy.astype(np.float64), increasing=False).x
    whole: list[int] = np.clip(np.rint(fitted), 0, len(noisy) - 1).astype(np.int64).tolist()
    return tuple(whole)
