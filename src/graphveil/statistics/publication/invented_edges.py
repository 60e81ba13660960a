"""How many edges of a published graph are invented: bounds from what was published, and what to expect.

The law is that of `statistics.publication.noisy_pairs`. Of N pairs m are edges; y noisy bits are 1; s pairs are
published, an even choice of the ones, or all of them and an even choice of the rest. N, y and s are known, and m lies
in a known range.

Given y and m, let T be the true edges among those published. Give an edge the weight e^rate, another pair e^-rate, and
every pair one of three states: published, a one that is not, or a zero. The polynomial prod (1 + weight_i (x_i + z)) is
real stable, so are its coefficient of z^(y - s) and of that the part of degree s in x (Borcea, Branden, Liggett 2009):
T is distributed like a sum of independent indicators. So is U, the edges left out, if s > y: it is the same with zeros
and ones exchanged. Of such sums

- the mean lies within 1 of the mode (Darroch 1964), and the mode of Fisher's law of the edges among the ones is the
  largest x with w (m + 1 - x) (y + 1 - x) >= x (N - m - y + x), w = e^(2 rate); what is published has s / y of them;
- P(|T - mean| > L / 3 + sqrt(L^2 / 9 + 2 V L)) <= e^-L on either side (Bernstein), V = mean (1 - mean / s).

T grows with m. So the ends of T are those at the ends of m; each of the four tails, two of m and two of T, has a
quarter of the failure probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, Value, discrete_laplace_quantile

Range: TypeAlias = tuple[float, float]
ROUNDING = 1e-7  # relative, of the root of a quadratic
TAILS = 4


@dataclass(frozen=True, slots=True)
class PublishedPairs:
    """How many pairs there are, how many have a noisy bit of 1, and how many were published; the rate of the bits."""

    pairs: int
    ones: float
    size: int
    rate: Fraction

    def true_edges(self, edges: float, shift: float = 0.0) -> float:
        """The mean of those published, up to 1; with a shift of -1 or 1 a bound of it."""
        least, most = max(0.0, edges + self.ones - self.pairs), min(edges, self.ones)
        mode = min(max(self._mode(edges), least), most)
        ones_true = min(max(mode + shift * (1 + ROUNDING * mode), least), most)
        if self.size <= self.ones:
            return ones_true * self.size / max(1, self.ones)
        return edges - (edges - ones_true) * (self.pairs - self.size) / (self.pairs - self.ones)

    def true_ends(self, edges: Range, failure: float) -> Range:
        """What the true edges stay within if their number lies in this range."""
        low, high = (self.true_edges(m, shift) for m, shift in zip(edges, (-1, 1), strict=True))
        depth = math.log(1 / failure)
        low -= _reach(self._variance(edges[0]), depth)
        high += _reach(self._variance(edges[1]), depth)
        return max(0.0, math.ceil(low)), min(float(self.size), math.floor(edges[1]), math.floor(high))

    def expected(self, edges: float) -> int:
        """How many invented edges are to be expected."""
        return min(self.size, max(0, round(self.size - self.true_edges(edges))))

    def scope(self, edges: KnownEdges, note: str) -> str:
        """What a number of invented edges speaks of, and how many they are about, where that is known."""
        about = f"invented ones among {self.size:,} published edges"
        if not self.size:
            about = "missing edges, as none is published"
        elif edges.is_fair:
            about += f", about {percent(self.expected(edges.estimate) / self.size)} of them"
        return f"{about}; {note}" if note else about

    def _variance(self, edges: float) -> float:
        """Of a sum of indicators, those published or those left out: the most for a mean that is known up to 1."""
        means, terms = [self.true_edges(edges, shift) for shift in (-1, 1)], self.size
        if self.size > self.ones:
            means, terms = [edges - true for true in reversed(means)], self.pairs - self.size
        worst = min(max(terms / 2, means[0]), means[1])
        return max(0.0, worst * (1 - worst / max(1, terms)))

    def _mode(self, edges: float) -> float:
        """Of the edges among the ones; Fisher's law with both sides of the condition divided by w."""
        inverse = math.exp(-2 * float(self.rate))
        square = -math.expm1(-2 * float(self.rate))
        linear = edges + self.ones + 2 + (self.pairs - edges - self.ones) * inverse
        constant = (edges + 1) * (self.ones + 1)
        return math.floor(2 * constant / (linear + math.sqrt(max(0.0, linear**2 - 4 * square * constant))))


