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

Sensitivity. Full and TwoNS: `triangle_page`, for TwoNS with the reported friends as the counted list. OneNS: the pairs
looked at are counted greedily too, with cap bound - 1 in a graph where all know each other; one more entry raises the
capped edges by 0..cap and those pairs by 0..bound-1, so the larger of cap and c (bound - 1) is enough. What was
reported is public. Clipping each friend's count by itself, as published, fails: one popular entry may move all of them
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.count import Looks, count_in_bits
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import Floats, RoundContext, Transcript
from graphveil.local.triangles.messages import Batch, Board
from graphveil.local.triangles.protocol import TrianglePage
from graphveil.papers.peers.local2rounds import LaplaceCounts, length_bounds

MARGIN = 150  # added to a noisy degree, as published
LOST = 1e-6  # how often a cap may bind
ERR_TOGETHER = "one answer decides what is looked at and is counted by others, so that counts err together"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrFull(LaplaceCounts):
    """Public parameter: `share`, about the share of triangles that the noisy graph keeps.

    >>> round(ArrTwoNs(epsilon=1, n_people=4039).cost().download_bits_per_user / 1e6, 2)
    1.69
    """

    name: ClassVar[str] = "arr-full"
    rounds: ClassVar[int] = 2
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("degree", "pairs"), ("count",))
    reported_sides: ClassVar[int] = 0

    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if not 0 < self.share <= 1:
            raise ParameterError(f"share must lie above 0 and at or below 1, not at {self.share}")

    def response(self, context: RoundContext) -> PairResponse:
        """Reports thinned so that a friend's has probability mu, or as often as it is without thinning."""
        plain = PairResponse(self.budget(context).pairs)
        mu = Fraction(float(self.share) ** (1 / (1 + self.reported_sides))).limit_denominator(PARTS)
        return PairResponse(plain.epsilon, min(Fraction(1), mu / plain.friend_probability))

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The noisy degree and the margin."""
        return length_bounds(sent[0]["degree"], MARGIN, self.n_people)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """A cap that friends who all know each other pass once in a million times (a Chernoff bound)."""
        chance = float(self.response(context).friend_probability) ** (1 + self.reported_sides)
        return np.maximum(1, np.minimum(bounds - 1, chernoff_caps(bounds, chance)))

    def gain(self, context: RoundContext) -> float:
        """A triangle is seen if the pair is reported, and so are the sides that have to be."""
        seen = self.response(context).friend_probability ** self.reported_sides
        return float(seen) * TrianglePage.gain(self, context)

    def download_bits(self) -> float:
        """All pairs of strangers that are reported, two numbers each."""
        pairs = self.n_people * (self.n_people - 1) / 2
        return pairs * self._reported * 2 * number_bits(self.n_people)

    def answer_variance(
        self, context: RoundContext, transcript: Transcript, total: float, noise: float
    ) -> float | None:
        """Known where everything is looked at."""
        return None if self.reported_sides else LaplaceCounts.answer_variance(self, context, transcript, total, noise)

    @property
    def _reported(self) -> float:
        return float(self.response(RoundContext()).flip_probability)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrOneNs(ArrFull):
    """Pairs whose higher end is a reported friend."""

    name: ClassVar[str] = "arr-one-ns"
    reported_sides: ClassVar[int] = 1
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    share: Fraction = Fraction(1, 10)

    def corrected_counts(self, context: RoundContext, lists: Lists, bounds: Integers) -> Integers:
        """Capped edges less the share of capped pairs that noise alone makes, over the pairs looked at."""
        board: Board = context.published[-1]
        counted = self.counted(context, lists)
        missing = (~board.graph.reported(counted)).astype(np.int32)
        looks = Looks(np.zeros_like(missing), missing)
        edges = board.graph.count(counted, self.caps(context, bounds), looks)
        pairs = count_in_bits(counted, np.empty((0, 0), dtype=np.uint8), bounds - 1, looks)
        corrected: Integers = PARTS * edges - self.response(context).flip_parts * pairs
        return corrected

    def widths(self, context: RoundContext, bounds: Integers) -> Integers:
        """The larger of both changes."""
        wide: Integers = np.maximum(
            PARTS * self.caps(context, bounds), self.response(context).flip_parts * (bounds - 1)
        )
        return wide

    def download_bits(self) -> float:
        """Reported pairs lower than a person, with a reported higher end."""
        triples = (self.n_people - 1) * (self.n_people - 2) / 6
        return triples * self._reported ** (1 + self.reported_sides) * 2 * number_bits(self.n_people)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrTwoNs(ArrFull):
    """Pairs of reported friends."""

    name: ClassVar[str] = "arr-two-ns"
    reported_sides: ClassVar[int] = 2
    why_no_interval: ClassVar[str] = ERR_TOGETHER

    share: Fraction = Fraction(1, 10)

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """Friends of lower numbers who were reported."""
        lower = LaplaceCounts.counted(self, context, lists)
        board: Board = context.published[-1]
        return lower.entries(board.graph.reported(lower))

    def download_bits(self) -> float:
        """Reported pairs lower than a person, with both ends reported."""
        return ArrOneNs.download_bits(self)  # type: ignore[arg-type]


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
