"""Number of triangles when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the larger pick and the weakest on offer
Estimator  unbiased while no list passes its cap or bound; each count has the noise of its own strength
Cost       three numbers and half a bit for each person up; down, one bit for a sixth of all pairs of people

The roles of `veil-two-rounds` with the strengths of `personal_counts`. Counts are added up as they are: whoever picks
more has a count of less variance, but no count can stand in for another one's triangles without a bias. A friendship is
answered for at one end, at the weakest epsilon, and counted at the other, at what that end picked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from graphveil.local.estimation.pair_totals import unbiased_pairs
from graphveil.local.page import Estimate, Received, Transcript, Turn
from graphveil.local.protocols.personal_counts import PersonalCounts
from graphveil.local.protocols.split_roles import size_epsilon
from graphveil.local.protocols.veil_triangles import TwoRoundTriangles
from graphveil.local.triangle_messages import numbers_of
from graphveil.local.triangle_page import Budget, TrianglePage


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredTriangles(PersonalCounts, TwoRoundTriangles):
    """Public parameter: the strengths.

    >>> page = PreferredTriangles(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in page.guarantees]
    [(1.0, 3.0), (2.0, 3.0)]
    """

    name: ClassVar[str] = "preference"
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("choice", "size", "pairs"), ("count",))

    strengths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        TwoRoundTriangles.__post_init__(self)
        self.check_strengths()

    def friendship_of(self, epsilon: Fraction) -> Fraction:
        """The other end may have picked the largest, and one of the two answers at the weakest."""
        return self.epsilon + min(self.epsilons)

    def of_strength(self, choice: int) -> TrianglePage:
        """Sizes and counts at their own epsilon."""
        return _OneStrength(epsilon=self.epsilons[choice], n_people=self.n_people, answer_epsilon=min(self.epsilons))

    def budget(self, turn: Turn) -> Budget:
        """Of the weakest strength, which answers are given at."""
        return self.of_strength(self.epsilons.index(min(self.epsilons))).budget(turn)

    def estimate(self, transcript: Transcript) -> Estimate:
        """The sum; the facts state the mix."""
        total = TrianglePage.estimate(self, transcript)
        return replace(total, facts={**total.facts, "mix": self.mix(transcript.received[0])})

    def noise_variance(self, turn: Turn, transcript: Transcript) -> float:
        """Of each strength, together."""
        first, last = transcript.received
        sent, variance = numbers_of(last.people, first), 0.0
        for page, picked in self.groups(Received(last.people, sent)):
            sizes = Received(last.people[picked], {"size": sent["size"][picked]})
            variance += page.noise_variance(turn, Transcript((sizes, Received(sizes.people, {})), transcript.published))
        return variance

    def counted_pairs(self, turn: Turn, sizes: Received) -> float:
        """Each size with the noise of its strength."""
        groups = self.groups(sizes)
        return sum(unbiased_pairs(sizes.batch["size"][picked], page.budget(turn).size) for page, picked in groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneStrength(TwoRoundTriangles):
    """People of one strength, whose answers are given at another epsilon."""

    answer_epsilon: Fraction

    def budget(self, turn: Turn) -> Budget:
        """Sizes and counts at their own."""
        size = size_epsilon(self.epsilon)
        return Budget(size=size, pairs=self.answer_epsilon, count=self.epsilon - size)
