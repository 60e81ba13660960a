"""How many edges of a published graph are invented: bounds from what was published, and what to expect.

The law is that of `statistics.publication.noisy_pairs`. Of N pairs m are edges; y noisy bits are 1; s pairs are
published, an even choice of the ones, or all of them and an even choice of the rest. N, y and s are known, and m lies
in a known range. Every noisy bit is wrong with probability q.

- Of the m edges, m - Bin(m, q) are among the ones, and of the other pairs Bin(N - m, q), the rest of y. Each of the two
  binomial numbers bounds the edges among the ones.
- Given these, the true edges T among the published ones follow a hypergeometric law (all ones and a hypergeometric
  number of the rest if s > y). Its tails are below those of the binomial law (Hoeffding 1963).
- A sum of independent indicators of variance V passes its mean by more than L / 3 + sqrt(L^2 / 9 + 2 V L) with a
  probability of at most e^-L on either side (Bernstein).

T grows with m and with the edges among the ones. So its ends are those at their ends, and each tail gets an equal part
of the failure probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, Value, discrete_laplace_quantile

Range: TypeAlias = tuple[float, float]
TAILS = 8  # on either side: of m, of the two binomial numbers, of T


@dataclass(frozen=True, slots=True)
class PublishedPairs:
    """How many pairs there are, how many have a noisy bit of 1, and how many were published; the rate of the bits."""

    pairs: int
    ones: float
    size: int
    rate: Fraction

    def true_edges(self, edges: float, sign: int = 0, failure: float = 1.0) -> float:
        """The mean of those published; with a sign of -1 or 1 a bound below or above, where two tails fail so often."""
        depth, flip = math.log(1 / failure), flip_chance(self.rate)
        of_edges = edges * (1 - flip) + sign * _reach(edges * flip * (1 - flip), depth)
        of_others = self.ones - (self.pairs - edges) * flip + sign * _reach(self.pairs * flip * (1 - flip), depth)
        among = of_edges if not sign else sign * min(sign * of_edges, sign * of_others)
        among = min(max(among, 0.0, edges + self.ones - self.pairs), edges, self.ones)
        drawn, sure = float(self.size), 0.0
        if self.size <= self.ones:
            share = among / max(1.0, self.ones)
        else:
            drawn, sure, share = self.size - self.ones, among, (edges - among) / (self.pairs - self.ones)
        return sure + drawn * share + sign * _reach(drawn * share * (1 - share), depth)

    def true_ends(self, edges: Range, failure: float) -> Range:
        """What the true edges stay within if their number lies in this range; three tails on either side."""
        low, high = (self.true_edges(m, sign, failure) for m, sign in zip(edges, (-1, 1), strict=True))
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


def expected_true_share(edges: float, pairs: int, rate: Fraction) -> float:
    """The share of edges among the noisy bits that are 1, and so among as many of them as there are edges.

    >>> [round(expected_true_share(1539, 79800, Fraction(rate)), 2) for rate in (1, 3, 8)]
    [0.05, 0.28, 0.98]
    """
    return edges * (1 - flip_chance(rate)) / max(1.0, expected_ones(edges, pairs, rate))


def _reach(variance: float, depth: float) -> float:
    """How far a sum of indicators passes its mean on one side, but for a probability of e^-depth.

    The sum is the whole number next to its mean but for a probability of 2 V, which may be less than that.
    """
    if 2 * variance <= math.exp(-depth):
        return 2 * variance
    return depth / 3 + math.sqrt(depth**2 / 9 + 2 * variance * depth)


def percent(share: float) -> str:
    """To two digits.

    >>> percent(0.0263), percent(0.37), percent(0.996)
    ('2.6 %', '37 %', '100 %')
    """
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:,.0f} %"
