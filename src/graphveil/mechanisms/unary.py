"""Unary responses: a person reports n_values bits, one for each possible value, each drawn on its own.

Papers: Erlingsson, Pihur and Korolova 2014 (symmetric, SUE); Wang, Blocki, Li and Jha 2017 (optimal, OUE).

Sensitivity: two values v and w differ in two of the bits. The report that tells them apart best has bit v set and bit w
not; its ratio is p (1 - q) / ((1 - p) q), with p and q the probabilities that a true and another value's bit are set.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Bits, Integers
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins, keep_threshold
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import Response


class UnaryResponse(Response):
    """Unary responses whose two bit probabilities a subclass fixes."""

    __slots__ = ()

    @property
    def worst_ratio(self) -> Fraction:
        """P (1 - q) / ((1 - p) q)."""
        p, q = self.keep_probability, self.flip_probability
        return p * (1 - q) / ((1 - p) * q)

    def perturb(self, values: ArrayLike, noise: Noise) -> Bits:
        """One row of n_values bits for each person."""
        held = self._checked(values)
        reports = flip_coins(noise, int(self.flip_probability * GRID), len(held) * self.n_values)
        rows = reports.reshape(len(held), self.n_values)
        rows[np.arange(len(held)), held] = flip_coins(noise, int(self.keep_probability * GRID), len(held))
        return rows

    def count(self, reports: ArrayLike) -> Integers:
        """How many people set each bit."""
        counts: Integers = np.asarray(reports).sum(axis=0, dtype=np.int64)
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetricUnary(UnaryResponse):
    """SUE: every bit is flipped with the same probability 1 / (1 + e^(epsilon/2)), rounded up."""

    @property
    def keep_probability(self) -> Fraction:
        """p, e^(epsilon/2) / (e^(epsilon/2) + 1) rounded down."""
        return Fraction(keep_threshold(self.epsilon / 2), GRID)

    @property
    def flip_probability(self) -> Fraction:
        """1 - p, so the worst ratio is (p / (1 - p))^2."""
        return 1 - self.keep_probability


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalUnary(UnaryResponse):
    """OUE: the true bit is an even coin, another one is set with probability 1 / (e^epsilon + 1), rounded up.

    >>> response = OptimalUnary(epsilon=2, n_values=3)
    >>> reports = response.perturb([0] * 300 + [2] * 700, SeededNoise(1))
    >>> response.estimate(response.count(reports), 1000).round().tolist()
    [259.0, 41.0, 745.0]
    >>> round(response.variance(1000) ** 0.5, 1)
    26.9
    """

    @property
    def keep_probability(self) -> Fraction:
        """A bit that is 1 stays 1 with probability one half."""
        return Fraction(1, 2)

    @property
    def flip_probability(self) -> Fraction:
        """q, so the worst ratio is (1 - q) / q."""
        return 1 - Fraction(keep_threshold(self.epsilon), GRID)
