"""Number of triangles when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the larger pick and the weakest on offer
Estimator  unbiased while no list passes its cap or bound; each triangle is counted where the noise is least
Cost       three numbers and half a bit for each person up; down, one bit for a third of all pairs of people

The roles of `veil_triangles` with the strengths of `personal_counts`. The first round asks for the choice alone and
publishes it; it makes the order: whoever picked more stands lower, and among equals a public hash decides.

Weights. A triangle may be counted at any of its corners i, with any weights w_i that add up to 1, and the total stays
unbiased. Noise of a count at i has a variance that falls with the square of the epsilon that i picked, so all of the
weight goes to the corner that picked most, which is the lowest of the three. The other two count nothing of it: a
triangle has one count in the sum, and a weight other than 1 on it would bias the total by that triangle. Counts of the
weak are short in return. Where half of the people pick twice the epsilon of the others, the noise of counts has 6/10 of
the variance that it has in an order by hash alone (Facebook, AstroPh), where they pick four times as much, a half.
Answers are at one epsilon, the weakest, so none is worth more than any; where they make most of the error, as on
Facebook, the total gains little.

Sensitivity: the choice does not depend on the list, and neither does the order. A friendship is answered for at one
end, at the weakest epsilon, and counted at the other, at what that end picked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.local.estimation.overlap import unbiased_pairs
from graphveil.local.lists import Integers
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.protocol import Estimate, Received, RoundContext, Transcript
from graphveil.local.triangles.messages import numbers_of
from graphveil.local.triangles.personal_counts import PersonalCounts
from graphveil.local.triangles.protocol import Budget, TrianglePage
from graphveil.local.triangles.split_roles import SplitRoles, size_epsilon
from graphveil.local.triangles.veil import ByteForEach, TwoRoundTriangles, order_words, ranks_of


class StrongestFirst(ByteForEach, TwoRoundTriangles):
    """An order by published strengths, of which a byte for each person tells: the lower, the lower in the order."""

    __slots__ = ()

    rounds: ClassVar[int] = 3
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("choice",), ("size", "pairs"), ("count",))

    def asked(self, context: RoundContext) -> AskedPairs:
        """Pairs belong to the end that picked less, then to the one that the hash puts higher."""
        ranks = ranks_of(order_words(self.n_people), context.published[0])
        return AskedPairs(self.n_people, Fraction(1), ranks=ranks)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredTriangles(PersonalCounts, StrongestFirst):
    """Public parameter: the strengths.

    >>> page = PreferredTriangles(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in page.guarantees]
    [(1.0, 3.0), (2.0, 3.0)]
    """

    name: ClassVar[str] = "preference"

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

    def budget(self, context: RoundContext) -> Budget:
        """Of the weakest strength, which answers are given at."""
        return self.of_strength(self.epsilons.index(min(self.epsilons))).budget(context)

    def publish(self, transcript: Transcript) -> Any:
        """After the choices, everybody's place among the strengths; then the noisy graph."""
        first = transcript.received[0]
        if len(transcript.received) > 1:
            return TwoRoundTriangles.publish(self, transcript)
        return self.places(first.people, first.batch["choice"])

    def places(self, people: Integers, choices: Integers) -> NDArray[np.uint8]:
        """1 for the strongest, and so on; people who did not answer come first, where they have nothing to report."""
        falling = sorted(set(self.epsilons), reverse=True)
        place_of = np.array([1 + falling.index(epsilon) for epsilon in self.epsilons], dtype=np.uint8)
        places = np.zeros(self.n_people, dtype=np.uint8)
        places[people] = place_of[choices]
        return places

    def estimate(self, transcript: Transcript) -> Estimate:
        """The sum; the facts state the mix."""
        total = TrianglePage.estimate(self, transcript)
        return replace(total, facts={**total.facts, "mix": self.mix(transcript.received[0])})

    def noise_variance(self, context: RoundContext, transcript: Transcript) -> float:
        """Of each strength, together."""
        return sum(page.noise_variance(context, own) for page, own in self._by_strength(transcript))

    def lost_on_lists(self, context: RoundContext, transcript: Transcript, joined: float) -> float:
        """Of each strength, together."""
        return sum(page.lost_on_lists(context, own, joined) for page, own in self._by_strength(transcript))

    def _by_strength(self, transcript: Transcript) -> Iterator[tuple[SplitRoles, Transcript]]:
        """The sizes of those who picked a strength and counted, with its page."""
        first, second, last = transcript.received
        sizes = numbers_of(last.people, second)["size"]
        for page, picked in self.groups(first, last.people):
            assert isinstance(page, SplitRoles)
            own = Received(last.people[picked], {"size": sizes[picked]})
            yield page, Transcript((own, Received(own.people, {})), transcript.published)

    def counted_pairs(self, context: RoundContext, transcript: Transcript) -> float:
        """Each size with the noise of its strength."""
        first, second = transcript.received[:2]
        groups = self.groups(first, second.people)
        return sum(unbiased_pairs(second.batch["size"][picked], page.budget(context).size) for page, picked in groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneStrength(StrongestFirst):
    """People of one strength, whose answers are given at another epsilon."""

    answer_epsilon: Fraction

    def budget(self, context: RoundContext) -> Budget:
        """Sizes and counts at their own."""
        size = size_epsilon(self.epsilon)
        return Budget(size=size, pairs=self.answer_epsilon, count=self.epsilon - size)
