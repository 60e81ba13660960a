"""Soft classes of degrees around 1, 2, 4, 8 ..., and what one edge can change in sums over them.

Class k weighs a degree d by the hat phi_k: 1 at 2^k, falling in straight lines to 0 at 2^(k-1) and 2^(k+1). Everything
here follows from the public number of people.

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
With noise of rate y_k on F_k the loss is at most sum_k y_k cap_k + 2 max_a sum_k y_k g_k(a), over all a <= n - 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]

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
    def degrees(self) -> Whole:
        """From 0 to n - 1, or to where the last hat ends."""
        return np.arange(min(max(1, self.n_nodes - 1), 2**self.count) + 1, dtype=np.int64)

    @property
    def k(self) -> Whole:
        """The lower of the two classes of every degree."""
        return np.maximum(0, np.frexp(self.degrees)[1].astype(np.int64) - 1)

    def people(self, degrees: Whole) -> Whole:
        """2^k sum of phi_k(d_v) for every class."""
        degree, k = self.degrees, self.k
        counts = np.bincount(np.minimum(degrees, degree[-1]), minlength=len(degree))
        counts[0] = 0  # belongs to no class
        sums = np.zeros(self.count + 2, dtype=np.int64)
        np.add.at(sums, k, counts * (2 ** (k + 1) - degree))
        np.add.at(sums, k + 1, counts * 2 * (degree - 2**k))
        return sums[: self.count]

    def clustering_weights(self) -> tuple[Whole, Whole]:
        """u_k(d) of the lower and of the upper class of every degree d."""
        degree, k = self.degrees, self.k
        pairs = np.maximum(1, degree * (degree - 1)) * 2**k
        inner = np.where(degree > 1, 2 * Q, 0)
        return inner * (2 ** (k + 1) - degree) // pairs, inner * (degree - 2**k) // pairs

    @property
    def caps(self) -> Whole:
        """Of what an edge may collect in a class; class 0 (degree 1) has no clustering."""
        caps = 3 * Q // 2 ** np.arange(self.count + 2, dtype=np.int64)
        caps[0] = 0
        return caps

    @property
    def noise_weights(self) -> Whole:
        """Rates of the noise of the classes relative to each other: 2^(k/2), on a grid."""
        return np.rint(16 * 2 ** (np.arange(self.count) / 2)).astype(np.int64)

    def clustering_rates(self, epsilon: Fraction) -> list[Fraction]:
        """Rates of the noise of F_1, F_2, ... that together cost epsilon for one edge."""
        if self.count == 1:
            return []
        unit = epsilon / self.clustering_loss()
        return [unit * int(weight) for weight in self.noise_weights[1:]]

    def clustering_loss(self) -> int:
        """The bound above for y = noise_weights, over all a that n people allow."""
        weights = self.noise_weights
        a = np.arange(1, max(2, min(self.n_nodes - 1, 2**self.count + 1)), dtype=np.int64)
        old = a * (a - 1) // 2
        total = np.zeros(len(a), dtype=np.int64)
        for k in range(1, self.count):
            before, after = weight_in_class(k, a), weight_in_class(k, a + 1)
            up = a * after + old * np.maximum(0, after - before)
            total += weights[k] * np.maximum(up, old * np.maximum(0, before - after))
        return int(weights @ self.caps[: self.count]) + 2 * int(total.max())


def weight_in_class(k: int, degree: Whole) -> Whole:
    """u_k(d) = floor(Q phi_k(d) / C(d, 2))."""
    hat = np.maximum(0, np.minimum(2 * (degree - 2 ** (k - 1)), 2 ** (k + 1) - degree))  # 2^k phi_k
    return np.where(degree > 1, 2 * Q * hat // (np.maximum(1, degree * (degree - 1)) * 2**k), 0)
