"""Degree distribution by a random jump of the degree (RJ), in our reading of GS-LDP's comparison.

Paper      Wei et al. 2020 (AsgLDP), which we have not read, as used by Fu et al. 2024 in Table 3 and Figure 3
Unit       node; one person's whole friend list
Trust      local
Guarantee  jump=anywhere: pure epsilon; jump=nearby: none for a list (epsilon times the difference of the degrees)
Estimator  the histogram of the reports (nearby) or their unbiased counts (anywhere)
Cost       one number up, nothing down
Differs    our reading (`jump`); noise is drawn on integers by exact samplers

Fu et al. say only that the degree itself is perturbed at constant cost, that it satisfies LDP, and that its error lies
below that of their Algorithm 1. Two readings:

- nearby: the degree plus two-sided geometric noise of rate epsilon. On Facebook and AstroPh its error lies below that
  of Algorithm 1, on Enron at epsilon 1 it is 38 times above. It is epsilon-private for one entry of a list, not for any
  two records, as the definition of LDP asks; so it is kept for study only.
- anywhere: the true degree with probability e^epsilon / (e^epsilon + n - 1), else any other. It satisfies LDP, and
  hence node-LDP too, for the degree is a function of the list. Its error is thousands of times larger.

Neither fits all that is said of RJ. What does not hold of a reading of ours is not held against Wei et al.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.payloads import number_bits
from graphveil.local.protocol import Cost, Estimate, Transcript
from graphveil.local.randomizers import AddedLaplace, Answer, Randomizer
from graphveil.mechanisms.response import KaryResponse
from graphveil.papers.gs_ldp.study_protocol import NeverSent
from graphveil.privacy.guarantee import PublishedClaim, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomJump(NeverSent, DegreeProtocol):
    """Public parameters: how far a degree may jump.

    >>> RandomJump(epsilon=1, n_people=50).claim.true_epsilon
    Fraction(49, 1)
    """

    name: ClassVar[str] = "rj"

    jump: str = "nearby"

    def __post_init__(self) -> None:
        DegreeProtocol.__post_init__(self)
        if self.jump not in ("nearby", "anywhere"):
            raise ParameterError(f"a jump goes nearby or anywhere, not {self.jump!r}")

    @property
    def claim(self) -> PublishedClaim:
        """What LDP would ask of this reading; it says nothing about the original, which we have not read."""
        paper = "our reading of RJ, as Fu et al. 2024, Table 3, cite Wei et al. 2020"
        statement = f"a jump {self.jump} is epsilon-LDP"
        if self.jump == "anywhere":
            reason = "k-ary randomised response of the degree; being a function of the list, it is node-LDP too"
            return PublishedClaim(paper, statement, Verdict.HOLDS, reason, self.epsilon)
        reason = "noise of unit sensitivity covers degrees that differ by one; any two degrees differ by up to n - 1"
        return PublishedClaim(paper, statement, Verdict.REFUTED, reason, (self.n_people - 1) * self.epsilon)

    @property
    def response(self) -> KaryResponse:
        """How a degree jumps anywhere."""
        return KaryResponse(epsilon=self.epsilon, n_values=self.max_degree + 1)

    @property
    def randomizer(self) -> Randomizer:
        """A jump anywhere, or noise for degrees that differ by one, which is all that the paper charges for."""
        if self.jump == "anywhere":
            return Answer(self.response)
        return AddedLaplace(self.epsilon, sensitivity=1, low=0, high=self.max_degree)

    def estimate(self, transcript: Transcript) -> Estimate:
        """The shares of the reports, taken as they are."""
        reports: Integers = transcript.received[0].batch
        counts = np.bincount(reports, minlength=self.max_degree + 1)
        if self.jump == "nearby":
            return Estimate(counts / len(reports))
        return Estimate(self.response.estimate(counts, len(reports)) / len(reports))

    def cost(self) -> Cost:
        """One number goes up from each person."""
        return Cost(number_bits(self.max_degree + 1))
