"""Sums over time with Gaussian noise: the square root of the matrix of running sums, on whole numbers.

A number changes from step to step, and its value after every step is to be published. The running sums of the changes x
are A x, where A has ones on and below its diagonal. Its square root R has the entries r_k = C(2k, k) / 4^k on the k-th
diagonal below (R R = A). Let B be the matrix of the whole numbers round(1024 r_k). After step t, row t of B x gets
discrete Gaussian noise once; the value after step t is row t of A B^-1 times all noisy rows so far, which costs
nothing. Errors of the rows cancel in part, so the value has much less noise than a sum of noisy changes.

Theorem. Let the changes of two neighbouring streams differ by p - q, both without negative entries. Rows with discrete
Gaussian noise of variance parameter s^2 are rho-zCDP together, with rho = (|p|_1^2 + |q|_1^2) kappa^2 / (2 s^2) and
kappa^2 the squared length of the first column of B, also where later events depend on earlier answers. Proof: all
entries of B are at least 0, so |B (p - q)|^2 <= |B p|^2 + |B q|^2. No column is longer than the first, so |B p| is at
most |p|_1 kappa, and likewise for q. The rows thus differ by whole numbers whose squares add up to at most (|p|_1^2 +
|q|_1^2) kappa^2; a shift by d costs d^2 / (2 s^2) (Canonne, Kamath and Steinke 2020), and costs of rows add up. Row t
depends on the steps up to t alone, and the shifts stay within the bound on every path.

kappa grows with the number of steps, so it is fixed in advance, and nothing is drawn after it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import LEVELS

GRID = 1024
MOST_STEPS = 10_000  # whose weights are worked out in a second


@dataclass(frozen=True)
class Factor:
    """The rows of B for so many steps, and what each noisy row counts in a running sum.

    >>> Factor(3).entries.tolist(), Factor(3).squared_length
    ([1024, 512, 384], 1458176)
    """

    steps: int

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MOST_STEPS:
            raise ParameterError(f"Gaussian sums over time have 1 to {MOST_STEPS:,} steps, not {self.steps}")

    @cached_property
    def entries(self) -> Integers:
        """The entry of every diagonal of B, from the main one down."""
        ratios, exact = [Fraction(1)], Fraction(1)
        for k in range(1, self.steps):
            exact = Fraction(round(exact * (1 << 80)), 1 << 80) * Fraction(2 * k - 1, 2 * k)
            ratios.append(exact)
        return np.array([round(GRID * ratio) for ratio in ratios], dtype=np.int64)

    @cached_property
    def squared_length(self) -> int:
        """kappa^2, of the first column."""
        return sum(int(entry) ** 2 for entry in self.entries)

    @cached_property
    def weights(self) -> Floats:
        """What a noisy row counts in the value after its own step, in that one step later, and so on."""
        column = self.entries.astype(np.float64)
        weights = np.zeros(self.steps)
        for k in range(self.steps):  # B times the weights is a column of ones
            weights[k] = (1 - float(column[1 : k + 1] @ weights[:k][::-1])) / column[0]
        return weights

    def row(self, changes: Sequence[int]) -> int:
        """The exact entry of B x after the last of these changes."""
        return sum(int(entry) * change for entry, change in zip(self.entries, reversed(changes), strict=False))

    def value(self, rows: Sequence[int]) -> float:
        """The running sum after the last of these noisy rows."""
        return float(self.weights[: len(rows)][::-1] @ np.array(rows, dtype=np.float64))

    def std(self, sigma_squared: Fraction, step: int) -> float:
        """The deviation of the value after a step."""
        return math.sqrt(float(sigma_squared) * float((self.weights[:step] ** 2).sum()))

    def rms(self, sigma_squared: Fraction) -> float:
        """The root mean square error over all steps."""
        return math.sqrt(float(sigma_squared) * float(np.cumsum(self.weights**2).mean()))


def gaussian_reach(std: float, levels: Sequence[float] = LEVELS) -> tuple[float, ...]:
    """How far a weighted sum of discrete Gaussian noises lies from 0, at most: each is sub-Gaussian with its s^2."""
    return tuple(std * math.sqrt(2 * math.log(2 / (1 - level))) for level in levels)
