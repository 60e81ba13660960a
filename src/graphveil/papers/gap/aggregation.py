"""Sums over neighbours with noise, as two published methods of learning on graphs make them.

Paper      Sajadmanesh, Shamsabadi, Bellet, Gatica-Perez 2023 (GAP); Kolluri, Baluta, Hooi, Saxena 2022 (LPGNet)
Unit       claimed: one edge (GAP, LPGNet), one person (GAP with sampled neighbours)
Trust      central
Guarantee  claimed: (epsilon, delta) for GAP, pure epsilon for LPGNet; see the page of refuted claims
Differs    messages are the one-hot classes of people, which are unit vectors as GAP's normalised embeddings are; one
           hop; noise on the integers, drawn exactly; the networks before and after read no edge and are left out

Everybody sends a unit vector along each of their arcs, everybody adds up what arrives, and every sum gets noise. GAP
takes 1 for the L2 sensitivity, LPGNet as coded in ProGAP takes 1 for the L1 sensitivity. That is true of one arc. A
friendship is two arcs, which end in different rows: sqrt(2) and 2. `entries` = 2 is the noise for a friendship.

For node privacy GAP keeps at most `most_arcs` random arcs of each person and takes their root for the sensitivity. A
person who leaves also changes which arcs of the others are kept, so there is no such bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from graphveil.arrays import AnyIntegers, Integers
from graphveil.mechanisms.noise.additive import add_discrete_gaussian, add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise

CHUNK = 5_000  # runs at a time, for memory
GRID = 1000


def largest_shift(epsilon: float, delta: float) -> float:
    """The sensitivity for which Gaussian noise of deviation 1 is (epsilon, delta)-private (Balle and Wang 2018).

    >>> round(largest_shift(1, 1e-7), 3)
    0.214
    """

    def excess(shift: float) -> float:
        near, far = ndtr(shift / 2 - epsilon / shift), ndtr(-shift / 2 - epsilon / shift)
        return float(near - math.exp(epsilon) * far - delta)

    return float(brentq(excess, 1e-6, 2 * epsilon + 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregation:
    """One hop. Inputs are arcs, a row (from, to) each; `classes` gives everybody's class, from 0 on.

    With `delta` the noise is Gaussian (GAP), without it Laplace (LPGNet).

    >>> hop = Aggregation(epsilon=Fraction(40), classes=(0, 1, 1))
    >>> hop.runs([(0, 1), (1, 0), (1, 2), (2, 1)], 1, SeededNoise(1)).reshape(3, 2).tolist()
    [[0, 1], [1, 1], [0, 1]]
    """

    epsilon: Fraction
    classes: tuple[int, ...]
    delta: Fraction = Fraction(0)
    entries: int = 1
    most_arcs: int | None = None

    @property
    def squared_sensitivity(self) -> int:
        """Of the L2 sensitivity that is claimed."""
        return self.entries if self.most_arcs is None else self.most_arcs

    @property
    def sigma_squared(self) -> Fraction:
        """The variance of GAP's noise, on a grid."""
        variance = self.squared_sensitivity / largest_shift(float(self.epsilon), float(self.delta)) ** 2
        return Fraction(math.ceil(variance * GRID), GRID)

    def runs(self, arcs: AnyIntegers | list[tuple[int, int]], count: int, noise: Noise) -> Integers:
        """The noisy rows of everybody, one run after the other, each as one line of cells."""
        given = np.asarray(arcs, dtype=np.int64).reshape(-1, 2)
        n_classes = max(self.classes) + 1
        cells = given[:, 1] * n_classes + np.array(self.classes)[given[:, 0]]
        ends = np.zeros((len(given), n_classes * len(self.classes)))
        ends[np.arange(len(given)), cells] = 1
        parts = []
        for start in range(0, count, CHUNK):
            kept = self._kept(given[:, 0], min(CHUNK, count - start), noise)
            exact = np.rint(kept @ ends).astype(np.int64)
            if self.delta:
                parts.append(add_discrete_gaussian(noise, exact, self.sigma_squared))
            else:
                parts.append(add_discrete_laplace(noise, exact, self.epsilon / self.entries))
        return np.concatenate(parts)

    def _kept(self, sources: Integers, runs: int, noise: Noise) -> Integers:
        """Which arcs are kept in each run: all, or `most_arcs` of each person's, all choices being equally likely."""
        kept = np.ones((runs, len(sources)), dtype=np.int64)
        if self.most_arcs is None:
            return kept
        lots = noise.words(kept.size).reshape(kept.shape)
        for person in np.unique(sources):
            own = np.flatnonzero(sources == person)
            ranks = lots[:, own].argsort(axis=1).argsort(axis=1)
            kept[:, own] = ranks < self.most_arcs
        return kept
