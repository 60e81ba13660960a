"""Triangles and clustering of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `clustering.veil`, each report with the probabilities and the variance of its own strength
Cost       three numbers and a bit for each pair a person answers for up; a bit for each pair that has an owner down

The split design of `clustering.veil` with strengths (`triangles.design`): a fifth of what a person picked goes into the
length, four fifths into the count. Counts of larger epsilon have less variance and are moved less; nothing has to be
weighed by hand. Most friendships have no owner, so both ends count them at what they picked.

Nothing is paid for clustering, and no entry pays twice. A fifth of the pairs has an owner, the same for everybody:
means over classes of degrees have a little more variance than those of the whole design at one strength.

Weights. The curve over degrees is a least-squares fit in which each count has the weight 1 over its variance, and each
person's own count is moved towards it the less, the sharper it is. Transitivity (in the facts) adds counts with the
weight 1: with triangles of s strong and 3 - s weak corners, T_s of them, the strong count C = 3 T_3 + 2 T_2 + T_1 in
all and the weak D = T_2 + 2 T_1 + 3 T_0. For a C + b D to be T_0 + T_1 + T_2 + T_3 whatever these are, T_3 asks for
a = 1/3 and T_0 for b = 1/3. No other weights are unbiased, however much better one of the two is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import estimate_clustering, estimate_sequence
from graphveil.local.clustering.veil import count_reach, split_design
from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design, Target
from graphveil.local.triangles.preference import check_strengths, strength_epsilons
from graphveil.local.triangles.protocol import TriangleProtocol


class Preferred:
    """What both statistics share: the split design at each strength."""

    __slots__ = ()

    name: ClassVar[str] = "preference"
    schedule: ClassVar[Schedule] = (("choice", "size", "pairs"), ("count",))
    target: ClassVar[Target]

    @property
    def reach95(self: Any) -> float:
        """Deviations to either side of a 95 % interval, for the noise of counts at every strength."""
        return count_reach(self.design)

    def __post_init__(self: Any) -> None:
        LocalProtocol.__post_init__(self)
        if self.method != "split":
            raise ParameterError(f"only the split design offers a choice, not {self.method!r}")
        object.__setattr__(self, "strengths", check_strengths(self.strengths, self.epsilon))

    def make_design(self: Any) -> Design:
        """Lengths and counts at each one's own epsilon, answers at the smallest."""
        return split_design(strength_epsilons(self.strengths), self.salt, self.target, self.strengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSequence(Preferred, TriangleProtocol):  # type: ignore[override]
    """Public parameters: the epsilons on offer, of which `epsilon` is the largest; by default half of it too.

    >>> protocol = PreferredSequence(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [(1.0, 3.0), (2.0, 4.0)]
    """

    statistic: ClassVar[str] = "triangle-sequence"
    target: ClassVar[Target] = staticmethod(estimate_sequence)

    salt: int = 0
    method: str = "split"
    strengths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredClustering(Preferred, TriangleProtocol):  # type: ignore[override]
    """Public parameters: those of the triangle sequence."""

    statistic: ClassVar[str] = "clustering"
    target: ClassVar[Target] = staticmethod(estimate_clustering)

    salt: int = 0
    method: str = "split"
    strengths: tuple[str, ...] = ()
