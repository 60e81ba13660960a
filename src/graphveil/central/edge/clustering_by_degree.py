"""Mean clustering of people with about 2, 4, 8, 16 ... friends under edge privacy.

Paper      soft degree classes with capped edges, ours; the curve: Ravasz and Barabási 2003
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon: clustering and people of all classes together
Estimator  entry i - 1 is the mean clustering around degree 2^i: the noisy sum of clusterings of a class over its noisy
           number of people, cut to 0..1; the caps take 0.2 % to 4 % on the benchmark graphs, always downwards
Cost       the sum over edges of the smaller degree

Sensitivity: `statistics.degrees.degree_classes`. The interval of each entry goes from the least sum over the most
people to the most over the least, for all entries together; it speaks of the sums as capped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from graphveil.central.old_page import Answer, Page, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import capped_class_sums
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.old_measurement import Measurements, draw_all
from graphveil.statistics.degrees.degree_classes import PEOPLE_SENSITIVITY, DegreeClasses, Q

Floats = NDArray[np.float64]

CLUSTERING_SHARE = Fraction(3, 4)


@dataclass(frozen=True, slots=True)
class ClusteringByDegree(Page):
    """The clustering of people by how many friends they have.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (3, 0)])
    >>> answer = ClusteringByDegree(epsilon=Fraction(10_000)).run(graph, SeededNoise(1))
    >>> [round(clustering, 2) for clustering in answer.value]
    [0.87, 0.33]
    """

    query = "clustering-by-degree"
    unit = "edge"

    def measurements(self, graph: Graph) -> Measurements:
        """The sums of all classes, then the people in them."""
        classes = DegreeClasses(graph.n_nodes)
        exact, rates = exact_class_sums(graph, classes), self.rates(classes)
        return tuple(
            NoisyInteger(int(value), rate)
            for values, row in zip(exact, rates, strict=True)
            for value, rate in zip(values, row, strict=True)
        )

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Add up clustering and people by class, add noise to both, divide."""
        classes = DegreeClasses(graph.n_nodes)
        rates = self.rates(classes)
        noisy = _floats(draw_all(self.measurements(graph), noise)).reshape(2, -1)
        accuracy = _accuracy(noisy[0] / Q, noisy[1] / _scales(classes), rates, classes)
        clustering = CLUSTERING_SHARE * self.epsilon
        stages = (
            Stage("added up, by class of degree, what friends of friends who are friends weigh, capped for every edge"),
            Stage("added whole-number Laplace noise to these sums, more of it for low degrees", clustering),
            Stage("added whole-number Laplace noise to the number of people in each class", self.epsilon - clustering),
            Stage("divided one by the other and cut to 0..1"),
        )
        people = tuple(float(count) for count in noisy[1] / _scales(classes))
        return Answer(accuracy.value, accuracy, stages, {"people": people})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """For classes of equal size with clustering 0.3."""
        classes = DegreeClasses(facts.n_nodes)
        people = np.full(classes.count - 1, facts.n_nodes / classes.count)
        around = _accuracy(0.3 * people, people, self.rates(classes), classes)
        return Accuracy((0.0,) * len(people), around.std, around.bands)

    def rates(self, classes: DegreeClasses) -> tuple[list[Fraction], list[Fraction]]:
        """Rates of the noise of sums and of people, for the classes from 1 on."""
        people = (1 - CLUSTERING_SHARE) * self.epsilon / PEOPLE_SENSITIVITY
        return classes.clustering_rates(CLUSTERING_SHARE * self.epsilon), [people] * (classes.count - 1)


def exact_class_sums(graph: Graph, classes: DegreeClasses) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """F_k and 2^k times the people of every class from 1 on."""
    low, high = classes.clustering_weights()
    sums = capped_class_sums(graph, classes.k, low, high, classes.caps)
    return sums[1 : classes.count], classes.people(graph.degrees.astype(np.int64))[1:]


def _scales(classes: DegreeClasses) -> NDArray[np.int64]:
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
