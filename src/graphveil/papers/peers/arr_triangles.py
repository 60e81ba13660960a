"""Number of triangles with thinned reports (ARR-Full, ARR-OneNS, ARR-TwoNS), its clipping made sound.

Paper      Imola, Murakami and Chaudhuri 2022 (USENIX Security)
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 1.1 epsilon for a friendship
Estimator  unbiased while no list passes its cap or bound
Cost       two numbers and half a bit for each person up; down, two numbers for each reported pair a person may need
Differs    noisy edges are capped greedily, since clipping each friend's count is not stable; lists are not cut

Whoever has the higher number answers for a pair and counts it. Reports of friends and strangers are thinned alike, so
that a friend is reported with probability mu. Of the noisy graph a person looks at everything (Full), at pairs whose
higher end the person has reported as a friend (OneNS), or at pairs of which both have been (TwoNS); mu is the given
share, its square root or its cube root, so that all keep about as many triangles.

Sensitivity. Full and TwoNS: `triangles.counts`, for TwoNS with the reported friends as the counted list. OneNS: the
pairs looked at are counted greedily too, with cap bound - 1 in a graph where all know each other; one more entry raises
the capped edges by 0..cap and those pairs by 0..bound-1, so the larger of cap and c (bound - 1) is enough. What was
reported is public. Clipping each friend's count by itself, as published, fails: one popular entry may move all of them
at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import Looks, count_in_bits
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.triangles.counts import Counted, Schedule
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import Publication
from graphveil.local.triangles.total import Total
from graphveil.papers.peers.local2rounds import (
    DEGREES_FIRST,
    DegreeLimits,
    degree_answers,
    published_budget,
    published_design,
)

MARGIN = 150  # added to a noisy degree, as published
LOST = 1e-6  # how often a cap may bind
ERR_TOGETHER = "one answer decides what is looked at and is counted by others, so that counts err together"


@dataclass(frozen=True, slots=True)
class ThinnedLimits(DegreeLimits):
    """Caps that friends who all know each other pass once in a million times, where pairs have `sides` to be seen."""

    sides: int

    def caps(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """The cap on noisy edges at one person, from a Chernoff bound."""
        chance = float(response.friend_probability) ** (1 + self.sides)
        return np.maximum(1, np.minimum(bounds - 1, chernoff_caps(bounds, chance)))

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """Where one side has to be seen, pairs are counted too: the larger of both changes."""
        if self.sides != 1:
            return DegreeLimits.widths(self, bounds, response, weight)
        caps = self.caps(bounds, response, weight)
        wide: Integers = np.maximum(PARTS * caps, response.flip_parts * (bounds - 1))
        return wide


class Thinned:
    """What the three forms share: reports of which some are dropped, `sides` of a triangle that have to be reported."""

    __slots__ = ()

    schedule: ClassVar[Schedule] = DEGREES_FIRST
    sides: ClassVar[int]

    def __post_init__(self: Any) -> None:
        LocalProtocol.__post_init__(self)
        if not 0 < self.share <= 1:
            raise ParameterError(f"share must lie above 0 and at or below 1, not at {self.share}")

    def make_design(self: Any) -> Design:
        """The parts of Local2Rounds, thinned so that a friend's report has probability mu, or as often as without.

        A triangle is counted if its pair is reported, and so are the sides that have to be. What answers do to the
        total is known where none has to be.
        """
        budget = published_budget(self.epsilon)
        mu = Fraction(float(self.share) ** (1 / (1 + self.sides))).limit_denominator(PARTS)
        kept = min(Fraction(1), mu / PairResponse(budget.pairs).friend_probability)
        strength = Strength(budget, ThinnedLimits(MARGIN, self.n_people, self.sides))
        target = Total(None if self.sides else degree_answers)
        seen = PairResponse(budget.pairs, kept).friend_probability ** self.sides
        return replace(published_design(strength, Counted.OWNED, target), kept=kept, times_counted=seen)

    def download_bits(self: Any) -> float:
        """Reported pairs of strangers, two numbers each: all, or those lower than a person with reported sides."""
        n, reported = self.n_people, float(self.response(RoundContext()).flip_probability)
        pairs = (n - 1) * (n - 2) / 6 if self.sides else n * (n - 1) / 2
        return float(pairs * reported ** (1 + self.sides) * 2 * number_bits(n))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrFull(Thinned, TriangleProtocol):
    """Public parameter: `share`, about the share of triangles that the noisy graph keeps.

    >>> round(ArrTwoNs(epsilon=1, n_people=4039).cost().download_bits_per_user / 1e6, 2)
    1.69
    """

    name: ClassVar[str] = "arr-full"
    sides: ClassVar[int] = 0

    share: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrOneNs(Thinned, TriangleProtocol):
    """Pairs whose higher end is a reported friend."""

    name: ClassVar[str] = "arr-one-ns"
    sides: ClassVar[int] = 1
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    share: Fraction = Fraction(1, 10)

    def corrected_counts(self, context: RoundContext, lists: Lists, bounds: Integers, choice: int = 0) -> Integers:
        """Capped edges less the share of capped pairs that noise alone makes, over the pairs looked at."""
        publication: Publication = context.published[-1]
        counted = self.counted_lists(context, lists)
        missing = (~publication.graph.reported(counted)).astype(np.int32)
        looks = Looks(np.zeros_like(missing), missing)
        edges = publication.graph.count(counted, self.contribution_caps(context, bounds, choice), looks)
        pairs = count_in_bits(counted, np.empty((0, 0), dtype=np.uint8), bounds - 1, looks)
        corrected: Integers = PARTS * edges - self.response(context).flip_parts * pairs
        return corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrTwoNs(Thinned, TriangleProtocol):
    """ARR-TwoNS: everybody counts only pairs of friends who both reported them."""

    name: ClassVar[str] = "arr-two-ns"
    sides: ClassVar[int] = 2
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    share: Fraction = Fraction(1, 10)

    def counted_lists(self, context: RoundContext, lists: Lists) -> Lists:
        """Friends of lower numbers who were reported."""
        lower = TriangleProtocol.counted_lists(self, context, lists)
        publication: Publication = context.published[-1]
        return lower.entries(publication.graph.reported(lower))


def chernoff_caps(bounds: Integers, chance: float) -> Integers:
    """Least k with b exp(-b D(k / b | chance)) <= `LOST`, D the divergence of two coins."""
    low, high = np.asarray(bounds * chance), bounds.astype(np.float64)
    wanted = np.log(bounds / LOST) / bounds
    for _ in range(40):
        middle = (low + high) / 2
        enough = _divergence(middle / bounds, chance) >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.ceil(high).astype(np.int64)


def _divergence(x: Floats, chance: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = np.where(x < 1, (1 - x) * np.log((1 - x) / (1 - chance)), 0.0)
    return np.asarray(x * np.log(x / chance) + rest)
