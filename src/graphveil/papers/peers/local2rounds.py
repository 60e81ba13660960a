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

Sensitivity, edge: as in `triangle_page` with cap = bound - 1 and bound = D + 1; that needs noise for a change of
(1 - q) D, the paper takes D. An entry that the person answers for costs everything, any other one the degree alone.
Node: all n - 1 answers may differ, so each gets an (n - 1)-th of its share; a degree lies in 0..n-1; with cap and bound
as above a count lies between -q h(n - 1) and f, which is at most D (n - 1) / 2; noise for that whole range is enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, pairs_variance, unbiased_pairs
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.contribution_caps import capped_pairs
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import Floats, RoundContext, Transcript
from graphveil.local.triangles.messages import Batch, Board, numbers_of
from graphveil.local.triangles.protocol import Budget, TrianglePage
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import PublishedClaim, Verdict

PAPER = "Imola, Murakami and Chaudhuri 2021"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceCounts(TrianglePage):
    """What published protocols share: the higher number answers for a pair; Laplace noise on counts."""

    @property
    def relationship_epsilon(self) -> Fraction:
        """Everything at one end, the degree at the other."""
        return self.epsilon + self.budget(RoundContext()).degree

    def budget(self, context: RoundContext) -> Budget:
        """A tenth for degrees, the rest in halves."""
        rest = self.epsilon * Fraction(9, 20)
        return Budget(degree=self.epsilon / 10, pairs=rest, count=rest)

    def asked(self, context: RoundContext) -> AskedPairs:
        """Pairs belong to the higher number."""
        return AskedPairs(self.n_people, Fraction(1), ranks=np.arange(self.n_people))

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """Friends of lower numbers."""
        return self.asked(context).only_owned(lists)

    def answer_variance(
        self, context: RoundContext, transcript: Transcript, total: float, noise: float
    ) -> float | None:
        """By how many people count the same pair, were all pairs of friends counted: that errs on the wide side."""
        received, response = transcript.received[0], self.response(context)
        degrees, epsilon = received.batch["degree"], self.budget(context).degree

        def measure(people: int) -> Overlap:
            chosen = np.sort(received.people[np.argsort(degrees)[-people:]])[::-1]
            return measure_overlap(context.published[-1].graph.among(chosen), response)

        pairs = unbiased_pairs(degrees, epsilon) + math.sqrt(pairs_variance(degrees, epsilon))
        of_strangers = answer_variance(measure, pairs, float(degrees.sum()), response, noise)
        p, q = response.friend_probability, response.flip_probability
        return of_strangers * max(1.0, float(p * (1 - p) / (q * (1 - q))))

    def add_noise(self, noise: Noise, values: Integers, epsilon: Fraction, widths: Integers) -> Integers:
        """Discrete Laplace noise of rate epsilon / width."""
        short = short_epsilon(epsilon, int(widths.max(initial=1)))
        rates = (np.full(len(widths), short.numerator), short.denominator * widths)
        return add_personal_laplace(noise, values, rates)

    def noise_variances(self, epsilon: Fraction, widths: Integers) -> Floats:
        """2 (width / epsilon)^2, up to the grid."""
        return np.asarray(2 * (widths / float(epsilon)) ** 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Local2Rounds(LaplaceCounts):
    """Edge privacy; no parameters.

    >>> Local2Rounds(epsilon=1, n_people=100).guarantee.relationship_epsilon
    Fraction(11, 10)
    """

    name: ClassVar[str] = "local2rounds"
    rounds: ClassVar[int] = 2
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("degree", "pairs"), ("count",))

    @property
    def claim(self) -> PublishedClaim:
        """Edge-LDP, which holds."""
        reason = "a count of noisy pairs changes by less than the noisy maximum degree, by which its noise is scaled"
        return PublishedClaim(PAPER, "Local2Rounds satisfies epsilon-edge-LDP", Verdict.HOLDS, reason, self.epsilon)

    def longest_list(self, transcript: Transcript, people: Integers) -> Integers:
        """How long each list is, as far as is known."""
        lengths: Integers = numbers_of(people, transcript.received[0])["degree"]
        return lengths

    def notice(self, numbers: Batch) -> int:
        """The largest noisy degree."""
        return int(np.clip(numbers["degree"].max(), 1, self.n_people - 1))

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """One more than the largest noisy degree, for everybody."""
        board: Board = context.published[-1]
        return np.full(len(people), board.notice + 1)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """All that fits."""
        return bounds - 1

    def widths(self, context: RoundContext, bounds: Integers) -> Integers:
        """The largest noisy degree, as published."""
        return PARTS * (bounds - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLocal2Rounds(Local2Rounds):
    """Node privacy: every share of epsilon is spread over all that one list can change. Kept to show the price."""

    unit: ClassVar[str] = "node"
    why_no_interval: ClassVar[str] = "the noise of degrees hides how many pairs are counted, and so what answers do"

    def answer_variance(self, context: RoundContext, transcript: Transcript, total: float, noise: float) -> None:
        """Not known."""
        return

    @property
    def claim(self) -> PublishedClaim:
        """Node-LDP, which holds in our reading, at errors far beyond the count itself."""
        reason = "every message is scaled by all that a whole list can change in it"
        paper = f"{PAPER}, extended by Fu et al. 2024"
        return PublishedClaim(
            paper, "Local2Rounds-Node satisfies epsilon-node-LDP", Verdict.HOLDS, reason, self.epsilon
        )

    def longest_list(self, transcript: Transcript, people: Integers) -> Integers:
        """A noisy degree tells next to nothing: the longest list that anybody may have."""
        return np.full(len(people), transcript.published[0].notice)

    @property
    def relationship_epsilon(self) -> Fraction:
        """Two lists."""
        return 2 * self.epsilon

    def budget(self, context: RoundContext) -> Budget:
        """As under edge privacy, each degree and answer at an (n - 1)-th."""
        edge = Local2Rounds.budget(self, context)
        return Budget(
            degree=edge.degree / (self.n_people - 1), pairs=edge.pairs / (self.n_people - 1), count=edge.count
        )

    def widths(self, context: RoundContext, bounds: Integers) -> Integers:
        """The whole range of a corrected count."""
        others = np.full(len(bounds), self.n_people - 1)
        most_edges = np.minimum((bounds - 1) * others // 2, others * (others - 1) // 2)
        lowest = self.response(context).flip_parts * capped_pairs(others, bounds)
        wide: Integers = np.maximum(1, PARTS * most_edges + lowest)
        return wide


def short_epsilon(epsilon: Fraction, widest: int) -> Fraction:
    """Epsilon as a short fraction, rounded down: with a denominator up to 2^10, or what fits beside the widest noise.

    >>> short_epsilon(Fraction(9, 20), 2**16), short_epsilon(Fraction(1, 3000), 2**16)
    (Fraction(9, 20), Fraction(349, 1048576))
    """
    if epsilon.denominator <= 2**10:
        return epsilon
    parts = 2**10 if epsilon >= Fraction(1, 64) else max(2**10, min(2**20, 2**50 // widest))
    short = Fraction(int(epsilon * parts), parts)
    if short == 0:
        raise ParameterError(f"epsilon is too small: {float(epsilon):.3g} of it goes to a count, 1/{parts} is needed")
    return short


def length_bounds(noisy_degrees: Integers, margin: int, n_people: int) -> Integers:
    """Noisy degrees and a margin, as bounds of lists among so many people."""
    bounds: Integers = np.clip(noisy_degrees + margin, 2, max(2, n_people - 1))
    return bounds