@dataclass(frozen=True, slots=True)
class KnownEdges:
    """An estimate of the number of edges, and a range that it leaves with a given probability at most."""

    estimate: float
    within: Callable[[float], Range]

    @property
    def is_fair(self) -> bool:
        """Whether it is known well enough to reckon with: up to a factor of 2, but for a chance of 5 %."""
        low, high = self.within(0.05)
        return high <= 2 * low or high <= 1

    @classmethod
    def from_ones(cls, estimate: float, ones: float, pairs: int, rate: Fraction) -> KnownEdges:
        """From the number of ones, a sum of independent bits of variance q (1 - q), q = 1 / (1 + e^rate), each."""
        flip = flip_chance(rate)

        def within(failure: float) -> Range:
            reach = _reach(pairs * flip * (1 - flip), math.log(2 / failure))
            low, high = ((ones + sign * reach - pairs * flip) / (1 - 2 * flip) for sign in (-1, 1))
            return min(max(0.0, math.floor(low)), pairs), min(max(0.0, math.ceil(high)), pairs)

        return cls(estimate, within)

    @classmethod
    def from_count(cls, noisy: float, pairs: int, rate: Fraction) -> KnownEdges:
        """From a count with discrete Laplace noise, cut to what is possible."""

        def within(failure: float) -> Range:
            reach = discrete_laplace_quantile(rate, 1 - failure)
            return max(0.0, noisy - reach), min(noisy + reach, pairs)

        return cls(noisy, within)

    def half_true(self, pairs: int, rate: Fraction) -> str:
        """What would make half of as many published edges true, where that is more than there is and known."""
        needed = math.log(pairs / self.estimate - 1) if 0 < 2 * self.estimate < pairs else 0.0
        if needed <= rate or not self.is_fair:
            return ""
        return f"half of them true would need {needed / float(rate):.2g} times this epsilon"


def invented_accuracy(value: Value, published: PublishedPairs, edges: KnownEdges, note: str) -> Accuracy:
    """How many of the published edges are invented; how many are missing if there are none."""
    ends = {level: _ends(published, edges, level) for level in LEVELS}
    low, high = ends[LEVELS[0]]
    center = round((low + high) / 2)
    if edges.is_fair:
        center = published.expected(edges.estimate) if published.size else round(edges.estimate)
    bands = tuple(Band(level, max(0.0, center - low), max(0.0, high - center)) for level, (low, high) in ends.items())
    support = (0, published.size or published.pairs)
    return Accuracy(value, None, bands, support=support, scope=published.scope(edges, note), center=center)


def invented_forecast(published: PublishedPairs, edges: KnownEdges, note: str) -> Accuracy:
    """At most how many will be invented, or missing, for a guess of what will be published."""
    bands = tuple(Band(level, 0.0, _ends(published, edges, level)[1]) for level in LEVELS)
    return Accuracy(0, None, bands, support=(0, math.inf), scope=published.scope(edges, note))


def _ends(published: PublishedPairs, edges: KnownEdges, confidence: float) -> Range:
    if not published.size:
        return edges.within(1 - confidence)
    tail = (1 - confidence) / TAILS
    low, high = published.true_ends(edges.within(2 * tail), tail)
    return published.size - high, published.size - low


def flip_chance(rate: Fraction | float) -> float:
    """Probability that a noisy bit is wrong, q."""
    return 1 / (1 + math.exp(min(float(rate), 700.0)))


def expected_ones(edges: float, pairs: int, rate: Fraction) -> float:
    """How many noisy bits are 1, on average."""
    return edges + (pairs - 2 * edges) * flip_chance(rate)


def _reach(variance: float, depth: float) -> float:
    """What a sum of independent indicators passes with a probability of e^-depth at most, on one side."""
    return depth / 3 + math.sqrt(depth**2 / 9 + 2 * variance * depth)


def percent(share: float) -> str:
    """To two digits.

    >>> percent(0.0263), percent(0.37), percent(0.996)
    ('2.6 %', '37 %', '100 %')
    """
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:,.0f} %"
