"""What all pages about the number of triangles share: noisy pairs, then noisy counts of them.

Everybody answers for some pairs by randomised response; the noisy graph is published; everybody counts the noisy edges
within a part of the own list, corrects the count for the pairs that noise alone makes, adds noise and sends it.

    F = m f - c h       f: noisy edges within the counted list, at most `cap` at each person on it (`NoisyGraph.count`)
                        m: one pair in m is looked at
                        c: probability that two strangers are reported as friends, a fraction of 2^16
                        h: pairs of the counted list, growing by bound - 1 for each person beyond the bound

Sensitivity (for cap <= bound - 1). One person more on a counted list of s people raises f by d, 0 <= d <= min(cap, s),
and h by min(s, bound - 1). So F changes by at least -c (bound - 1), and by at most m min(cap, s) - c min(s, bound - 1),
which grows while s <= cap and falls from there: at most (m - c) cap. Noise for a change of the larger of (m - c) cap
and c (bound - 1) is enough, for lists of any length: none is cut. 2^16 F is a whole number for every list, so the noise
lives on one public grid. Caps, bounds and roles come from what was released before, never from a list.

A page says in which round what is sent (`schedule`), and how epsilon is divided.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.contribution_caps import capped_pairs
from graphveil.local.pairs.count import one_pair_in
from graphveil.local.pairs.replies import reply
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import PUBLIC_ROSTER, Estimate, Floats, RoundContext, Transcript
from graphveil.local.triangles.messages import Batch, Board, TriangleMessages, numbers_of
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.staircase import add_personal_staircase, staircase_variance
from graphveil.privacy.guarantee import Guarantee

FARTHEST = 29  # noise for a change of 1 at epsilon 1 goes farther with a probability below 2^-40


@dataclass(frozen=True, slots=True)
class Budget:
    """Epsilon of each part of a page's messages."""

    degree: Fraction = Fraction(0)
    size: Fraction = Fraction(0)
    pairs: Fraction = Fraction(0)
    count: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglePage(TriangleMessages):
    """The rounds, the messages and the estimate; pages add roles, bounds and the division of epsilon."""

    statistic: ClassVar[str] = "triangles"
    unit: ClassVar[str] = "edge"
    times_counted: ClassVar[int] = 1  # how many people count each triangle

    @abstractmethod
    def budget(self, context: RoundContext) -> Budget:
        """How epsilon is divided, given what was published."""

    @abstractmethod
    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """The part of each list that its owner counts in."""

    @abstractmethod
    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """Up to which size of a counted list nothing is lost, at least 2; from public and released values."""

    @abstractmethod
    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """Most noisy edges accepted at one person on a counted list, from 1 to bound - 1."""

    @property
    @abstractmethod
    def relationship_epsilon(self) -> Fraction:
        """What one friendship costs, both lists taken together."""

    @property
    def one_in(self) -> int:
        """One pair in so many is looked at."""
        return 1

    @property
    def weight(self) -> int:
        """What one noisy edge counts for: m, where one pair in m is asked about or looked at."""
        return self.one_in

    def response(self, context: RoundContext) -> PairResponse:
        """How a pair is reported."""
        return PairResponse(self.budget(context).pairs)

    def check_messages(self) -> None:
        """An answer about a pair has to say something."""
        self.response(RoundContext())

    @property
    def guarantee(self) -> Guarantee:
        """Epsilon for one entry of a list, and what a friendship costs."""
        return self.promise(self.relationship_epsilon, PUBLIC_ROSTER)

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Batch:
        """What this round asks for, part by part."""
        parts = {"degree": self._degree, "size": self._size, "pairs": self._pairs, "count": self._count}
        return {part: parts[part](context, lists, noise) for part in self.schedule[context.round - 1]}

    def _degree(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        return add_personal_laplace(noise, lists.degrees, self.budget(context).degree)

    def _size(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        return add_personal_laplace(noise, self.counted(context, lists).degrees, self.budget(context).size)

    def _pairs(self, context: RoundContext, lists: Lists, noise: Noise) -> Any:
        return reply(lists, self.asked(context), self.response(context), noise)

    def _count(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        bounds = self.bounds(context, lists.people, context.sent)
        values = self.corrected_counts(context, lists, bounds)
        return self.add_noise(noise, values, self.budget(context).count, self.widths(context, bounds))

    def add_noise(self, noise: Noise, values: Integers, epsilon: Fraction, widths: Integers) -> Integers:
        """Noise for a change of each value by up to its width."""
        return add_personal_staircase(noise, values, epsilon, widths)

    def noise_variances(self, epsilon: Fraction, widths: Integers) -> Floats:
        """Of that noise."""
        return staircase_variance(epsilon, widths)

    def corrected_counts(self, context: RoundContext, lists: Lists, bounds: Integers) -> Integers:
        """2^16 F for each list."""
        board: Board = context.published[-1]
        counted = self.counted(context, lists)
        looks = one_pair_in(counted, self.one_in, board.key)
        edges = board.graph.count(counted, self.caps(context, bounds), looks)
        pairs = capped_pairs(counted.degrees, bounds)
        corrected: Integers = PARTS * self.weight * edges - self.response(context).flip_parts * pairs
        return corrected

    def widths(self, context: RoundContext, bounds: Integers) -> Integers:
        """By how much one entry can change 2^16 F."""
        parts = self.response(context).flip_parts
        wide: Integers = np.maximum((PARTS * self.weight - parts) * self.caps(context, bounds), parts * (bounds - 1))
        return wide

    def estimate(self, transcript: Transcript) -> Estimate:
        """The sum of all corrected counts, over the gain of a friend's report."""
        context = RoundContext(self.rounds, transcript.published)
        value = float(self.believed(context, transcript).sum() / self.gain(context))
        noise = self.noise_variance(context, transcript)
        answers = self.answer_variance(context, transcript, value, noise)
        facts = {"noise_std": math.sqrt(noise)}
        if answers is None:
            return Estimate(value, facts=facts)
        hidden = self.hidden_by_caps(context, transcript, value)
        facts |= {"answers_std": math.sqrt(answers), "hidden_by_caps": hidden}
        return Estimate(value, std=math.sqrt(noise + answers + hidden**2), facts=facts)

    def believed(self, context: RoundContext, transcript: Transcript) -> Integers:
        """The counts, as far as they can be true."""
        counts: Integers = transcript.received[-1].batch["count"]
        return counts

    def answer_variance(
        self, context: RoundContext, transcript: Transcript, total: float, noise: float
    ) -> float | None:
        """What answers about pairs add to the variance of the total, where it is known; `noise` is that of counts."""
        return None

    def hidden_by_caps(self, context: RoundContext, transcript: Transcript, total: float) -> float:
        """What the total lacks on average because of caps, at most; nothing where none can bind."""
        return 0.0

    def range_of(self, part: str, context: RoundContext) -> tuple[float, float]:
        """A degree or a size among all others, a count on the longest list; and as far as noise goes."""
        others, far = self.n_people - 1, 1 + FARTHEST / float(getattr(self.budget(context), part))
        if part != "count":
            return -far, others + far
        longest = np.array([max(2, self.n_people)])
        far *= float(self.widths(context, longest)[0])
        low = self.response(context).flip_parts * float(capped_pairs(np.array([others]), longest)[0])
        return -low - far, PARTS * self.weight * float(self.caps(context, longest)[0]) * others / 2 + far

    def gain(self, context: RoundContext) -> float:
        """What one triangle adds to the sum of all 2^16 F."""
        return float(PARTS * self.response(context).gain * self.times_counted)

    def noise_variance(self, context: RoundContext, transcript: Transcript) -> float:
        """Of the noise of the last round alone, known from what was released."""
        people = transcript.received[-1].people
        sent = [numbers_of(people, received) for received in transcript.received[:-1]]
        widths = self.widths(context, self.bounds(context, people, sent))
        return float(self.noise_variances(self.budget(context).count, widths).sum()) / self.gain(context) ** 2
