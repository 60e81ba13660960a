"""Subset selection: a person reports a set of values that holds the true one more often than another one.

Papers: Ye and Barg 2018; Wang et al. 2016 (k-subset mechanism). All sets have the same public size; the true value is
in the set with probability p, and the rest of the set is an even choice among the other values.

Sensitivity: given the value, all C(n-1, size-1) sets that hold it are equally likely, and all C(n-1, size) others too.
So the probability of a report takes two values, p / C(n-1, size-1) and (1-p) / C(n-1, size), whatever the value, and
the worst ratio is theirs: p (n - size) / ((1 - p) size).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins, keep_threshold, sample_uniform
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetSelection(Response):
    """Public parameters; `size` is chosen from epsilon where it is not given.

    >>> selection = SubsetSelection(epsilon=1, n_values=10)
    >>> selection.size, selection.perturb([0, 4, 9], SeededNoise(2)).tolist()
    (3, [[0, 5, 6], [1, 2, 9], [0, 5, 7]])
    """

    size: int = 0

    def __post_init__(self) -> None:
        if self.size == 0:
            object.__setattr__(self, "size", best_size(float(self.epsilon), self.n_values))
        if not 1 <= self.size < self.n_values:
            raise ParameterError(f"a set of {self.n_values} values reports 1 to {self.n_values - 1}, not {self.size}")
        Response.__post_init__(self)

    @property
    def keep_probability(self) -> Fraction:
        """p, size e^epsilon / (size e^epsilon + n_values - size) rounded down."""
        return Fraction(self._threshold(), GRID)

    @property
    def flip_probability(self) -> Fraction:
        """That a given other value is in the set: (size - p) / (n_values - 1)."""
        return (self.size - self.keep_probability) / (self.n_values - 1)

    @property
    def worst_ratio(self) -> Fraction:
        """Between a set that holds one of two values and not the other."""
        p = self.keep_probability
        return p * (self.n_values - self.size) / ((1 - p) * self.size)

    def perturb(self, values: ArrayLike, noise: Noise) -> Integers:
        """One row of `size` values, rising, for each person."""
        held = self._checked(values)[:, np.newaxis]
        inside = flip_coins(noise, self._threshold(), len(held))
        others = self._shuffled_others(len(held), noise)
        others += others >= held
        others[inside, -1] = held[inside, 0]  # in a shuffle the last is any of them: the rest stays an even choice
        others.sort(axis=1)
        return others

    def count(self, reports: ArrayLike) -> Integers:
        """How many sets hold each value."""
        return np.bincount(np.ravel(np.asarray(reports)), minlength=self.n_values).astype(np.int64)

    def _shuffled_others(self, people: int, noise: Noise) -> Integers:
        """The first `size` of a shuffle of 0..n_values-2 for each person (Fisher and Yates)."""
        pool = np.tile(np.arange(self.n_values - 1, dtype=np.int64), (people, 1))
        everybody = np.arange(people)
        for place in range(self.size):
            chosen = place + sample_uniform(noise, self.n_values - 1 - place, people)
            drawn = pool[everybody, chosen]
            pool[everybody, chosen] = pool[:, place]
            pool[:, place] = drawn
        return pool[:, : self.size].copy()

    def _threshold(self) -> int:
        return keep_threshold(self.epsilon, near=self.size, far=self.n_values - self.size)


def best_size(epsilon: float, n_values: int) -> int:
    """The nearest whole number to n_values / (e^epsilon + 1), at least 1."""
    return max(1, round(n_values * math.exp(-epsilon) / (1 + math.exp(-epsilon))))
