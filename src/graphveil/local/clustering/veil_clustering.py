"""Clustering of every person, by degree and on average, from the reports that triangle sequences are made of.

Paper      our own; begins where Fu et al. 2024, Algorithm 6, leaves off
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; for a friendship 1.56 epsilon (whole, the default) or 2 epsilon (split)
Estimator  the best linear prediction from a person's noisy degree and count (`estimation.clustering_curve`)
Cost       a length, half of the owned pairs of a person as bits and a count up; the noisy graph down

Nothing is paid for clustering: degrees and counts are those of `veil_sequence`, and so are the losses. No noisy degree
is divided by (`clustering.sequence`). All pairs have an owner: a public choice of some is the same for everybody, and
what it misses would not average out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.local.clustering.sequence import estimate_clustering
from graphveil.local.clustering.veil_sequence import check_method, split_design, whole_design
from graphveil.local.protocol import LAPLACE95, LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.veil import TWO_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilClustering(TriangleProtocol):
    """Public parameters: those of the triangle sequence."""

    statistic: ClassVar[str] = "clustering"
    name: ClassVar[str] = "veil"
    rounds: ClassVar[int] = 2
    reach95: ClassVar[float] = LAPLACE95
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    salt: int = 0
    method: str = ""

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        object.__setattr__(self, "method", check_method(self.method, self.epsilon, Fraction(0)))

    @property
    def design(self) -> Design:
        """Split or whole, as clustering."""
        if self.method == "split":
            return split_design((self.epsilon,), self.salt, estimate_clustering)
        return whole_design(self.epsilon, self.salt, estimate_clustering)
