"""Triangles and clustering of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list, or the whole list for whoever picks a node strength
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `clustering.veil`, each report with the probabilities and the variance of its own strength
Cost       three numbers and a bit for each pair a person answers for up; a bit for each pair that has an owner down

The split design of `clustering.veil` with strengths (`triangles.design`): a fifth of what a person picked goes into the
length, four fifths into the count. Counts of larger epsilon have less variance and are moved less; nothing has to be
weighed by hand. Most friendships have no owner, so both ends count them at what they picked.

A strength such as node:1 protects the whole list of whoever picks it. Such a person gives the length of the list only,
as a place near its logarithm (Square Wave), and answers and counts as if the list were empty (`triangles.design`).
The estimates of these people are what the curve says of such lengths; those of the others stay unbiased, with more
variance, as some of their friends' pairs are missing.

Nothing is paid for clustering, and no entry pays twice. A fifth of the pairs has an owner, the same for everybody:
means over classes of degrees have a little more variance than those of the whole design at one strength.

Weights. The curve over degrees is a least-squares fit in which each count has the weight 1 over its variance, and each
person's own count is moved towards it the less, the sharper it is. Transitivity (in the facts) adds counts with the
weight 1: with triangles of s strong and 3 - s weak corners, T_s of them, the strong count C = 3 T_3 + 2 T_2 + T_1 in
all and the weak D = T_2 + 2 T_1 + 3 T_0. For a C + b D to be T_0 + T_1 + T_2 + T_3 whatever these are, T_3 asks for
a = 1/3 and T_0 for b = 1/3. No other weights are unbiased, however much better one of the two is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import estimate_clustering, estimate_sequence
from graphveil.local.clustering.veil import count_reach, split_design
from graphveil.local.degrees.channels import WaveChannel
from graphveil.local.degrees.veil import VeilQuantiles
from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design, Target
from graphveil.local.triangles.preference import check_strengths, strength_epsilons
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.privacy.loss import exact_epsilon

NODE = "node:"  # before the epsilon of a strength that protects the whole list


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
        entries = tuple(strength for strength in self.strengths if not strength.startswith(NODE))
        lists = tuple(strength.removeprefix(NODE) for strength in self.strengths if strength.startswith(NODE))
        if lists and not entries:
            raise ParameterError(
                f"somebody must count: offer a strength for single entries too, such as {self.epsilon}, beside "
                f"{', '.join(self.strengths)[:100]}"
            )
        offered = check_strengths(entries, self.epsilon, lists)
        object.__setattr__(self, "strengths", (*offered, *(NODE + strength for strength in lists)))

    def make_design(self: Any) -> Design:
        """Lengths and counts at each one's own epsilon, answers at the smallest; of whole lists the length alone."""
        entries = tuple(strength for strength in self.strengths if not strength.startswith(NODE))
        design = split_design(strength_epsilons(entries), self.salt, self.target, entries)
        whole = (
            replace(design.strengths[0], name=strength, channel=self._channel(strength))
            for strength in self.strengths[len(entries) :]
        )
        return replace(design, strengths=(*design.strengths, *whole))

    def _channel(self: Any, strength: str) -> WaveChannel:
        plain = VeilQuantiles(epsilon=exact_epsilon(strength.removeprefix(NODE)), n_people=self.n_people)
        return plain.waves


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSequence(Preferred, TriangleProtocol):  # type: ignore[override]
    """Public parameters: the epsilons on offer, of which `epsilon` is the largest; by default half of it too.

    >>> protocol = PreferredSequence(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [(1.0, 3.0), (2.0, 4.0)]
    >>> protocol = PreferredSequence(epsilon=2, n_people=100, strengths=("2", "node:1"))
    >>> [(str(g.unit), float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [('edge', 2.0, 4.0), ('node', 1.0, 3.0)]
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
