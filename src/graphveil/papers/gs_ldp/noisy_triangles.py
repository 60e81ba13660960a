"""Noisy triangle counts of the second round (GS-LDP, lines 9 to 17 of Algorithms 3 and 4), as published.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithms 3 (NLDP-TS) and 4 (ELDP-TS)
Unit       edge (noise of scale threshold / epsilon) or node (scale threshold (threshold - 1) / 2 epsilon)
Trust      local
Guarantee  pure epsilon for this message alone: its part of the claim holds
Estimator  biased: the noisy graph lacks most strangers' pairs, which the correction by q takes for present
Cost       one number a person; the collector sends the noisy graph to everybody
Differs    q is a public rational a / b and the noise is discrete Laplace on multiples of 1 / b, so that it is exact

Person i counts, among pairs of pruned friends, those joined in the noisy graph G': w = s - q t, t the number of pairs.
G' is fixed and pairs of two other people are not of i's own making.

Sensitivity. Edge: one friend more below the threshold k adds sum over the others of (1[jk in G'] - q), between
-(k - 1) q and (k - 1) (1 - q); at the threshold one friend is swapped for another, a change of at most k - 1. So k is
enough. Node: w lies between -q C and (1 - q) C with C = k (k - 1) / 2, so C is enough.

Both hold if pairs are counted in the pruned list, as the text says; line 11 reads as if the full list were meant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyTriangles:
    """Public parameters; `flip_probability` is the first round's.

    >>> scheme = NoisyTriangles(epsilon=Fraction(500), threshold=3, unit=Kind.EDGE, flip_probability=Fraction(1, 4))
    >>> triangle = np.ones((3, 3)) - np.eye(3)
    >>> scheme.estimate(scheme.perturb([[1, 1, 1], [1, 0, 1]], triangle, SeededNoise(1))).round(1).tolist()
    [4.5, 1.5]
    """

    epsilon: Fraction
    threshold: int
    unit: Kind
    flip_probability: Fraction

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.threshold < 2:
            raise ParameterError(f"threshold must be at least 2, not {self.threshold}")
        if not 0 < self.flip_probability < Fraction(1, 2):
            raise ParameterError(f"flip_probability must lie between 0 and 1/2, not at {self.flip_probability}")

    @property
    def claim(self) -> PublishedClaim:
        """The paper's claim for this message."""
        theorem, statement = {
            Kind.EDGE: ("Theorem 9", "Laplace noise of scale threshold / epsilon satisfies epsilon-edge-LDP"),
            Kind.NODE: ("Theorem 6", "Laplace noise of scale C(threshold, 2) / epsilon satisfies epsilon-node-LDP"),
        }[self.unit]
        reason = "the count on a pruned list changes by at most that; sent together with the list, nothing is private"
        return PublishedClaim(f"Fu et al. 2024, {theorem}", statement, Verdict.HOLDS, reason, self.epsilon)

    @property
    def sensitivity(self) -> int:
        """The sensitivity of the count w as the paper states it."""
        return self.threshold if self.unit is Kind.EDGE else math.comb(self.threshold, 2)

    @property
    def steps(self) -> int:
        """The sensitivity of b w, where q = a / b."""
        return self.sensitivity * self.flip_probability.denominator

    def perturb(self, pruned_friends: ArrayLike, noisy_graph: ArrayLike, noise: Noise) -> Integers:
        """For each row of pruned friends (at most `threshold` bits set), b w plus noise (lines 10 to 13)."""
        friends = np.asarray(pruned_friends, dtype=np.float64)
        if friends.sum(axis=1).max(initial=0) > self.threshold:
            raise ParameterError(f"a pruned list has at most {self.threshold} friends")
        n_friends = friends.sum(axis=1).astype(np.int64)
        joined = ((friends @ np.asarray(noisy_graph, dtype=np.float64)) * friends).sum(axis=1).astype(np.int64) // 2
        return add_personal_laplace(noise, self.exact(joined, n_friends), self.epsilon / self.steps)

    def exact(self, joined: Integers, n_friends: Integers) -> Integers:
        """From the pairs of pruned friends that are joined and the number of those friends, b w."""
        a, b = self.flip_probability.as_integer_ratio()
        counts: Integers = b * joined - a * (n_friends * (n_friends - 1) // 2)
        return counts

    def estimate(self, reports: Integers) -> Floats:
        """Triangles of each person, w / (2 p - 1) (line 17)."""
        q = self.flip_probability
        return reports / float(q.denominator * (1 - 2 * q))
