"""Noise on all pairs of degrees, scaled by degree: what is sound in the noise of dK-PA, DRC and BCPA.

Let every pair of degrees (x, y), x <= y <= D for a public D, have a public scale of at least (4 y + 1) / epsilon.
Larger degrees count as D. Then discrete Laplace noise of these scales on the number of edges of every pair, whether any
or none, is epsilon-private for an edge.

Proof. Add an edge uv; let a and b be the degrees before. If a < D, each of u's a edges leaves a pair whose larger
degree is at least a and enters one whose larger degree is at least a + 1; if a >= D, none moves. The same for v. The
new edge enters a pair of at least max(a, b) + 1, or D. For a, b < D the loss is at most epsilon times

    F(a) + F(b) + 1 / (4 max(a, b) + 5),    F(a) = a / (4 a + 1) + a / (4 a + 5).

F rises, so a = b is worst: 1 - 1 / (2 (4 a + 1)) - 3 / (2 (4 a + 5)) < 1. If a >= D, F(a) = 0 and F(b) + 1 / (4 D + 1)
< 1. QED. The scales may follow any public grouping of the pairs: the largest degree of a group is at least that of
each of its pairs. So grouping, by degree or by betweenness, never lowers the noise.

Of all these noisy counts only those are kept that noise alone would hardly reach: thresholding is free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.graph.core import Graph
from graphveil.mechanisms.laplace import NoisyVector

SENSITIVITY = 1  # of the counts, each over 4 y + 1 with y the larger degree of its pair or of its group


@dataclass(frozen=True, slots=True)
class NoisyPairsOfDegrees:
    """Noisy counts of all pairs of degrees up to a bound, and the degree by which the noise of each is scaled."""

    degrees: Integers
    counts: Integers
    group_degrees: Integers
    epsilon: Fraction

    def thresholds(self) -> Floats:
        """What noise alone passes for one of all pairs in the mean, pair by pair."""
        scales = (4 * self.group_degrees + 1) / float(self.epsilon)
        return scales * math.log(max(2, len(self.counts) / 2))

    def standing_out(self) -> Bits:
        """The pairs whose counts pass the threshold."""
        passing: Bits = self.counts > self.thresholds()
        return passing


def all_pairs(max_degree: int) -> Integers:
    """The pairs (x, y), 1 <= x <= y <= D, by rising y.

    >>> all_pairs(2).tolist()
    [[1, 1], [1, 2], [2, 2]]
    """
    y, x = np.tril_indices(max_degree)
    return np.stack((x + 1, y + 1), axis=1)


def pair_places(degrees: Integers) -> Integers:
    """Where pairs of degrees stand in `all_pairs`."""
    x, y = degrees.min(axis=1), degrees.max(axis=1)
    places: Integers = y * (y - 1) // 2 + x - 1
    return places


def count_pairs(graph: Graph, max_degree: int) -> Integers:
    """The edges of every pair of degrees, larger degrees counting as the bound."""
    return graph.sum_over_edges(partial(_count_places, max_degree=max_degree))


def _count_places(degrees: Integers, max_degree: int) -> Integers:
    places = pair_places(np.minimum(degrees, max_degree))
    return np.bincount(places, minlength=max_degree * (max_degree + 1) // 2)


def pair_counts(graph: Graph, max_degree: int, epsilon: Fraction, group_degrees: Integers | None = None) -> NoisyVector:
    """The counts of all pairs; `group_degrees` are public, at least each pair's larger degree."""
    largest = noise_degrees(max_degree, group_degrees)
    weights = np.array([Fraction(1, 4 * degree + 1) for degree in range(int(largest.max(initial=0)) + 1)])
    return NoisyVector(
        what="edges between people of each two degrees",
        exact=count_pairs(graph, max_degree),
        sensitivity=SENSITIVITY,
        epsilon=epsilon,
        weights=weights[largest],
    )


def conclude_pairs(
    counts: Integers, max_degree: int, epsilon: Fraction, group_degrees: Integers | None = None
) -> NoisyPairsOfDegrees:
    """The noisy counts with the pairs they belong to and the degrees by which their noise was scaled."""
    return NoisyPairsOfDegrees(all_pairs(max_degree), counts, noise_degrees(max_degree, group_degrees), epsilon)


def noise_degrees(max_degree: int, group_degrees: Integers | None = None) -> Integers:
    """For every pair the degree by which its noise is scaled: that of its group, or its own larger one."""
    own = all_pairs(max_degree)[:, 1]
    return own if group_degrees is None else np.maximum(group_degrees, own)
