"""Number of triangles in two rounds (Local2Rounds), as published, under edge and under node privacy.

Paper      Imola, Murakami and Chaudhuri 2021; the node form is how Fu et al. 2024 compare with it, in our reading
Unit       edge or node; one entry of one person's friend list, or all of it
Trust      local
Guarantee  pure epsilon; the claim holds; under edge privacy 1.1 epsilon for a friendship
Estimator  unbiased while nobody passes the noisy maximum degree
Cost       a number, then another, and half a bit for each person up; one bit for each pair of people down
Differs    the noise is discrete; the lists of people above the maximum are not cut, their pairs are counted less

Whoever has the higher number answers for a pair and counts it. The collector publishes the noisy graph and the largest
noisy degree D. A tenth of epsilon goes to degrees, the rest in halves to answers and counts.

Sensitivity, edge: as in `triangles.counts` with cap = bound - 1 and bound = D + 1; that needs noise for a change of
(1 - q) D, the paper takes D. An entry that the person answers for costs everything, any other one the degree alone.
Node: all n - 1 answers may differ, so each gets an (n - 1)-th of its share; a degree lies in 0..n-1; with cap and bound
as above a count lies between -q h(n - 1) and f, which is at most D (n - 1) / 2; noise for that whole range is enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, pairs_variance, unbiased_pairs
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import RoundContext, Transcript
from graphveil.local.randomizers import ScaledLaplace
from graphveil.local.triangles.counts import Budget, Counted, Limits, Schedule, capped_pairs
from graphveil.local.triangles.design import Design, Strength, Target
from graphveil.local.triangles.order import NumberOrder
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import Answers, Total
from graphveil.privacy.guarantee import PublishedClaim, Verdict

PAPER = "Imola, Murakami and Chaudhuri 2021"
CLAIM = "Local2Rounds{} satisfies epsilon-{}-LDP"
DEGREES_FIRST: Schedule = (("degree", "pairs"), ("count",))


@dataclass(frozen=True, slots=True)
class LargestDegree(Limits):
    """One bound for everybody: one more than the largest noisy degree, which is announced with the noisy graph."""

    n_people: int

    def announce(self, numbers: Mapping[str, Integers]) -> int:
        """Publish the largest noisy degree, which bounds all lists."""
        return int(np.clip(numbers["degree"].max(), 1, self.n_people - 1))

    @property
    def notices(self) -> range:
        """Any degree that a person can have, but for 0."""
        return range(1, self.n_people)

    def bounds(self, numbers: Mapping[str, Integers], most: Integers, budget: Budget, notice: int) -> Integers:
        """One more than what was announced, which is a degree that can be."""
        return np.full(len(most), max(1, min(notice, self.n_people - 1)) + 1)

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """The largest noisy degree, as published."""
        return PARTS * (bounds - 1)


@dataclass(frozen=True, slots=True)
class WholeRange(LargestDegree):
    """The same bound, and noise for the whole range of a corrected count."""

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """From the lowest to the highest count that any list can have."""
        others = np.full(len(bounds), self.n_people - 1)
        most_edges = np.minimum((bounds - 1) * others // 2, others * (others - 1) // 2)
        lowest = response.flip_parts * capped_pairs(others, bounds)
        wide: Integers = np.maximum(1, PARTS * most_edges + lowest)
        return wide


class TwoRounds:
    """What all forms share; they differ in unit, in the entries that are counted and in the target."""

    __slots__ = ()

    name: ClassVar[str] = "local2rounds"
    schedule: ClassVar[Schedule] = DEGREES_FIRST
    counted: ClassVar[Counted] = Counted.ALL
    target: ClassVar[Target]

    @property
    def claim(self: Any) -> PublishedClaim:
        """Edge-LDP or node-LDP (in our reading, at errors far beyond the count itself); both hold."""
        if self.unit == "edge":
            reason = (
                "a count of noisy pairs changes by less than the noisy maximum degree, by which its noise is scaled"
            )
            return PublishedClaim(PAPER, CLAIM.format("", "edge"), Verdict.HOLDS, reason, self.epsilon)
        reason = "every message is scaled by all that a whole list can change in it"
        paper = f"{PAPER}, extended by Fu et al. 2024"
        return PublishedClaim(paper, CLAIM.format("-Node", "node"), Verdict.HOLDS, reason, self.epsilon)

    def make_design(self: Any) -> Design:
        """The higher number answers for a pair; under the unit node every message has noise for a whole list."""
        if self.unit == "edge":
            strength = Strength(published_budget(self.epsilon), LargestDegree(self.n_people))
        else:
            strength = whole_list_strength(self.epsilon, self.n_people)
        return published_design(strength, self.counted, self.target)


def published_budget(epsilon: Fraction) -> Budget:
    """A tenth for degrees, the rest in halves for answers and counts."""
    return Budget(degree=epsilon / 10, pairs=epsilon * 9 / 20, count=epsilon * 9 / 20)


def whole_list_strength(epsilon: Fraction, n_people: int) -> Strength:
    """The same shares under the unit node: for n - 1 entries in degrees and answers, for the whole range in counts."""
    budget, others = published_budget(epsilon), n_people - 1
    spread = Budget(degree=budget.degree / others, pairs=budget.pairs / others, count=budget.count)
    return Strength(spread, WholeRange(n_people))


def published_design(strength: Strength, counted: Counted, target: Target) -> Design:
    """What published protocols share: the higher number answers for a pair; Laplace noise on counts."""
    return Design(order=NumberOrder(), strengths=(strength,), target=target, counted=counted, noise=ScaledLaplace)


def degree_answers(
    protocol: TriangleProtocol, context: RoundContext, transcript: Transcript, _total: float, noise: float
) -> Answers:
    """By how many people count the same pair, were all pairs of friends counted: that errs on the wide side."""
    received, response = transcript.received[0], protocol.response(context)
    degrees, epsilon = received.batch["degree"], protocol.budget(context).degree

    def measure(people: int) -> Overlap:
        chosen = np.sort(received.people[np.argsort(degrees)[-people:]])[::-1]
        return measure_overlap(context.published[-1].graph.among(chosen), response)

    pairs = unbiased_pairs(degrees, epsilon) + math.sqrt(pairs_variance(degrees, epsilon))
    of_strangers = answer_variance(measure, pairs, float(degrees.sum()), response, noise)
    p, q = response.friend_probability, response.flip_probability
    return Answers(of_strangers * max(1.0, float(p * (1 - p) / (q * (1 - q)))))


@dataclass(frozen=True, slots=True)
class DegreeLimits(Limits):
    """Bounds of whole lists: noisy degrees and a margin; caps as wide as there is room."""

    margin: int
    n_people: int

    def bounds(self, numbers: Mapping[str, Integers], most: Integers, budget: Budget, notice: int) -> Integers:
        """The noisy degree and the margin, cut to 2..n-1."""
        bounds: Integers = np.clip(numbers["degree"] + self.margin, 2, max(2, self.n_people - 1))
        return bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Local2Rounds(TwoRounds, TriangleProtocol):
    """Edge privacy; no parameters.

    >>> Local2Rounds(epsilon=1, n_people=100).guarantee.relationship_epsilon
    Fraction(11, 10)
    """

    counted: ClassVar[Counted] = Counted.OWNED
    target: ClassVar[Target] = Total(degree_answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLocal2Rounds(TwoRounds, TriangleProtocol):
    """Node privacy: every share of epsilon is spread over all that one list can change. Kept to show the price."""

    unit: ClassVar[str] = "node"
    why_no_interval: ClassVar[str] = "the noise of degrees hides how many pairs are counted, and so what answers do"
    counted: ClassVar[Counted] = Counted.OWNED
    target: ClassVar[Target] = Total()
