"""Triangles of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `veil_sequence`, each report with the probabilities and the variance of its own strength
Cost       three numbers and a bit for each pair a person answers for up; a bit for each pair asked about down

The split design of `veil_sequence` with the strengths of `personal_counts`: a fifth of what a person picked goes into
the length, four fifths into the count. Counts of larger epsilon have less variance and are moved less; nothing has to
be weighed by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.veil_sequence import CountReports, VeilSequence
from graphveil.local.protocol import Cost, RoundContext, Transcript
from graphveil.local.triangles.messages import numbers_of
from graphveil.local.triangles.personal_counts import PersonalCounts
from graphveil.local.triangles.protocol import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSequence(PersonalCounts, VeilSequence):
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
        self.check_strengths()

    def friendship_of(self, epsilon: Fraction) -> Fraction:
        """Both entries are counted at what their ends picked, at most."""
        return epsilon + self.epsilon

    def of_strength(self, choice: int) -> VeilSequence:
        """Lengths and counts at their own epsilon."""
        return _OneStrength(
            epsilon=self.epsilons[choice], n_people=self.n_people, salt=self.salt, answer_epsilon=min(self.epsilons)
        )

    def budget(self, context: RoundContext) -> Budget:
        """Of the weakest strength, which answers are given at."""
        weakest = min(self.epsilons)
        return Budget(size=weakest / 5, pairs=weakest, count=weakest * 4 / 5)

    def count_reports(self, transcript: Transcript) -> list[CountReports]:
        """Of each strength: lengths, unbiased counts, and the variances they have at that strength."""
        first, last = transcript.received
        sent, counts = numbers_of(last.people, first), last.batch["count"] / self.scale
        reports = []
        for page, picked in self.groups(first, last.people):
            assert isinstance(page, VeilSequence)
            lengths, epsilon = sent["size"][picked], page.budget(RoundContext()).size
            reports.append(
                CountReports(last.people[picked], lengths, counts[picked], page.count_variances(lengths), epsilon)
            )
        return reports

    def told(self, transcript: Transcript) -> dict[str, Any]:
        """The mix."""
        return {"mix": self.mix(transcript.received[0])}

    def cost(self) -> Cost:
        """A number more than without a choice."""
        plain = VeilSequence.cost(self)
        return Cost(plain.upload_bits_per_user + 64, plain.download_bits_per_user)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneStrength(VeilSequence):
    """People of one strength, whose answers are given at another epsilon."""

    method: str = "split"
    answer_epsilon: Fraction

    def budget(self, context: RoundContext) -> Budget:
        """Lengths and counts at their own."""
        return Budget(size=self.epsilon / 5, pairs=self.answer_epsilon, count=self.epsilon * 4 / 5)
