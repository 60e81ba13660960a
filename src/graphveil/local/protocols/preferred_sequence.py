"""Triangles of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `veil_sequence`, each report with the probabilities and the variance of its own strength
Cost       three numbers and a bit for each pair a person answers for up; a bit for each pair asked about down

The split design of `veil_sequence`. Answers are given at the weakest epsilon on offer, by everybody alike, so that one
correction fits the whole noisy graph; what a person adds by picking more goes into the length and the count, whose
noise is their own. Counts of larger epsilon have less variance and are moved less; nothing has to be weighed by hand.

Sensitivity: an entry that its person answers for costs the weakest epsilon, which is at most the one picked; any other
one costs a fifth (length) and four fifths (count) of the one picked. The choice is sent in the clear, so it must not be
made to depend on the list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers, Lists
from graphveil.local.page import Cost, Estimate, Transcript, Turn
from graphveil.local.pairs.replies import reply
from graphveil.local.protocols.preference import IN_THE_CLEAR
from graphveil.local.protocols.veil_sequence import CountReports, VeilSequence, fit_reports
from graphveil.local.triangle_messages import Batch, numbers_of
from graphveil.local.triangle_page import Budget
from graphveil.mechanisms.crowd import noise_among
from graphveil.mechanisms.personal import add_personal_laplace
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSequence(VeilSequence):
    """Public parameters: the epsilons on offer, of which `epsilon` is the largest; by default half of it too.

    >>> page = PreferredSequence(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in page.guarantees]
    [(1.0, 3.0), (2.0, 4.0)]
    """

    name: ClassVar[str] = "preference"
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("choice", "size", "pairs"), ("count",))

    method: str = "split"
    strengths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        VeilSequence.__post_init__(self)
        if self.method != "split":
            raise ParameterError(f"only the split design offers a choice, not {self.method!r}")
        if not self.strengths:
            object.__setattr__(self, "strengths", (str(self.epsilon / 2), str(self.epsilon)))
        if not 1 <= len(self.strengths) <= 16 or len(set(self.strengths)) != len(self.strengths):
            raise ParameterError(f"1 to 16 different strengths can be offered, not {len(self.strengths)}")
        if max(self.epsilons) != self.epsilon:
            raise ParameterError(f"epsilon must be the largest strength on offer, not {self.epsilon}")

    @property
    def epsilons(self) -> tuple[Fraction, ...]:
        """What is on offer."""
        return tuple(exact_epsilon(strength) for strength in self.strengths)

    @property
    def relationship_epsilon(self) -> Fraction:
        """Two ends that both picked the largest."""
        return 2 * self.epsilon

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What each strength promises, whatever the other end of a friendship picks."""
        return tuple(
            replace(
                self.guarantee,
                epsilon=epsilon,
                relationship_epsilon=epsilon + self.epsilon,
                assumes=(*self.guarantee.assumes, IN_THE_CLEAR),
            )
            for epsilon in self.epsilons
        )

    def of_strength(self, choice: int) -> VeilSequence:
        """How people of one strength report lengths and counts; their answers are everybody's."""
        return _OneStrength(
            epsilon=self.epsilons[choice], n_people=self.n_people, salt=self.salt, answer_epsilon=min(self.epsilons)
        )

    def budget(self, turn: Turn) -> Budget:
        """Of the weakest strength, which answers are given at."""
        weakest = min(self.epsilons)
        return Budget(size=weakest / 5, pairs=weakest, count=weakest * 4 / 5)

    def perturb(self, turn: Turn, lists: Lists, noise: Noise) -> Batch:
        """Round 1: choice, length, answers. Round 2: a count."""
        first = turn.round == 1
        numbers = np.zeros(len(lists), dtype=np.int64)
        for choice in range(len(self.strengths)):
            picked = lists.choices == choice
            own, page, own_noise = lists.among(picked), self.of_strength(choice), noise_among(noise, picked)
            if first:
                counted = self.counted(turn, own).degrees
                numbers[picked] = add_personal_laplace(own_noise, counted, page.budget(turn).size)
            else:
                sizes = {"size": turn.sent[0]["size"][picked]}
                numbers[picked] = page.perturb(Turn(2, turn.published, (sizes,)), own, own_noise)["count"]
        if not first:
            return {"count": numbers}
        answers = reply(lists, self.asked(turn), self.response(turn), noise)
        return {"choice": lists.choices, "size": numbers, "pairs": answers}

    def range_of(self, part: str, turn: Turn) -> tuple[float, float]:
        """A choice is one of those on offer."""
        return (0, len(self.strengths) - 1) if part == "choice" else VeilSequence.range_of(self, part, turn)

    def estimate(self, transcript: Transcript) -> Estimate:
        """One fit to all reports; the facts state the mix."""
        received = transcript.received[1]
        sent, counts = numbers_of(received.people, transcript.received[0]), received.batch["count"] / self.scale
        groups = [self._group(choice, received.people, sent, counts) for choice in range(len(self.strengths))]
        curve = fit_reports(groups, self.n_people, self.kept)
        people = np.concatenate([group.people for group in groups])
        mix = dict(zip(self.strengths, (len(group.people) for group in groups), strict=True))
        return Estimate(
            self.whole_sequence(people, curve.triangles, float(curve.triangles.mean())),
            std=self.whole_sequence(people, curve.triangles_std, np.nan),
            facts={"mix": mix},
        )

    def _group(self, choice: int, people: Integers, sent: Batch, counts: Any) -> CountReports:
        picked, page = sent["choice"] == choice, self.of_strength(choice)
        lengths = sent["size"][picked]
        variances = page.count_variances(lengths)
        return CountReports(people[picked], lengths, counts[picked], variances, page.budget(Turn()).size)

    def cost(self) -> Cost:
        """A number more than without a choice."""
        plain = VeilSequence.cost(self)
        return Cost(plain.upload_bits_per_user + 64, plain.download_bits_per_user)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneStrength(VeilSequence):
    """People of one strength, whose answers are given at another epsilon."""

    method: str = "split"
    answer_epsilon: Fraction

    def budget(self, turn: Turn) -> Budget:
        """Lengths and counts at their own."""
        return Budget(size=self.epsilon / 5, pairs=self.answer_epsilon, count=self.epsilon * 4 / 5)
