"""Triangle counts of GS-LDP (Algorithms 3 and 4: NLDP-TS, ELDP-TS), as published, as protocols that can be simulated.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithms 1, 2, 3 and 4
Unit       edge (Algorithm 4) or node (Algorithm 3); one entry of a list, or the whole list
Trust      local
Guarantee  claimed epsilon, refuted: no epsilon holds (`grouped_degrees`, `pruned_lists`)
Estimator  claimed unbiased; biased, since the noisy graph lacks most strangers' pairs, and pruning cuts hubs
Cost       a group number and L bits, threshold ids with bits, and a count up; the threshold and the noisy graph down
Differs    our readings: epsilon is split .1, .45, .45 (`shares`); the threshold comes from shares of degrees that are
           cut at 0 and made to add up to 1 (`threshold_rule`); a pair is joined if either end's bit says so
           (`construction`)

Round 1: Algorithm 1; the threshold is the first degree up to which the estimated shares add up to `level`. The paper
does not say what becomes of negative shares. Added up as they come (`threshold_rule=raw`) they cross the level
anywhere: on ego-Facebook at epsilon 1 between 24 and 1,049 in six runs, where the true degrees give 187. Cut at 0 they
give 293 to 349: too many, since cutting adds to the tail, but steady. Round 2: lists pruned to the threshold, bits
flipped, ids and bits sent; the noisy graph is published. Round 3: the pairs of pruned friends that are joined,
corrected and with noise. As a number of all triangles: a third of the sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import Cost, Estimate, LocalProtocol, RoundContext, Transcript
from graphveil.local.randomizers import AddedLaplace, AnyTwoValues
from graphveil.mechanisms.noise.bernoulli import GRID, keep_threshold
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.gs_ldp.degrees import GroupInTheClear
from graphveil.papers.gs_ldp.grouped_degrees import GroupedDegrees
from graphveil.papers.gs_ldp.noisy_triangles import NoisyTriangles
from graphveil.papers.gs_ldp.pruned_lists import PrunedLists, Travel
from graphveil.papers.gs_ldp.pruned_network import (
    CONSTRUCTIONS,
    JoinedGraph,
    PrunedReports,
    count_joined,
    join,
    prune,
    pruned_friends,
)
from graphveil.papers.gs_ldp.study_protocol import NeverSent
from graphveil.privacy.guarantee import PublishedClaim
from graphveil.privacy.unit import Kind

FLIP_PARTS = 2**24
THRESHOLD_RULES = ("normalised", "raw")
DEFAULT_SHARES = {3: ("1/10", "9/20", "9/20"), 4: ("1/10", "7/20", "7/20", "1/5")}


@dataclass(frozen=True, slots=True)
class PrunedInTheClear(AnyTwoValues):
    """Algorithm 2 and the bits after it as a message; its epsilon is what the paper charges, for the bits."""

    epsilon: Fraction
    threshold: int
    flip_probability: Fraction

    def draw(self, people: Integers, exact: Lists, noise: Noise) -> PrunedReports:
        """Whom each person lists, and a noisy bit about each of them."""
        return prune(exact, self.threshold, np.uint64(int((1 - self.flip_probability) * GRID)), noise)

    def distance(self, first: Lists, second: Lists) -> float:
        """1 for any two lists, as the paper has it."""
        return AnyTwoValues.distance(self, first.indices, second.indices)


def check_shares(shares: tuple[str, ...], count: int) -> None:
    """Refuse shares of epsilon that are not so many positive numbers that add up to 1."""
    try:
        parts = [Fraction(share) for share in shares]
    except (ValueError, ZeroDivisionError):
        parts = []
    if len(parts) != count or min(parts) <= 0 or sum(parts) != 1:
        raise ParameterError(
            f"shares are {count} positive numbers that add up to 1, such as {','.join(DEFAULT_SHARES[count])}, "
            f"not {','.join(shares)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCounts(NeverSent, LocalProtocol):
    """Public parameters: L (`group_width`), Level, and what the paper leaves open.

    That is how noisy shares of degrees give a threshold (`threshold_rule`), how epsilon is divided among the messages
    (`shares`), and how two ends' bits make a noisy graph (`construction`). A `threshold` above 0 is taken instead of
    the one that round 1 finds, to see what the rest does with a good one.
    """

    name: ClassVar[str] = "gs-ldp"
    rounds: ClassVar[int] = 3
    n_shares: ClassVar[int] = 3

    group_width: int = 10
    level: Fraction = Fraction(49, 50)
    construction: str = "either"
    threshold: int = 0
    threshold_rule: str = "normalised"
    shares: tuple[str, ...] = DEFAULT_SHARES[3]

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_shares(self.shares, self.n_shares)
        if self.threshold_rule not in THRESHOLD_RULES:
            raise ParameterError(f"threshold_rule is {' or '.join(THRESHOLD_RULES)}, not {self.threshold_rule!r}")
        if not 0 < self.level <= 1:
            raise ParameterError(f"level is a share above 0 and at or below 1, not {self.level}")
        if self.construction not in CONSTRUCTIONS:
            raise ParameterError(f"pairs are joined by {', '.join(CONSTRUCTIONS)}, not {self.construction!r}")
        if self.n_people < 4:
            raise ParameterError(f"{self.name} prunes lists of at least 3 entries; {self.n_people} people are too few")

    def part(self, number: int) -> Fraction:
        """The epsilon of a message: the degree (0), the list (1), the count (2); in clustering a noisy degree (3)."""
        return Fraction(self.shares[number]) * self.epsilon

    @property
    def kind(self) -> Kind:
        """What the claim is about."""
        return Kind(self.unit)

    @property
    def claim(self) -> PublishedClaim:
        """Theorem 6 or 9, refuted."""
        return self.lists(2).claim

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """What the paper charges for each round; whatever is published under it says that the claim is refuted."""
        threshold: int = context.published[0] if context.published else 2
        counts = self.counts(threshold)
        return Messages(
            self.kind,
            (
                Message("degree", GroupInTheClear(self.degrees)),
                Message("lists", PrunedInTheClear(self.part(1), threshold, counts.flip_probability), round=2),
                Message("count", AddedLaplace(counts.epsilon, counts.steps), round=3),
            ),
        )

    @property
    def degrees(self) -> GroupedDegrees:
        """The degree step of the first round, Algorithm 1."""
        return GroupedDegrees(epsilon=self.part(0), group_width=self.group_width)

    def lists(self, threshold: int) -> PrunedLists:
        """Algorithm 2 and the randomised response after it."""
        epsilon = self.part(1)
        return PrunedLists(epsilon=epsilon, threshold=threshold, unit=self.kind, travel=Travel.IDS_AND_BITS)

    def counts(self, threshold: int) -> NoisyTriangles:
        """The second round of interaction."""
        kept = keep_threshold(self.lists(threshold).bit_epsilon)
        flip = Fraction(-(-(GRID - kept) * FLIP_PARTS // GRID), FLIP_PARTS)
        epsilon = self.part(2)
        return NoisyTriangles(epsilon=epsilon, threshold=threshold, unit=self.kind, flip_probability=flip)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """Round 1: the degree, for group and bits. Round 2: the list, for ids and bits. Round 3: a count."""
        if context.round == 1:
            return {"degree": lists.degrees}
        if context.round == 2:
            return {"lists": lists}
        friends, counts = pruned_friends(lists, context.sent[1]), self.counts(context.published[0])
        return {"count": counts.exact(count_joined(friends, context.published[1]), friends.degrees)}

    def publish(self, transcript: Transcript) -> int | JoinedGraph:
        """The threshold, then the noisy graph."""
        if len(transcript.received) == 1:
            return self._threshold(self.degrees.estimate(transcript.received[0].batch))
        reports: PrunedReports = transcript.received[1].batch
        return join(reports, self.construction)

    def _threshold(self, shares: Floats) -> int:
        if self.threshold_rule == "normalised" and (shares > 0).any():
            shares = np.maximum(shares, 0) / np.maximum(shares, 0).sum()
        reached = np.flatnonzero(np.cumsum(shares) >= float(self.level))
        found = int(reached[0]) if len(reached) else len(shares) - 1
        return min(max(self.threshold or found, 2), self.n_people - 2)

    def sequence(self, transcript: Transcript) -> Floats:
        """The estimated triangles of every person (line 17)."""
        return self.counts(transcript.published[0]).estimate(transcript.received[2].batch)

    def facts(self, transcript: Transcript) -> dict[str, Any]:
        """What was published in between."""
        return {"threshold": transcript.published[0], "noisy_edges": transcript.published[1].n_edges}

    def estimate(self, transcript: Transcript) -> Estimate:
        """Of each person, or a third of the sum."""
        counts = self.sequence(transcript)
        whole = self.statistic == "triangles"
        return Estimate(float(counts.sum()) / 3 if whole else counts, facts=self.facts(transcript))

    def cost(self) -> Cost:
        """As if the threshold were the root of the number of people; the noisy graph as ids of its pairs."""
        threshold, identity = math.isqrt(self.n_people), number_bits(self.n_people)
        groups = number_bits((self.n_people - 1) // self.group_width + 1) + self.group_width
        up = groups + threshold * (identity + 1) + 64
        flip = float(self.counts(max(2, threshold)).flip_probability)
        ones = self.n_people * threshold * flip
        return Cost(up, identity + 2 * identity * ones)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSequence(PublishedCounts):
    """Algorithm 4 of the paper (ELDP-TS)."""

    statistic: ClassVar[str] = "triangle-sequence"
    unit: ClassVar[str] = "edge"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSequence(PublishedCounts):
    """Algorithm 3 (NLDP-TS); the paper's experiments take Level .8."""

    statistic: ClassVar[str] = "triangle-sequence"
    unit: ClassVar[str] = "node"

    level: Fraction = Fraction(4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTotal(PublishedCounts):
    """Algorithm 4, added up over everybody."""

    statistic: ClassVar[str] = "triangles"
    unit: ClassVar[str] = "edge"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTotal(PublishedCounts):
    """Algorithm 3, added up over everybody."""

    statistic: ClassVar[str] = "triangles"
    unit: ClassVar[str] = "node"

    level: Fraction = Fraction(4, 5)
