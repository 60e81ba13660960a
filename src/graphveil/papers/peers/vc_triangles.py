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
too small for such lists. Counting pairs as in `triangles.counts`, with cap = b - 1, p (b - 1) is enough for every list.
An entry costs all three parts; a friendship twice the degree and the count, and one answer. What that comes to depends
on the published division, which may differ between both ends; the guarantee states the most, when answers get next to
nothing: the end that answers pays epsilon in any division, the other the less, the more answers get.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, unbiased_pairs
from graphveil.local.losses import Messages
from graphveil.local.protocol import LocalProtocol, RoundContext, Transcript
from graphveil.local.triangles.counts import Budget, Counted, Schedule
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import Answers, Total
from graphveil.papers.peers.local2rounds import DegreeLimits, published_design
from graphveil.privacy.guarantee import PublishedClaim, Verdict

STEPS = 256  # divisions of epsilon to choose from


@dataclass(frozen=True, slots=True, kw_only=True)
class VcTriangles(TriangleProtocol):
    """Public parameter: what is added to a noisy degree to bound the list."""

    name: ClassVar[str] = "vc"
    schedule: ClassVar[Schedule] = (("degree",), ("pairs",), ("count",))

    margin: int = 150

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if not 0 <= self.margin < 2**31:
            raise ParameterError(f"margin must lie in 0..2147483647, not at {self.margin}")

    @property
    def claim(self) -> PublishedClaim:
        """Edge-LDP, which holds once long lists are not cut."""
        reason = "the published scale is too small for lists that are cut; here none is, and it holds"
        return PublishedClaim("He et al. 2025", "VC satisfies epsilon-edge-LDP", Verdict.HOLDS, reason, self.epsilon)

    def make_design(self) -> Design:
        """Everybody counts the whole list."""
        strength = Strength(self._division(STEPS // 2), DegreeLimits(self.margin, self.n_people))
        return replace(published_design(strength, Counted.ALL, Total(whole_answers)), times_counted=Fraction(3))

    def budget(self, context: RoundContext, choice: int = 0) -> Budget:
        """A tenth for degrees; the published division of the rest."""
        return self._division(context.published[0] if context.published else STEPS // 2)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """Of the published division; before it is known, of the one that costs a friendship most."""
        division = self._division(context.published[0] if context.published else 1)
        return self.budget_messages(division)

    def _division(self, steps: int) -> Budget:
        pairs = self._rest * Fraction(steps, STEPS)
        return Budget(degree=self.epsilon / 10, pairs=pairs, count=self._rest - pairs)

    @property
    def _rest(self) -> Fraction:
        return self.epsilon * Fraction(9, 10)

    def publish(self, transcript: Transcript) -> Any:
        """The division of epsilon with the least bound on the variance, in steps for the answers; then the graph."""
        if len(transcript.received) > 1:
            return TriangleProtocol.publish(self, transcript)
        limits, numbers = self.design.strengths[0].limits, transcript.received[0].batch
        lengths = limits.bounds(numbers, numbers["degree"], self.budget(RoundContext()), 0).astype(np.float64)
        pairs, squares = (lengths * (lengths - 1) / 2).sum(), (lengths**2).sum()
        steps = np.arange(1, STEPS)
        answers = float(self._rest) * steps / STEPS
        kept = -np.expm1(-answers)
        of_answers = pairs * np.exp(-answers) / kept**2
        of_counts = 2 * squares / (kept * (float(self._rest) - answers)) ** 2
        return int(steps[np.argmin(of_answers + of_counts)])

    def write_publication(self, round_number: int, publication: Any) -> bytes:
        """The division, then the graph."""
        if round_number == 1:
            return bytes([publication])
        return TriangleProtocol.write_publication(self, round_number, publication)

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """Read what `write_publication` wrote for a round."""
        if round_number == 2:
            return TriangleProtocol.read_publication(self, round_number, data)
        if len(data) != 1 or data[0] == 0:
            raise ParameterError(f"the published division is a byte from 1 to {STEPS - 1}")
        return data[0]


def whole_answers(
    protocol: TriangleProtocol, context: RoundContext, transcript: Transcript, _total: float, noise: float
) -> Answers:
    """By how many people count the same pair, each for a third of its triangles."""
    received, response = transcript.received[0], protocol.response(context)
    degrees, thirds = received.batch["degree"], float(protocol.design.times_counted**2)

    def measure(people: int) -> Overlap:
        chosen = received.people[np.argsort(degrees)[-people:]]
        return measure_overlap(context.published[-1].graph.among(chosen), response, whole=True)

    pairs = unbiased_pairs(degrees, protocol.budget(context).degree)
    variance = answer_variance(measure, pairs, float(degrees.sum()), response, thirds * noise)
    return Answers(variance / thirds)
