"""Triangles of every person in two rounds without caps or shrinkage: the nearest sound kin of GS-LDP's Algorithms 3, 4.

Paper      our repair of Fu et al. 2024, Algorithms 3 and 4
Unit       edge or node; one entry of one person's friend list, or all of it
Trust      local
Guarantee  pure epsilon; for a friendship 1.55 epsilon (edge) or 2 epsilon (node)
Estimator  unbiased but for bounds that lists pass; edge: then cut to what a list of that length can hold
Cost       one or two numbers and half a bit for each person up; one bit for each pair of people down
Differs    which pairs are answered for is public, not made of lists; bounds are everybody's own (edge)

Edge: .1, .45 and .45 of epsilon for the length of a list, an answer and a count. `triangle_page` has the count's
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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import SequencePage
from graphveil.local.degrees.protocol import WHOLE_LIST
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import Cost, Estimate, RoundContext, Transcript
from graphveil.local.triangles.messages import Batch
from graphveil.local.triangles.protocol import Budget, TrianglePage
from graphveil.privacy.guarantee import Guarantee


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSequence(SequencePage):
    """Edge privacy; no parameters of its own.

    >>> float(PlainSequence(epsilon=1, n_people=100).guarantee.relationship_epsilon)
    1.55
    """

    name: ClassVar[str] = "plain"

    def budget(self, context: RoundContext) -> Budget:
        """A tenth for the length, the rest in halves."""
        e = self.epsilon
        return Budget(size=e / 10, pairs=e * 9 / 20, count=e * 9 / 20)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """As many as there can be."""
        return bounds - 1

    def estimate(self, transcript: Transcript) -> Estimate:
        """Counts, cut to 0 .. bound (bound - 1) / 2."""
        people = transcript.received[1].people
        lengths, counts = self.raw_counts(transcript)
        bounds = self.bounds(RoundContext(), people, [{"size": lengths}])
        cut = np.clip(counts, 0, bounds * (bounds - 1) / 2)
        std = self.whole_sequence(people, np.sqrt(self.count_variances(lengths)), np.nan)
        return Estimate(self.whole_sequence(people, cut, float(cut.mean())), std=std)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlainSequence(PlainSequence):
    """Node privacy. Public: how many entries of a list are counted (0: the root of the number of people)."""

    unit: ClassVar[str] = "node"
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("pairs",), ("count",))

    threshold: int = 0

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if self.threshold == 0:
            object.__setattr__(self, "threshold", max(2, math.isqrt(self.n_people)))
        if not 2 <= self.threshold <= 2**16:
            raise ParameterError(f"threshold must lie in 2..65536, not at {self.threshold}")
        self.response(RoundContext())  # refuses where an answer would say nothing

    @property
    def guarantee(self) -> Guarantee:
        """Epsilon for a list, twice that for a friendship."""
        return self.promise(2 * self.epsilon, *WHOLE_LIST)

    def budget(self, context: RoundContext) -> Budget:
        """Half for all answers together, half for the count."""
        return Budget(pairs=self.epsilon / 2 / (self.n_people - 1), count=self.epsilon / 2)

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """The first entries of a list."""
        places = np.arange(len(lists.indices)) - np.repeat(lists.indptr[:-1], lists.degrees)
        return lists.entries(places < self.threshold)

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The same for everybody."""
        return np.full(len(people), self.threshold)

    def widths(self, context: RoundContext, bounds: Integers) -> Integers:
        """The whole range of a count."""
        wide: Integers = PARTS * (bounds * (bounds - 1) // 2)
        return wide

    def estimate(self, transcript: Transcript) -> Estimate:
        """Counts as they come."""
        received = transcript.received[1]
        value = self.whole_sequence(received.people, received.batch["count"] / self.scale, 0.0)
        return Estimate(value, std=math.sqrt(self.variance()), facts={"threshold": self.threshold})

    def variance(self) -> float:
        """Of everybody's count: its own noise, and flipped answers about all pairs of a counted list."""
        widths = self.widths(RoundContext(), np.array([self.threshold]))
        own = float(self.noise_variances(self.budget(RoundContext()).count, widths)[0]) / self.scale**2
        return own + math.comb(self.threshold, 2) * self.response(RoundContext()).variance

    def cost(self) -> Cost:
        """A bit for each pair owned and a count up; a bit for each pair down."""
        return Cost(64 + (self.n_people - 1) / 2, 128 + self.n_people * (self.n_people - 1) / 2)
