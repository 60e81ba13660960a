"""Number of triangles from whole lists with a split of epsilon chosen after the degrees (VC), its sensitivity mended.

Paper      He et al. 2025 (SIGMOD), the estimator they call VC
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; a friendship costs less than 2 epsilon, by what the answers get
Estimator  unbiased while no list passes its noisy length
Cost       three numbers and half a bit for each person up; one bit for each pair of people down
Differs    long lists are not cut, so that the published scale is right for them too; the noise is discrete

Three rounds: noisy degrees (a tenth of epsilon), answers, counts. Everybody counts in the whole list, so each triangle
is counted three times. The collector divides the rest of epsilon between answers and counts so that a bound on the
variance made of the noisy degrees is least, and publishes the division.

Sensitivity. The paper cuts a list to its noisy length (plus 150) b and scales the noise by p b. Where a list is cut,
one more entry swaps two people, which may change a count by b - 1, up to 1 / p times as much; the published scale is
too small for such lists. Counting pairs as in `triangle_page`, with cap = b - 1, p (b - 1) is enough for every list. An
entry costs all three parts; a friendship twice the degree and the count, and one answer. What that comes to depends
on the published division; the guarantee states the most, when answers get next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, unbiased_pairs
from graphveil.local.lists import Integers, Lists
from graphveil.local.protocol import RoundContext, Transcript
from graphveil.local.triangles.messages import Batch
from graphveil.local.triangles.protocol import Budget, TrianglePage
from graphveil.papers.peers.local2rounds import LaplaceCounts, length_bounds
from graphveil.privacy.guarantee import PublishedClaim, Verdict

STEPS = 256  # divisions of epsilon to choose from


@dataclass(frozen=True, slots=True, kw_only=True)
class VcTriangles(LaplaceCounts):
    """Public parameter: what is added to a noisy degree to bound the list."""

    name: ClassVar[str] = "vc"
    rounds: ClassVar[int] = 3
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("degree",), ("pairs",), ("count",))
    times_counted: ClassVar[int] = 3

    margin: int = 150

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if not 0 <= self.margin < 2**31:
            raise ParameterError(f"margin must lie in 0..2147483647, not at {self.margin}")

    @property
    def claim(self) -> PublishedClaim:
        """Edge-LDP, which holds once long lists are not cut."""
        reason = "the published scale is too small for lists that are cut; here none is, and it holds"
        return PublishedClaim("He et al. 2025", "VC satisfies epsilon-edge-LDP", Verdict.HOLDS, reason, self.epsilon)

    @property
    def relationship_epsilon(self) -> Fraction:
        """Both degrees, both counts and one answer, at most."""
        return 2 * self.epsilon - self._rest / STEPS

    @property
    def _rest(self) -> Fraction:
        return self.epsilon * Fraction(9, 10)

    def budget(self, context: RoundContext) -> Budget:
        """A tenth for degrees; the published division of the rest."""
        steps = context.published[0] if context.published else STEPS // 2
        pairs = self._rest * Fraction(steps, STEPS)
        return Budget(degree=self.epsilon / 10, pairs=pairs, count=self._rest - pairs)

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """The whole list."""
        return lists

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The noisy degree and the margin."""
        return length_bounds(sent[0]["degree"], self.margin, self.n_people)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """All that fits."""
        return bounds - 1

    def publish_degrees(self, people: Integers, degrees: Integers) -> int:
        """The division of epsilon with the least bound on the variance, in steps for the answers."""
        lengths = length_bounds(degrees, self.margin, self.n_people).astype(np.float64)
        pairs, squares = (lengths * (lengths - 1) / 2).sum(), (lengths**2).sum()
        steps = np.arange(1, STEPS)
        answers = float(self._rest) * steps / STEPS
        kept = -np.expm1(-answers)
        of_answers = pairs * np.exp(-answers) / kept**2
        of_counts = 2 * squares / (kept * (float(self._rest) - answers)) ** 2
        return int(steps[np.argmin(of_answers + of_counts)])

    def answer_variance(self, context: RoundContext, transcript: Transcript, total: float, noise: float) -> float:
        """By how many people count the same pair, each for a third of its triangles."""
        received, board = transcript.received[0], context.published[-1]
        degrees, thirds = received.batch["degree"], self.times_counted**2

        def measure(people: int) -> Overlap:
            chosen = received.people[np.argsort(degrees)[-people:]]
            return measure_overlap(board.graph.among(chosen), self.response(context), whole=True)

        pairs = unbiased_pairs(degrees, self.budget(context).degree)
        return answer_variance(measure, pairs, float(degrees.sum()), self.response(context), thirds * noise) / thirds

    def write_publication(self, round_number: int, publication: Any) -> bytes:
        """The division, then the graph."""
        if round_number == 1:
            return bytes([publication])
        return TrianglePage.write_publication(self, round_number, publication)

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """As they were written."""
        if round_number == 2:
            return TrianglePage.read_publication(self, round_number, data)
        if len(data) != 1 or data[0] == 0:
            raise ParameterError(f"the published division is a byte from 1 to {STEPS - 1}")
        return data[0]
