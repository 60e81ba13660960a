"""Clustering coefficients of GS-LDP (Algorithms 5 and 6: NLDP-CC, ELDP-CC), as published, as protocols to be simulated.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithms 5 and 6
Unit       edge (Algorithm 6) or node (Algorithm 5); one entry of a list, or the whole list
Trust      local
Guarantee  claimed epsilon, refuted: the triangle counts within it have none (`gs_ldp_triangles`)
Estimator  2 T' / (d' (d' - 1)), claimed unbiased; it has neither a mean nor a variance, since d' comes as near to 0
           and 1 as it likes
Cost       that of the triangle counts, and a number up
Differs    our readings: those of the triangle counts; epsilon is split .1, .35, .35, .2 (`shares`); coefficients are
           cut to 0..1, without which errors have no end; degrees have discrete noise on a grid of 1 / 1024

Degrees get noise of scale 1 / epsilon (edge), or are cut at the threshold and get threshold / epsilon (node). Those
scales are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.protocol import Estimate, RoundContext, Transcript
from graphveil.local.randomizers import AddedLaplace
from graphveil.papers.gs_ldp.triangles import DEFAULT_SHARES, PublishedCounts
from graphveil.privacy.guarantee import PublishedClaim
from graphveil.privacy.unit import Kind

DEGREE_PARTS = 2**10


class PublishedCoefficients:
    """What both algorithms add to triangle counts: a noisy degree, and a division by it."""

    __slots__ = ()
    statistic: ClassVar[str] = "clustering"
    n_shares: ClassVar[int] = 4

    @property
    def claim(self: Any) -> PublishedClaim:
        """Theorem 12 or 15, refuted with the theorems they rest on."""
        base = self.lists(2).claim
        theorem = "Theorem 15" if self.kind is Kind.EDGE else "Theorem 12"
        statement = f"Algorithm {6 if self.kind is Kind.EDGE else 5} satisfies epsilon-{self.unit}-LDP"
        return PublishedClaim(f"Fu et al. 2024, {theorem}", statement, base.verdict, base.reason, base.true_epsilon)

    def messages(self: Any, context: RoundContext, choice: int = 0) -> Messages:
        """Those of the triangle counts; in round 3 also a noisy degree."""
        threshold: int = context.published[0] if context.published else 2
        changes = 1 if self.kind is Kind.EDGE else threshold
        degree = AddedLaplace(self.part(3), DEGREE_PARTS * changes)
        counts = PublishedCounts.messages(self, context, choice)
        return Messages(counts.unit, (*counts.parts, Message("noisy degree", degree, round=3)))

    def exact(self: Any, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """In round 3 also the degree, in parts, cut at the threshold under the unit node."""
        values = PublishedCounts.exact(self, context, lists)
        if context.round < 3:
            return values
        shown = lists.degrees if self.kind is Kind.EDGE else np.minimum(lists.degrees, context.published[0])
        return {**values, "noisy degree": DEGREE_PARTS * shown}

    def batch(self: Any, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> Any:
        """In round 3 a row of a count and a degree."""
        parts = list(drawn.values())
        return parts[0] if len(parts) == 1 else np.column_stack(parts)

    def sequence(self: Any, transcript: Transcript) -> Floats:
        """The estimated triangles of every person, from the reports of the last round."""
        triangles: Floats = self.counts(transcript.published[0]).estimate(transcript.received[2].batch[:, 0])
        return triangles

    def estimate(self: Any, transcript: Transcript) -> Estimate:
        """The coefficient of each person; the facts say how many had to be cut to 0..1."""
        degrees = transcript.received[2].batch[:, 1] / DEGREE_PARTS
        raw = divided(self.sequence(transcript), degrees)
        outside = float(((raw < 0) | (raw > 1)).mean())
        return Estimate(np.clip(raw, 0.0, 1.0), facts={**self.facts(transcript), "cut": outside})


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeClustering(PublishedCoefficients, PublishedCounts):
    """Algorithm 6 of the paper (ELDP-CC)."""

    unit: ClassVar[str] = "edge"

    shares: tuple[str, ...] = DEFAULT_SHARES[4]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeClustering(PublishedCoefficients, PublishedCounts):
    """Algorithm 5 (NLDP-CC); the paper's experiments take Level .5."""

    unit: ClassVar[str] = "node"

    level: Fraction = Fraction(1, 2)
    shares: tuple[str, ...] = DEFAULT_SHARES[4]


CUT_RATIO = "a ratio of noisy numbers that is cut to 0..1 has an unknown bias"


def divided(triangles: Floats, degrees: Floats) -> Floats:
    """2 T / (d (d - 1)), and 0 where that has no value."""
    pairs = degrees * (degrees - 1) / 2
    return np.divide(triangles, pairs, out=np.zeros(len(triangles)), where=pairs != 0)
