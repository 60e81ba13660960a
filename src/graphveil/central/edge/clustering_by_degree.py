"""Mean clustering of people with about 2, 4, 8, 16 ... friends under edge privacy.

Paper      soft degree classes with capped edges, ours; the curve: Ravasz and Barabási 2003
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon: clustering and people of all classes together
Estimator  entry i - 1 is the mean clustering around degree 2^i, the last around n - 1 at most: the noisy sum of
           clusterings of a class over its noisy number of people, cut to 0..1; the caps take 0.2 % to 4 % on the
           benchmark graphs, always downwards
Cost       the sum over edges of the smaller degree

Sensitivity: `statistics.degrees.degree_classes`. The interval of each entry goes from the least sum over the most
people to the most over the least, for all entries together; it speaks of the sums as capped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.degrees.degree_classes import (
    PEOPLE_SENSITIVITY,
    DegreeClasses,
    Q,
    clustering_measurement,
    people_measurement,
)

CLUSTERING_SHARE = Fraction(3, 4)
SAMPLE = 10_000  # quantiles of degrees in a forecast


@dataclass(frozen=True, slots=True)
class ClusteringByDegree(Query):
    """The clustering of people by how many friends they have.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (3, 0)])
    >>> answer = run(ClusteringByDegree(epsilon=Fraction(10_000)), graph, SeededNoise(1))
    >>> [round(clustering, 2) for clustering in answer.value]
    [0.87, 0.33]
    """

    query = "clustering-by-degree"
    unit = "edge"
    why_one_unit = (
        "one person can raise the clustering of all their friends from 0 to 1: noise of n / epsilon on sums below n",
        "transitivity",
    )

    @property
    def clustering_epsilon(self) -> Fraction:
        """What the sums of clustering cost; the people cost the rest."""
        return CLUSTERING_SHARE * self.epsilon

    def measure(self, graph: Graph) -> Measurements:
        """The sums of all classes, then the people in them."""
        people_epsilon = self.epsilon - self.clustering_epsilon
        return clustering_measurement(graph, self.clustering_epsilon), people_measurement(graph, people_epsilon)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The noisy sums over the noisy numbers of people."""
        classes = DegreeClasses(facts.n_nodes)
        people = outcomes[1] / _scales(classes)
        accuracy = _accuracy(outcomes[0] / Q, people, self.rates(classes), classes)
        stages = (Stage("divided the sum of each class by its people and cut to 0..1"),)
        derived = {"people": _plain(people), "knots": classes.centres}
        return Answer(accuracy.value, accuracy, stages, derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """For clustering 0.3, and degrees that follow the geometric law of the guessed mean.

        That law has the second moment that the guesses have. It leaves next to nobody in the classes far above the
        mean, of which an answer says nothing.
        """
        classes = DegreeClasses(facts.n_nodes)
        people = _people_in_classes(classes, facts)
        around = _accuracy(0.3 * people, people, self.rates(classes), classes)
        return Accuracy((0.0,) * len(people), around.std, around.bands)

    def rates(self, classes: DegreeClasses) -> tuple[list[Fraction], list[Fraction]]:
        """Rates of the noise of sums and of people, for the classes from 1 on."""
        people = (self.epsilon - self.clustering_epsilon) / PEOPLE_SENSITIVITY
        return classes.clustering_rates(self.clustering_epsilon), [people] * (classes.count - 1)


def _people_in_classes(classes: DegreeClasses, facts: PublicFacts) -> Floats:
    sample = min(facts.n_nodes, SAMPLE)
    places = (np.arange(sample) + 0.5) / max(1, sample)
    mean_degree = 2 * facts.guess_edges() / max(1, facts.n_nodes)
    degrees = np.minimum(-mean_degree * np.log1p(-places), facts.guess_max_degree()).astype(np.int64)
    return classes.people(degrees)[1:] / _scales(classes) * (facts.n_nodes / max(1, sample))


def _scales(classes: DegreeClasses) -> Integers:
    return 2 ** np.arange(1, classes.count, dtype=np.int64)


def _accuracy(
    sums: Floats, people: Floats, rates: tuple[list[Fraction], list[Fraction]], classes: DegreeClasses
) -> Accuracy:
    value = _ratio(sums, people)
    bands = []
    for level in LEVELS:
        confidence = 1 - (1 - level) / max(1, 2 * len(sums))
        a = _floats(discrete_laplace_quantile(rate, confidence) for rate in rates[0]) / Q
        b = _floats(discrete_laplace_quantile(rate, confidence) for rate in rates[1]) / _scales(classes)
        low = _ratio(sums - a, people + b)
        high = np.where(people > b, _ratio(sums + a, people - b), 1.0)
        bands.append(Band(level, _plain(value - low), _plain(high - value)))
    spread = _floats(discrete_laplace_std(rate) for rate in rates[0]) / Q
    dilution = _floats(discrete_laplace_std(rate) for rate in rates[1]) / _scales(classes)
    std = np.minimum(0.5, np.hypot(spread, value * dilution) / np.maximum(1, people))
    scope = "clustering with the part of every edge in a class capped"
    return Accuracy(_plain(value), _plain(std), tuple(bands), bias="downwards: capped", support=(0, 1), scope=scope)


def _ratio(sums: Floats, people: Floats) -> Floats:
    """Sum over people within 0..1, 0 without people."""
    shares = np.divide(sums, people, out=np.zeros(len(sums)), where=people > 0)
    return np.clip(shares, 0, 1)


def _floats(numbers: Iterable[float]) -> Floats:
    """As floats also where whole numbers pass 64 bits."""
    return np.array(list(numbers), dtype=np.float64)


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
