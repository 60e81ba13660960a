"""A count released on a smoothed ladder, with an interval that rests on a second noisy number.

The noise of a ladder depends on the private ladder, so its size may not be published for free. Where some integer of
known sensitivity bounds the ladder (the most common neighbours of a pair, the largest degree), it is released too, with
discrete Laplace noise; from there on everything about the error of the count is public.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Protocol

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile
from graphveil.statistics.ladder.accuracy import NoisyLadder
from graphveil.statistics.ladder.error_sum import FAILURES

LEAST_EPSILON = Fraction(1, 10_000)  # of a query with ladders: the smallest of its shares can still be drawn


@dataclass(frozen=True, slots=True)
class NoisyBound:
    """An integer with discrete Laplace noise of this rate."""

    noisy: int
    rate: Fraction

    def upper(self, failure: float) -> int:
        """An integer that the true one passes with at most this probability."""
        return self.noisy + discrete_laplace_quantile(self.rate, 1 - 2 * failure)


def interval_share(epsilon: Fraction) -> Fraction:
    """The part of epsilon that the bound gets: more where its noise would drown it."""
    if epsilon >= Fraction(1, 2):
        return Fraction(1, 20)
    return Fraction(1, 10) if epsilon >= Fraction(1, 10) else Fraction(3, 20)


class BoundedNoise(Protocol):
    """A query whose noise is known as soon as its bound is; it is public and can be hashed."""

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this bound, at failure probabilities."""
        ...

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the noise, at most, in any graph with this bound."""
        ...

    def bound_grid(self, n_nodes: int) -> Integers:
        """Values of the bound, from the least to the largest that it can have for public reasons."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class CountError:
    """The error of a count whose noise depends on a bound that is only known with noise."""

    bound: NoisyBound
    query: BoundedNoise
    n_nodes: int

    @property
    def half_widths(self) -> list[int]:
        """Distances between value and truth that are kept with the probabilities in LEVELS."""
        return [rule(self.bound.noisy) for rule in width_rules(self.query, self.n_nodes, self.bound.rate)]

    def widths_at_upper(self, failure: float) -> Floats:
        """Half-widths at `error_sum.FAILURES`, valid unless the bound passes an upper end that fails this often."""
        return self.query.law_widths(self._possible(self.bound.upper(failure)), FAILURES, self.n_nodes)

    @property
    def std(self) -> float:
        """Standard deviation, as if the noisy bound were the true one."""
        return self.query.law_std(self._possible(self.bound.noisy), self.n_nodes)

    def _possible(self, bound: int) -> int:
        grid = self.query.bound_grid(self.n_nodes)
        return min(max(int(grid[0]), bound), int(grid[-1]))


@lru_cache(maxsize=64)  # of public parameters only
def width_rules(query: BoundedNoise, n_nodes: int, rate: Fraction) -> tuple[Callable[[int], int], ...]:
    """From a noisy bound to half-widths, one rule for each of LEVELS; everything about them is public."""
    table = NoisyLadder.build(partial(query.law_widths, n_nodes=n_nodes), query.bound_grid(n_nodes), rate)
    return tuple(table.rule(1 - level) for level in LEVELS)


@dataclass(frozen=True, slots=True)
class NoisyCount:
    """A released count and what is known about its error."""

    value: int
    bound: NoisyBound
    error: CountError


def count_accuracy(value: int, error: CountError, support: tuple[float, float]) -> Accuracy:
    """Bands at all levels around a released count."""
    widths = zip(LEVELS, error.half_widths, strict=True)
    bands = tuple(Band(level, float(width), float(width)) for level, width in widths)
    return Accuracy(value, error.std, bands, support=support)
