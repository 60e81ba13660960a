"""The number of triangles from a noisy graph alone: what the collector knows before anybody counts.

With z = (answer - q) / gain for each pair, the sum of z_ij z_ik z_jk over all three people is unbiased, as different
pairs are answered independently. Its variance has two parts. An answer alone is felt once for each common friend of the
two people, as it is in counts that people make (`estimation.overlap`). The rest, from two or three answers together, is
independent of such counts; it grows with n^3 and falls steeply with epsilon. So in a small network, or at a large
epsilon, this is closer than counts with noise, and elsewhere far worse.

Both estimates are unbiased, so a mean of them is, and the weight with the smallest variance follows from released
numbers. Both feel answers alone; their parts of that are taken to err alike, which is the worst case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap
from graphveil.local.pairs.dense import BitMatrix
from graphveil.local.pairs.noisy_graph import LazyGraph, PairBits
from graphveil.local.pairs.response import PairResponse

LEAST_WEIGHT = 0.05  # of the noisy graph in the mean; below it the noisy graph is left out
MOST_PEOPLE = 10_000  # the noisy graph of more people is not written out as a matrix


@dataclass(frozen=True, slots=True)
class Parts:
    """An unbiased number of triangles, and the two parts of its variance: its own, and that of single answers."""

    value: float
    own: float
    answers: float

    def mean_with(self, other: Parts) -> tuple[float, float, float]:
        """The mean with the smallest variance, that variance, and the weight of this one.

        >>> Parts(10.0, 1.0, 0.0).mean_with(Parts(16.0, 3.0, 0.0))
        (11.5, 0.75, 0.75)
        """
        apart = math.sqrt(self.answers) - math.sqrt(other.answers)
        spread = self.own + other.own + apart**2
        best = (other.own - math.sqrt(other.answers) * apart) / spread if spread else 1.0
        weight = min(max(best, 0.0), 1.0)
        together = weight * math.sqrt(self.answers) + (1 - weight) * math.sqrt(other.answers)
        variance = weight**2 * self.own + (1 - weight) ** 2 * other.own + together**2
        return weight * self.value + (1 - weight) * other.value, variance, weight


def estimate_from_answers(
    counts: Parts, graph: PairBits | LazyGraph, n_people: int, response: PairResponse
) -> Parts | None:
    """The estimate from the noisy graph, or None where it would hardly improve these counts or people are too many."""
    least = products_variance(n_people, 0, response.variance)
    if counts.own < LEAST_WEIGHT * (counts.own + least) or n_people > MOST_PEOPLE:
        return None
    return triangles_in_noise(BitMatrix.of(graph), response)


def triangles_in_noise(matrix: BitMatrix, response: PairResponse) -> Parts:
    """The unbiased number of all triangles, with what the answers say about its variance."""
    noisy, triangles = unbiased_triangles(matrix, response)
    q, gain, others = float(response.flip_probability), float(response.gain), matrix.n_people - 1
    degrees = (noisy - q * others) / gain
    squares = (noisy * (1 - q) ** 2 + (others - noisy) * q**2) / gain**2
    entries, pairs = float(degrees.sum()), float((degrees**2 - squares).sum()) / 2
    own = products_variance(matrix.n_people, max(entries / 2, 0.0), response.variance)

    def measure(people: int) -> Overlap:
        return measure_overlap(matrix.among(np.argsort(noisy)[-people:]), response, whole=True)

    return Parts(float(triangles.sum()) / 3, own, answer_variance(measure, pairs, entries, response, own))


def products_variance(n_people: int, edges: float, v: float) -> float:
    """The variance of the sum of all products of three corrected answers of variance v, without single answers' part.

    Two answers are felt together once for each pair that closes them, three once for each three.
    """
    return v**2 * edges * (n_people - 2) + v**3 * math.comb(n_people, 3)


def unbiased_triangles(matrix: BitMatrix, response: PairResponse) -> tuple[Integers, Floats]:
    """Noisy degrees, and for each person the sum over pairs j, k of (x_ij - q)(x_ik - q)(x_jk - q) / gain^3.

    Written out, the sum needs noisy triangles, noisy degrees and the degrees of noisy neighbours only.
    """
    n, q = matrix.n_people, float(response.flip_probability)
    degrees = matrix.degrees()
    corners, sums = matrix.triangles()
    edges = degrees.sum() / 2
    at_least_two = degrees * (degrees - 1) / 2 + sums - degrees
    at_least_one = degrees * (n - 2.0) + edges - degrees
    total = corners - q * at_least_two + q**2 * at_least_one - q**3 * (n - 1) * (n - 2) / 2
    return degrees, np.asarray(total / float(response.gain) ** 3)
