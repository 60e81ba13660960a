"""Triangles of every person in two rounds without caps or shrinkage: the nearest sound kin of GS-LDP's Algorithms 3, 4.

Paper      our repair of Fu et al. 2024, Algorithms 3 and 4
Unit       edge or node; one entry of one person's friend list, or all of it
Trust      local
Guarantee  pure epsilon; for a friendship 1.55 epsilon (edge) or 2 epsilon (node)
Estimator  unbiased but for bounds that lists pass; edge: then cut to what a list of that length can hold
Cost       one or two numbers and half a bit for each person up; one bit for each pair of people down
Differs    which pairs are answered for is public, not made of lists; bounds are everybody's own (edge)

Edge: .1, .45 and .45 of epsilon for the length of a list, an answer and a count. `triangles.counts` has the count's
sensitivity, here with the largest cap there is.

Node: a list may change everywhere. It holds at most n - 1 pairs to answer for, each gets an (n - 1)-th of epsilon / 2.
The list is cut to its first `threshold` entries; with t of them the corrected count lies between -q t (t - 1) / 2 and
(1 - q) t (t - 1) / 2, a range of threshold (threshold - 1) / 2, for which noise of epsilon / 2 is added. The result is
of no use: an answer tells friends from strangers by epsilon / (4 n), so noise is divided by that. A person's own count
cannot do much better: two lists that differ by a range of C cannot be told apart from epsilon-private messages of their
owner without a mean error of C / (1 + e^epsilon) on one of them. That is a statement about a person's own messages;
each friendship also stands in the friend's list, and through those more is possible in principle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import count_reports, for_everybody
from graphveil.local.lists import Lists
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import LAPLACE95, Estimate, LocalProtocol, RoundContext, Transcript
from graphveil.local.triangles.counts import Budget, Counted, Limits, Schedule, SizeLimits
from graphveil.local.triangles.design import Design, Strength, Target
from graphveil.local.triangles.order import NumberParity
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.veil import TWO_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSequence(TriangleProtocol):
    """Edge privacy. Public: `salt`, of what stands for the answers of absent people.

    >>> float(PlainSequence(epsilon=1, n_people=100).guarantee.relationship_epsilon)
    1.55
    """

    statistic: ClassVar[str] = "triangle-sequence"
    name: ClassVar[str] = "plain"
    reach95: ClassVar[float] = LAPLACE95
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    salt: int = 0

    def make_design(self) -> Design:
        """A tenth for the length, the rest in halves; as many noisy edges as there can be."""
        budget = Budget(size=self.epsilon / 10, pairs=self.epsilon * 9 / 20, count=self.epsilon * 9 / 20)
        return _design(Strength(budget, SizeLimits(None)), self.salt, estimate_plainly)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlainSequence(TriangleProtocol):
    """Node privacy. Public: how many entries of a list are counted (0: the root of the number of people)."""

    statistic: ClassVar[str] = "triangle-sequence"
    name: ClassVar[str] = "plain"
    unit: ClassVar[str] = "node"
    reach95: ClassVar[float] = LAPLACE95
    schedule: ClassVar[Schedule] = (("pairs",), ("count",))

    salt: int = 0
    threshold: int = 0

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if self.threshold == 0:
            object.__setattr__(self, "threshold", max(2, math.isqrt(self.n_people)))
        if not 2 <= self.threshold <= 2**16:
            raise ParameterError(f"threshold must lie in 2..65536, not at {self.threshold}")
        self.response(RoundContext())  # refuses where an answer would say nothing

    def make_design(self) -> Design:
        """Half for all answers together, half for the count."""
        budget = Budget(pairs=self.epsilon / 2 / (self.n_people - 1), count=self.epsilon / 2)
        return _design(Strength(budget, _ThresholdLimits(self.threshold)), self.salt, estimate_node_counts)

    def counted_lists(self, context: RoundContext, lists: Lists) -> Lists:
        """The first entries of a list."""
        places = np.arange(len(lists.indices)) - np.repeat(lists.indptr[:-1], lists.degrees)
        return lists.entries(places < self.threshold)

    def variance(self) -> float:
        """Of everybody's count: its own noise, and flipped answers about all pairs of a counted list."""
        context = RoundContext()
        widths = self.widths(context, np.array([self.threshold]))
        own = float(self.design.noise(self.budget(context).count).variances(widths)[0]) / self.gain(context) ** 2
        return own + math.comb(self.threshold, 2) * self.response(context).variance


@dataclass(frozen=True, slots=True)
class _ThresholdLimits(Limits):
    """The same bound for everybody, and noise for the whole range of a count."""

    threshold: int

    def bounds(self, numbers: Mapping[str, Integers], most: Integers, budget: Budget, notice: int) -> Integers:
        """The public threshold as the bound of every person."""
        return np.full(len(most), self.threshold)

    def widths(self, bounds: Integers, response: PairResponse, weight: int) -> Integers:
        """All pairs of a list as long as the bound."""
        wide: Integers = PARTS * (bounds * (bounds - 1) // 2)
        return wide


def estimate_plainly(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Counts, cut to 0 .. bound (bound - 1) / 2; whoever did not answer is given the mean."""
    (reports,) = count_reports(protocol, transcript)
    bounds = protocol.bounds(RoundContext(), reports.people, {"size": reports.lengths})
    cut = np.clip(reports.counts, 0, bounds * (bounds - 1) / 2)
    std = for_everybody(protocol, reports.people, np.sqrt(reports.variances), np.nan)
    return Estimate(for_everybody(protocol, reports.people, cut, float(cut.mean())), std=std)


def estimate_node_counts(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Counts as they come; 0 for whoever did not answer."""
    assert isinstance(protocol, NodePlainSequence)
    received = transcript.received[1]
    value = for_everybody(protocol, received.people, received.batch["count"] / protocol.gain(RoundContext()), 0.0)
    return Estimate(value, std=math.sqrt(protocol.variance()), facts={"threshold": protocol.threshold})


def _design(strength: Strength, salt: int, target: Target) -> Design:
    return Design(order=NumberParity(), strengths=(strength,), target=target, counted=Counted.ALL, salt=salt)
