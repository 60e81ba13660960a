"""Degree distribution by a random jump of the degree (RJ), as GS-LDP's comparison describes it.

Paper      Wei et al. 2020 (AsgLDP), as used by Fu et al. 2024 in Table 3 and Figure 3
Unit       node; one person's whole friend list
Trust      local
Guarantee  claimed epsilon-LDP; refuted for jumps to nearby degrees (the loss is epsilon times the difference of the
           degrees), holds for jumps to any degree
Estimator  the histogram of the reports (nearby) or their unbiased counts (anywhere)
Cost       one number up, nothing down
Differs    noise is drawn on integers by exact samplers

Fu et al. say only that the degree itself is perturbed at constant cost, that it "satisfies LDP", and that its error
lies below that of their Algorithm 1. Two readings:

- nearby: the degree plus two-sided geometric noise of rate epsilon. Only this one has such an error. It is
  epsilon-private for one entry of a list, not for any two records, as the definition of LDP asks.
- anywhere: the true degree with probability e^epsilon / (e^epsilon + n - 1), else any other. It satisfies LDP, and
  hence node-LDP too, for the degree is a function of the list: Table 3 is wrong to rank it lower. Its error is
  thousands of times larger.
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
        """The claim under this reading."""
        paper, statement = "Wei et al. 2020, as cited by Fu et al. 2024, Table 3", "RJ satisfies epsilon-LDP"
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
