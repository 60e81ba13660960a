"""What protocols for the triangles of every person share: two rounds, raw counts and their variances.

Everybody sends the noisy length of the list that will be counted, and answers for the pairs that they own; the noisy
graph is published; everybody counts in it (`triangle_page` has the count and its sensitivity). A page says how epsilon
is divided, which pairs are asked about, and whether entries that their person answers for are counted too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.protocol import LAPLACE95, Cost, Floats, RoundContext, Transcript
from graphveil.local.triangles.messages import Batch, numbers_of
from graphveil.local.triangles.protocol import TrianglePage
from graphveil.local.triangles.split_roles import list_bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class SequencePage(TrianglePage):
    """What protocols for triangles of every person share. Public: `salt`, another choice of pairs to be asked about."""

    statistic: ClassVar[str] = "triangle-sequence"
    rounds: ClassVar[int] = 2
    reach95: ClassVar[float] = LAPLACE95
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("size", "pairs"), ("count",))

    salt: int = 0

    @property
    def splits(self) -> bool:
        """Whether entries that their person answers for are left out of the count."""
        return False

    @property
    def kept(self) -> float:
        """The share of a list that is counted."""
        return 1 - 1 / (2 * self.weight) if self.splits else 1.0

    @property
    def relationship_epsilon(self) -> Fraction:
        """Both entries of a friendship are counted or answered for; one of them, at most, is both."""
        budget = self.budget(RoundContext())
        counted = budget.size + budget.count
        return counted + max(counted, budget.pairs) if self.splits else 2 * counted + budget.pairs

    def asked(self, context: RoundContext) -> AskedPairs:
        """All pairs, or a public choice of them."""
        return AskedPairs(self.n_people, Fraction(1, self.weight), self.salt)

    @property
    def everything(self) -> AskedPairs:
        """What is published is what was asked about."""
        return self.asked(RoundContext())

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """The list, or what is left of it."""
        return self.asked(context).without_owned(lists) if self.splits else lists

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The noisy length and a margin."""
        return list_bounds(sent[0]["size"], self.budget(context).size, np.full(len(people), self.n_people - 1))

    def raw_counts(self, transcript: Transcript) -> tuple[Integers, Floats]:
        """Of everybody who answered both rounds: the noisy length, and an unbiased count of triangles."""
        people = transcript.received[1].people
        lengths: Integers = numbers_of(people, transcript.received[0])["size"]
        return lengths, transcript.received[1].batch["count"] / self.scale

    @property
    def scale(self) -> float:
        """What one triangle adds to a report."""
        return self.gain(RoundContext()) * self.kept**2

    def noise_of_counts(self, lengths: Integers) -> Floats:
        """The variance of each count's own noise."""
        context, people = RoundContext(), np.zeros(len(lengths), dtype=np.int64)
        widths = self.widths(context, self.bounds(context, people, [{"size": lengths}]))
        return np.asarray(self.noise_variances(self.budget(context).count, widths) / self.scale**2)

    def count_variances(self, lengths: Integers) -> Floats:
        """Of each count: its own noise, and flipped answers about as many pairs as the length stands for."""
        pairs = np.maximum(lengths, 0) * np.maximum(lengths - 1, 0) / 2
        answers = pairs * self.response(RoundContext()).variance * self.weight / self.kept**4
        return np.asarray(self.noise_of_counts(lengths) + answers)

    def choice_variances(self, lengths: Integers, triangles: Floats) -> Floats:
        """What the public choice of pairs and of entries adds, for about so many triangles spread evenly over a list.

        A pair that one in m is asked about and that is reported with probability r adds (m - 1) r^2, an entry that is
        left out takes 2 T / d triangles along.
        """
        response, size = self.response(RoundContext()), np.maximum(lengths, 1.0)
        p, q, gain = (float(x) for x in (response.friend_probability, response.flip_probability, response.gain))
        reported = p**2 * triangles * self.kept**2 + q**2 * size * (size - 1) / 2
        of_pairs = (self.weight - 1) * reported / (gain**2 * self.kept**4)
        return np.asarray(of_pairs + (1 - self.kept) * 4 * triangles**2 / size)

    def whole_sequence(self, people: Integers, values: Floats, absent: float) -> Floats:
        """Everybody's value, where those who did not answer get the same."""
        everybody = np.full(self.n_people, absent)
        everybody[people] = values
        return everybody

    def cost(self) -> Cost:
        """A length, a count and a bit for each pair owned up; a bit for each pair asked about down."""
        pairs = self.n_people * (self.n_people - 1) / 2 / self.weight
        return Cost(2 * 64 + pairs / self.n_people, 128 + pairs)
