"""Triangles of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `veil_sequence`, each report with the probabilities and the variance of its own strength
Cost       three numbers and a bit for each pair a person answers for up; a bit for each pair that has an owner down

The split design of `veil_sequence` with strengths (`triangles.protocol`): a fifth of what a person picked goes into the
length, four fifths into the count. Counts of larger epsilon have less variance and are moved less; nothing has to be
weighed by hand. Most friendships have no owner, so both ends count them at what they picked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import estimate_sequence
from graphveil.local.clustering.veil_sequence import split_design
from graphveil.local.protocol import LAPLACE95, LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design
from graphveil.local.triangles.preference import check_strengths, strength_epsilons
from graphveil.local.triangles.protocol import TriangleProtocol

WITH_CHOICE: Schedule = (("choice", "size", "pairs"), ("count",))


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSequence(TriangleProtocol):
    """Public parameters: the epsilons on offer, of which `epsilon` is the largest; by default half of it too.

    >>> protocol = PreferredSequence(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [(1.0, 3.0), (2.0, 4.0)]
    """

    statistic: ClassVar[str] = "triangle-sequence"
    name: ClassVar[str] = "preference"
    rounds: ClassVar[int] = 2
    reach95: ClassVar[float] = LAPLACE95
    schedule: ClassVar[Schedule] = WITH_CHOICE

    salt: int = 0
    method: str = "split"
    strengths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_split(self.method)
        object.__setattr__(self, "strengths", check_strengths(self.strengths, self.epsilon))

    @property
    def design(self) -> Design:
        """The split design at each strength."""
        return split_design(strength_epsilons(self.strengths), self.salt, estimate_sequence, self.strengths)


def check_split(method: str) -> None:
    """Refuse the whole design, in which answers and counts share one epsilon."""
    if method != "split":
        raise ParameterError(f"only the split design offers a choice, not {method!r}")
