"""The k most connected people under edge privacy.

Paper      one noisy vector, then the k largest: Hay, Li, Miklau, Jensen 2009 for the vector; peeling by the
           exponential mechanism is the common alternative
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon, whatever k is
Estimator  everybody named has at most q + q' - gap neighbours fewer than the true k-th largest degree, q and q' the
           largest of n - k and of k noises, gap the distance of the noisy degrees of the last named and the first not
           named
Cost       O(n)
Differs    choosing one after the other pays for each choice, so its noise grows with k; the noise of a vector does not

Sensitivity: one edge changes two degrees by 1 each, 2 in L1. Which entries of the noisy vector are the largest, and
how large, is post-processing.

Error: fix k people with the largest degrees, without looking at the noise. Who of them is named does not fall short. If
somebody else is named, one of these k is not. The noisy degree of the other is by the gap or more above that of the
one, so its noise is by the gap and their distance larger. The other is one of n - k people, so all of this needs one of
n - k noises above q or one of k below -q', which has a probability of (n - k) P(z > q) + k P(z < -q') at most. The
whole noisy vector is private, so the gap costs nothing; where it is q + q' or more, nobody is named wrongly. Of k
people or fewer everybody is named, and rightly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from graphveil.central.query import NAMES_PEOPLE, Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes

SENSITIVITY = 2


@dataclass(frozen=True, slots=True)
class TopPeople(Query):
    """The labels of k people with the most neighbours, the first one first; `derived` holds their noisy degrees.

    >>> graph = Graph.from_edges([(i, j) for i in range(3) for j in range(3, 43 - 10 * i)])
    >>> run(TopPeople(epsilon=Fraction(2), k=3), graph, SeededNoise(1)).value
    (0, 1, 2)
    """

    query = "top-people"
    unit = "edge"
    why_one_unit = NAMES_PEOPLE, "h-index"

    k: int = 10

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if self.k < 1:
            raise ParameterError(f"k must be at least 1, not {self.k}")

    @property
    def rate(self) -> Fraction:
        """Rate of the noise of every degree: epsilon over the sensitivity."""
        return self.epsilon / SENSITIVITY

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """All degrees with all of epsilon."""
        exact = graph.degrees.astype(np.int64)
        return (NoisyVector(what="degrees of all people", exact=exact, sensitivity=SENSITIVITY, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The labels of the k largest noisy degrees, and by how many neighbours one of them may fall short."""
        noisy, n = outcomes[0], facts.n_nodes
        order = np.argsort(-noisy, kind="stable")
        first = order[: self.k]
        gap = int(noisy[first[-1]] - noisy[order[self.k]]) if len(order) > self.k else 0
        labels = np.arange(n) if facts.labels is None else facts.labels
        value = tuple(labels[first].tolist())
        accuracy = replace(self._shortfall(n, gap), value=value, center=0)
        return Answer(value, accuracy, (Stage(self._naming(n, gap)),), {"degrees": tuple(noisy[first].tolist())})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """By how many neighbours a person named may fall short."""
        return self._shortfall(facts.n_nodes)

    def _shortfall(self, n_people: int, gap: int = 0) -> Accuracy:
        """What n - k noises stay below and k above; half of the failure probability each, on one side each."""
        crowds = (n_people - self.k, self.k) if n_people > self.k else ()
        reach = {
            level: sum(discrete_laplace_quantile(self.rate, 1 - (1 - level) / size) for size in crowds)
            for level in LEVELS
        }
        bands = tuple(Band(level, 0.0, float(max(0, most - gap))) for level, most in reach.items())
        last = f"the person who is truly number {min(self.k, n_people)}"
        scope = f"neighbours that anybody named has fewer than {last}"
        right = f"everybody named is right: none of them has fewer neighbours than {last}"
        support = (0.0, max(0.0, n_people - 1))
        return Accuracy(0, None, bands, support=support, scope=scope, faultless=right)

    def _naming(self, n_people: int, gap: int) -> str:
        """What was done last, and what it does to the interval."""
        if n_people <= self.k:
            return "named everybody, those with the largest results first"
        whom = "the person with the largest result" if self.k == 1 else f"the {self.k} people with the largest results"
        if gap == 0:
            return f"named {whom}; the next result is no smaller than the last of these and shortens no interval"
        return f"named {whom}; the next result is by {gap} smaller, which shortens the interval by as much, or to 0"
