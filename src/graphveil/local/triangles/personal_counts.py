"""What counting protocols share in which everybody picks a strength: one epsilon for answers, one's own for the rest.

Answers about pairs are given at the weakest epsilon on offer, by everybody alike, so that one correction fits the whole
noisy graph; what a person adds by picking more goes into the length and the count, whose noise is their own.

Sensitivity: no entry is both answered for and counted. One that its person answers for costs the weakest epsilon, which
is at most the one picked; any other one costs a length and a count at the one picked. The choice is sent in the clear,
so it must not be made to depend on the list. Parts of epsilon add up to it only if all rounds are answered at the
strength of the first, so a client that comes back with another one is refused.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.local.degrees.preference import IN_THE_CLEAR, check_offer
from graphveil.local.lists import Integers, Lists
from graphveil.local.protocol import PUBLIC_ROSTER, Received, RoundContext
from graphveil.local.triangles.messages import Batch, numbers_of
from graphveil.local.triangles.protocol import TrianglePage
from graphveil.mechanisms.noise.person_streams import noise_among
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon

STRENGTH = "a strength (an epsilon alone, such as 1/2)"


class PersonalCounts(TrianglePage):
    """Public parameter: the epsilons on offer, of which `epsilon` is the largest; by default half of it too."""

    __slots__ = ()

    strengths: tuple[str, ...]

    def check_strengths(self) -> None:
        """Fill in what is usual; refuse what cannot be offered."""
        if not self.strengths:
            object.__setattr__(self, "strengths", (str(self.epsilon / 2), str(self.epsilon)))
        check_offer(self.strengths, self.epsilons)
        if max(self.epsilons) != self.epsilon:
            raise ParameterError(f"epsilon must be the largest strength on offer, not {self.epsilon}")

    @property
    def epsilons(self) -> tuple[Fraction, ...]:
        """What is on offer."""
        return tuple(exact_epsilon(strength, STRENGTH) for strength in self.strengths)

    @abstractmethod
    def of_strength(self, choice: int) -> TrianglePage:
        """How people of one strength report lengths and counts; their answers are everybody's."""

    @abstractmethod
    def friendship_of(self, epsilon: Fraction) -> Fraction:
        """What a friendship costs whose one end picked epsilon, whatever the other end picked."""

    @property
    def relationship_epsilon(self) -> Fraction:
        """The most that a friendship can cost."""
        return self.friendship_of(self.epsilon)

    @property
    def guarantee(self) -> Guarantee:
        """What everybody is promised, whatever they pick: the weakest."""
        return self.promise(self.relationship_epsilon, PUBLIC_ROSTER, IN_THE_CLEAR)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What each strength promises."""
        return tuple(
            replace(self.guarantee, epsilon=epsilon, relationship_epsilon=self.friendship_of(epsilon))
            for epsilon in self.epsilons
        )

    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Batch:
        """What this round asks for: the choice, answers as everybody gives them, a length or a count at one's own."""
        if context.sent and not np.array_equal(context.sent[0].get("choice", lists.choices), lists.choices):
            raise ParameterError("a strength is picked once, in the first round; go on with that one")
        batch: Batch = {}
        for part in self.schedule[context.round - 1]:
            if part == "choice":
                batch[part] = lists.choices
            else:
                batch[part] = (
                    self._pairs(context, lists, noise) if part == "pairs" else self._personal(context, lists, noise)
                )
        return batch

    def _personal(self, context: RoundContext, lists: Lists, noise: Noise) -> Integers:
        """The length, and in the last round the count, of each under the strength they picked."""
        numbers = np.zeros(len(lists), dtype=np.int64)
        for choice in range(len(self.strengths)):
            picked = lists.choices == choice
            own, page, own_noise = lists.among(picked), self.of_strength(choice), noise_among(noise, picked)
            if context.round < self.rounds:
                numbers[picked] = page._size(context, own, own_noise)
            else:
                sizes = {"size": context.sent[-1]["size"][picked]}
                numbers[picked] = page._count(RoundContext(context.round, context.published, (sizes,)), own, own_noise)
        return numbers

    def range_of(self, part: str, context: RoundContext) -> tuple[float, float]:
        """A choice is one of those on offer."""
        return (0, len(self.strengths) - 1) if part == "choice" else TrianglePage.range_of(self, part, context)

    def groups(self, first: Received, people: Integers) -> Iterator[tuple[TrianglePage, NDArray[np.bool_]]]:
        """For each strength its page, and which of these people picked it in the first round."""
        picks = numbers_of(people, first)["choice"]
        for choice in range(len(self.strengths)):
            yield self.of_strength(choice), picks == choice

    def mix(self, first: Received) -> dict[str, int]:
        """How many picked each strength."""
        counts = np.bincount(first.batch["choice"], minlength=len(self.strengths)).tolist()
        return dict(zip(self.strengths, counts, strict=True))
