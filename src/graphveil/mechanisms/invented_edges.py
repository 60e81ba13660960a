"""How many edges of a published graph are invented: bounds from what was published, and what to expect.

The law is that of `mechanisms.noisy_pairs`. Of N pairs m are edges; y noisy bits are 1; s pairs are published, an even
choice of the ones, or all of them and an even choice of the rest. N, y and s are known, and m lies in a known range.

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
EdgeRange: TypeAlias = Callable[[float], Range]  # a range that the number of edges leaves with this probability at most
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
        low -= _reach(self._variance(low, edges[0]), depth)
        high += _reach(self._variance(high, edges[1]), depth)
        return max(0.0, math.ceil(low)), min(float(self.size), math.floor(edges[1]), math.floor(high))

    def _variance(self, true: float, edges: float) -> float:
        """Of a sum of indicators: of those published, or of those left out."""
        mean, terms = (true, self.size) if self.size <= self.ones else (edges - true, self.pairs - self.size)
        return max(0.0, mean * (1 - mean / max(1, terms)))

    def _mode(self, edges: float) -> float:
        """Of the edges among the ones; Fisher's law with both sides of the condition divided by w."""
        inverse = math.exp(-2 * float(self.rate))
        square = -math.expm1(-2 * float(self.rate))
        linear = edges + self.ones + 2 + (self.pairs - edges - self.ones) * inverse
        constant = (edges + 1) * (self.ones + 1)
        return math.floor(2 * constant / (linear + math.sqrt(max(0.0, linear**2 - 4 * square * constant))))


def edges_from_ones(ones: int, pairs: int, rate: Fraction) -> EdgeRange:
    """From the number of ones, a sum of independent bits of variance q (1 - q), q = 1 / (1 + e^rate), each."""
    flip = flip_chance(rate)

    def within(failure: float) -> Range:
        reach = _reach(pairs * flip * (1 - flip), math.log(2 / failure))
        low, high = ((ones + sign * reach - pairs * flip) / (1 - 2 * flip) for sign in (-1, 1))
        return min(max(0.0, math.floor(low)), pairs), min(max(0.0, math.ceil(high)), pairs)

    return within


def edges_from_count(noisy: float, pairs: int, rate: Fraction) -> EdgeRange:
    """From a count with discrete Laplace noise, cut to what is possible."""

    def within(failure: float) -> Range:
        reach = discrete_laplace_quantile(rate, 1 - failure)
        return max(0.0, noisy - reach), min(noisy + reach, pairs)

    return within


def invented_accuracy(value: Value, published: PublishedPairs, edges: float, known: EdgeRange, note: str) -> Accuracy:
    """How many of the published edges are invented, if there are about so many edges and surely as many as is known."""
    size, expected = published.size, _expected(published, edges)
    ends = [_invented_ends(published, known, level) for level in LEVELS]
    bands = tuple(
        Band(level, max(0.0, expected - low), max(0.0, high - expected))
        for level, (low, high) in zip(LEVELS, ends, strict=True)
    )
    return Accuracy(value, None, bands, support=(0, size), scope=_scope(expected, size, note), center=expected)


def invented_forecast(edges: float, pairs: int, rate: Fraction, known: EdgeRange, note: str) -> Accuracy:
    """At most how many will be invented, if there are so many edges and as many are published."""
    published = PublishedPairs(pairs, expected_ones(edges, pairs, rate), round(edges), rate)
    size, expected = published.size, _expected(published, edges)
    bands = tuple(Band(level, 0.0, _invented_ends(published, known, level)[1]) for level in LEVELS)
    std = math.sqrt(expected * (1 - expected / max(1, size)))
    return Accuracy(0, std, bands, support=(0, size), scope=_scope(expected, size, note))


def _expected(published: PublishedPairs, edges: float) -> int:
    return min(published.size, max(0, round(published.size - published.true_edges(edges))))


def _invented_ends(published: PublishedPairs, known: EdgeRange, confidence: float) -> Range:
    tail = (1 - confidence) / TAILS
    low, high = published.true_ends(known(2 * tail), tail)
    return published.size - high, published.size - low


def flip_chance(rate: Fraction | float) -> float:
    """Probability that a noisy bit is wrong, q."""
    return 1 / (1 + math.exp(min(float(rate), 700.0)))


def expected_ones(edges: float, pairs: int, rate: Fraction) -> float:
    """How many noisy bits are 1, on average."""
    return edges + (pairs - 2 * edges) * flip_chance(rate)


def needed_epsilon(edges: float, pairs: int, share: Fraction) -> str:
    """From which epsilon on half of the published edges are true, if the matrix has this share of it."""
    if not 0 < 2 * edges < pairs:
        return ""
    return f"half of them true would need an epsilon of {math.log(pairs / edges - 1) / float(share):.2g}"


def _scope(expected: int, size: int, note: str) -> str:
    about = f"invented ones among {size:,} published edges, about {percent(expected / max(1, size))} of them"
    if not size:
        about = "invented edges, as none is published"
    return f"{about}; {note}" if note and 2 * expected >= size else about


def _reach(variance: float, depth: float) -> float:
    """What a sum of independent indicators passes with a probability of e^-depth at most, on one side."""
    return depth / 3 + math.sqrt(depth**2 / 9 + 2 * variance * depth)


def percent(share: float) -> str:
    """To two digits.

    >>> percent(0.0263), percent(0.37), percent(0.996)
    ('2.6 %', '37 %', '100 %')
    """
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:,.0f} %"
