"""Degrees in bins that grow like a power: one degree each at the low end, ever wider ones above.

On a logarithmic scale a bound that nobody can pass, the number of people less one, costs only a few bins more than the
largest degree that really occurs. So the bound need not be guessed, and nothing about the data goes into the bins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class DegreeBins:
    """Bins of the degrees 0..max_degree: single degrees up to `singles`, then each starts `ratio` times as far out.

    >>> DegreeBins(max_degree=40, singles=3, ratio=Fraction(2)).edges.tolist()
    [0, 1, 2, 3, 4, 8, 16, 32, 41]
    """

    max_degree: int
    singles: int
    ratio: Fraction

    def __post_init__(self) -> None:
        if self.max_degree < 1:
            raise ParameterError(f"the largest degree must be at least 1, not {self.max_degree}")
        if self.singles < 0 or self.ratio < 1:
            raise ParameterError(f"bins need singles >= 0 and a ratio >= 1, not {self.singles} and {self.ratio}")

    @cached_property
    def edges(self) -> Integers:
        """Where each bin starts, and one past the end."""
        edges = list(range(min(self.singles, self.max_degree) + 2))
        while edges[-1] <= self.max_degree:
            edges.append(max(edges[-1] + 1, round(edges[-1] * self.ratio)))
        edges[-1] = self.max_degree + 1
        return np.array(edges, dtype=np.int64)

    @property
    def n_bins(self) -> int:
        """How many bins there are."""
        return len(self.edges) - 1

    @cached_property
    def widths(self) -> Integers:
        """The number of degrees in each bin."""
        return np.diff(self.edges)

    @cached_property
    def centres(self) -> Floats:
        """The middle of each bin on the logarithmic scale; 1/2 stands for degree 0."""
        first, last = np.maximum(self.edges[:-1], 0.5), np.maximum(self.edges[1:] - 1, 0.5)
        return np.asarray(np.sqrt(first * last))

    def place(self, degrees: ArrayLike) -> Integers:
        """The bin of each degree; a degree above max_degree counts as max_degree."""
        clamped = np.minimum(np.asarray(degrees, dtype=np.int64), self.max_degree)
        return np.searchsorted(self.edges, clamped, side="right").astype(np.int64) - 1

    def average(self, by_degree: Floats) -> Floats:
        """Mean over the degrees of each bin, of the last axis."""
        return np.asarray(np.add.reduceat(by_degree, self.edges[:-1], axis=-1) / self.widths)

    def spread_evenly(self, shares: Floats) -> Floats:
        """From the share of each bin to the share of each degree, all degrees of a bin alike."""
        return np.repeat(shares / self.widths, self.widths)

    def spread(self, shares: Floats) -> Floats:
        """From the share of each bin to the share of each degree: straight within a bin on log-log axes."""
        density = np.log(np.maximum(shares / self.widths, 1e-300))
        degrees = np.log(np.maximum(np.arange(self.max_degree + 1), 0.5))
        shape = np.exp(np.interp(degrees, np.log(self.centres), density))
        owner = np.repeat(np.arange(self.n_bins), self.widths)
        total = np.bincount(owner, shape, minlength=self.n_bins)
        return np.asarray(shape * (shares / total)[owner])


@lru_cache(maxsize=64)
def degree_bins(max_degree: int, singles: int, ratio: Fraction) -> DegreeBins:
    """The bins, kept ready: protocols ask for them with every report."""
    return DegreeBins(max_degree=max_degree, singles=singles, ratio=ratio)


def loose_bound(n_people: int) -> int:
    """A public bound for methods whose cost grows with it: 20 sqrt(n), at most n - 1.

    The largest degree of a social network grows about like the root of its size; whoever has more counts as the bound.
    """
    return max(1, min(n_people - 1, 20 * math.isqrt(n_people)))
