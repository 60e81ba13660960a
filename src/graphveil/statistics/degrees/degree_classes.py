"""Soft classes of degrees around 1, 2, 4, 8 ..., and what one edge can change in sums over them.

Class k weighs a degree d by the triangular weight phi_k: 1 at 2^k, falling in straight lines to 0 at 2^(k-1) and
2^(k+1). Everything here but the measurements follows from the public number of people.

People. 2^k phi_k is whole; a step from d to d + 1 inside [2^j, 2^(j+1)] takes 1 from class j and gives 2 to class
j + 1. One edge makes two steps, so 2^k sum_v phi_k(d_v) changes by at most 6 in total over all classes.

Clustering. u_k(d) = floor(Q phi_k(d) / C(d, 2)) for d >= 2, else 0. An edge xy collects W_k = sum of u_k(d_v) over its
common neighbours v, and F_k = sum over edges of min(cap_k, W_k), cap_k = floor(3 Q / 2^k), cap_0 = 0. Without caps the
sum of all F_k / Q is that of all local clusterings. Adding an edge xy, whose ends have a and b neighbours before:
(i) its own term is at most cap_k;
(ii) the centre x weighs u_k(a + 1) instead of u_k(a) in the C(a, 2) pairs of its old neighbours, and enters a new pairs
{y, p}. min is 1-Lipschitz and only edges count, so F_k rises by at most a u_k(a + 1) + C(a, 2) (u_k(a + 1) - u_k(a))+
and falls by at most C(a, 2) (u_k(a) - u_k(a + 1))+; g_k(a) is the larger of the two;
(iii) likewise the centre y. No other node changes its degree, no other pair its membership.
So with weights y_k the sum of y_k |change of F_k| is at most sum_k y_k cap_k + 2 max_a sum_k y_k g_k(a), over all
a <= n - 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import capped_class_sums
from graphveil.mechanisms.laplace import NoisyVector

Q = 2**36
LAST = 13  # people with 2^14 friends or more are in no class
PEOPLE_SENSITIVITY = 6


@dataclass(frozen=True, slots=True)
class DegreeClasses:
    """Tables for all degrees that n people can have; degrees above the last entry are read as the last."""

    n_nodes: int

    @property
    def count(self) -> int:
        """Classes are 0 .. count - 1."""
        return min(max(0, self.n_nodes - 2).bit_length(), LAST) + 1

    @property
    def centres(self) -> tuple[int, ...]:
        """About how many friends people of the classes from 1 on have; nobody has more than n - 1."""
        return tuple(min(2**k, self.n_nodes - 1) for k in range(1, self.count))

    @property
    def degrees(self) -> Integers:
        """From 0 to n - 1, or to where the last class ends."""
        return np.arange(min(max(1, self.n_nodes - 1), 2**self.count) + 1, dtype=np.int64)

    @property
    def k(self) -> Integers:
        """The lower of the two classes of every degree."""
        return np.maximum(0, np.frexp(self.degrees)[1].astype(np.int64) - 1)

    def people(self, degrees: Integers) -> Integers:
        """2^k sum of phi_k(d_v) for every class."""
        degree, k = self.degrees, self.k
        counts = np.bincount(np.minimum(degrees, degree[-1]), minlength=len(degree))
        counts[0] = 0  # belongs to no class
        sums = np.zeros(self.count + 2, dtype=np.int64)
        np.add.at(sums, k, counts * (2 ** (k + 1) - degree))
        np.add.at(sums, k + 1, counts * 2 * (degree - 2**k))
        return sums[: self.count]

    def clustering_weights(self) -> tuple[Integers, Integers]:
        """u_k(d) of the lower and of the upper class of every degree d."""
        degree, k = self.degrees, self.k
        pairs = np.maximum(1, degree * (degree - 1)) * 2**k
        inner = np.where(degree > 1, 2 * Q, 0)
        return inner * (2 ** (k + 1) - degree) // pairs, inner * (degree - 2**k) // pairs

    @property
    def caps(self) -> Integers:
        """Of what an edge may collect in a class; class 0 (degree 1) has no clustering."""
        caps = 3 * Q // 2 ** np.arange(self.count + 2, dtype=np.int64)
        caps[0] = 0
        return caps

    @property
    def noise_weights(self) -> Integers:
        """The weights y_k of the classes, which are the rates of their noise relative to each other: about 2^(k/2)."""
        return np.rint(16 * 2 ** (np.arange(self.count) / 2)).astype(np.int64)

    def clustering_rates(self, epsilon: Fraction) -> list[Fraction]:
        """Rates of the noise of F_1, F_2, ... that together cost epsilon for one edge."""
        unit = epsilon / self.clustering_sensitivity()
        return [unit * int(weight) for weight in self.noise_weights[1:]]

    def clustering_sensitivity(self) -> int:
        """The bound above for y = noise_weights, over all a that n people allow; 1 where there is no class."""
        if self.count == 1:
            return 1
        weights = self.noise_weights
        a = np.arange(1, max(2, min(self.n_nodes - 1, 2**self.count + 1)), dtype=np.int64)
        old = a * (a - 1) // 2
        total = np.zeros(len(a), dtype=np.int64)
        for k in range(1, self.count):
            before, after = weight_in_class(k, a), weight_in_class(k, a + 1)
            up = a * after + old * np.maximum(0, after - before)
            total += weights[k] * np.maximum(up, old * np.maximum(0, before - after))
        return int(weights @ self.caps[: self.count]) + 2 * int(total.max())


def weight_in_class(k: int, degree: Integers) -> Integers:
    """u_k(d) = floor(Q phi_k(d) / C(d, 2))."""
    weight = np.maximum(0, np.minimum(2 * (degree - 2 ** (k - 1)), 2 ** (k + 1) - degree))  # 2^k phi_k
    return np.where(degree > 1, 2 * Q * weight // (np.maximum(1, degree * (degree - 1)) * 2**k), 0)


def exact_class_sums(graph: Graph, classes: DegreeClasses) -> tuple[Integers, Integers]:
    """F_k, and 2^k times the people, of every class from 1 on."""
    low, high = classes.clustering_weights()
    sums = capped_class_sums(graph, classes.k, low, high, classes.caps)
    return sums[1 : classes.count], exact_people(graph, classes)


def exact_people(graph: Graph, classes: DegreeClasses) -> Integers:
    """2^k times the people of every class from 1 on."""
    return classes.people(graph.degrees.astype(np.int64))[1:]


def clustering_measurement(graph: Graph, epsilon: Fraction) -> NoisyVector:
    """The sums F_1, F_2, ... of local clusterings by class of degree, in units of 1 / Q."""
    classes = DegreeClasses(graph.n_nodes)
    return NoisyVector(
        what="sums of clustering by class of degree",
        units=np.full(classes.count - 1, Fraction(1, Q)),
        exact=exact_class_sums(graph, classes)[0],
        sensitivity=classes.clustering_sensitivity(),
        epsilon=epsilon,
        weights=classes.noise_weights[1:],
    )


def people_measurement(graph: Graph, epsilon: Fraction) -> NoisyVector:
    """The people of every class from 1 on, those of class k in units of 2^-k."""
    classes = DegreeClasses(graph.n_nodes)
    return NoisyVector(
        what="people by class of degree",
        units=np.array([Fraction(1, 2**k) for k in range(1, classes.count)], dtype=object),
        exact=exact_people(graph, classes),
        sensitivity=PEOPLE_SENSITIVITY,
        epsilon=epsilon,
    )
