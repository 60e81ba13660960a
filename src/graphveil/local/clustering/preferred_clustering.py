"""Clustering of every person when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  that of `veil_clustering`, each report with the probabilities and the variance of its own strength
Cost       that of `preferred_sequence`, whose reports these are

Nothing is paid for clustering, and no entry pays twice. A fifth of the pairs has an owner, the same for everybody:
means over classes of degrees have a little more variance than those of `veil_clustering` at one strength.

Weights. The curve over degrees is a least-squares fit in which each count has the weight 1 over its variance, and each
person's own count is moved towards it the less, the sharper it is. Transitivity (in the facts) adds counts with the
weight 1: with triangles of s strong and 3 - s weak corners, T_s of them, the strong count C = 3 T_3 + 2 T_2 + T_1 in
all and the weak D = T_2 + 2 T_1 + 3 T_0. For a C + b D to be T_0 + T_1 + T_2 + T_3 whatever these are, T_3 asks for
a = 1/3 and T_0 for b = 1/3. No other weights are unbiased, however much better one of the two is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graphveil.local.clustering.preferred_sequence import WITH_CHOICE, check_split
from graphveil.local.clustering.sequence import estimate_clustering
from graphveil.local.clustering.veil_sequence import split_design
from graphveil.local.protocol import LAPLACE95, LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design
from graphveil.local.triangles.preference import check_strengths, strength_epsilons
from graphveil.local.triangles.protocol import TriangleProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredClustering(TriangleProtocol):
    """Public parameters: those of the triangle sequence."""

    statistic: ClassVar[str] = "clustering"
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
        """The split design at each strength, as clustering."""
        return split_design(strength_epsilons(self.strengths), self.salt, estimate_clustering, self.strengths)
