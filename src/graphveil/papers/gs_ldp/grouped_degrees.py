"""Degree distribution with the group number in the clear (GS-LDP, Algorithm 1), as published.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithm 1 (NLDP-DD)
Unit       node; one person's whole friend list
Trust      local
Guarantee  claimed epsilon, refuted: no epsilon holds across a group border; epsilon holds within a group
Estimator  unbiased given the group sizes; variance n_v q (1 - q) / (n^2 (p - q)^2), n_v people in the group
Cost       1 + L numbers a person
Differs    coins have probabilities on a grid of 2^-64, rounded towards more noise

A person of degree d sends g = floor(d / L) as it is and d mod L by symmetric unary encoding with the whole epsilon.
The proof compares two people of one group only. For d = L - 1 and d = L, one friend apart, the group number is 0 for
sure in one case and 1 for sure in the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.unary import SymmetricUnary
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.privacy.loss import exact_epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedDegrees:
    """Groups of `group_width` degrees; a report is one row: the group number, then one bit for each degree in it.

    >>> protocol = GroupedDegrees(epsilon=Fraction(20), group_width=4)
    >>> protocol.perturb([3, 4], SeededNoise(1)).tolist()
    [[0, 0, 0, 0, 1], [1, 1, 0, 0, 0]]
    >>> (100 * protocol.estimate(protocol.perturb([3, 3, 4, 7], SeededNoise(1)))).round().astype(int).tolist()
    [0, 0, 0, 50, 25, 0, 0, 25]
    """

    claim: ClassVar[PublishedClaim] = PublishedClaim(
        paper="Fu et al. 2024, Theorem 3",
        statement="Algorithm 1 satisfies epsilon-node-LDP",
        verdict=Verdict.REFUTED,
        reason="the group number is sent without noise, so degrees on two sides of a group border never give the same "
        "report; the proof compares degrees of one group only",
        true_epsilon=None,
    )

    epsilon: Fraction
    group_width: int

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if self.group_width < 2:
            raise ParameterError(f"group_width must be at least 2, not {self.group_width}")

    @property
    def encoding(self) -> SymmetricUnary:
        """How the place within the group is sent."""
        return SymmetricUnary(epsilon=self.epsilon, n_values=self.group_width)

    def perturb(self, degrees: ArrayLike, noise: Noise) -> Integers:
        """One report for each person's degree (lines 2 to 5)."""
        groups, places = np.divmod(np.asarray(degrees, dtype=np.int64), self.group_width)
        return np.column_stack((groups, self.encoding.perturb(places, noise)))

    def estimate(self, reports: Integers) -> Floats:
        """The share of people of each degree (lines 7 to 13)."""
        n_people = len(reports)
        n_groups = int(reports[:, 0].max(initial=0)) + 1
        sizes = np.bincount(reports[:, 0], minlength=n_groups)
        ones = np.zeros((n_groups, self.group_width), dtype=np.int64)
        np.add.at(ones, reports[:, 0], reports[:, 1:])
        shares = [self.encoding.estimate(counts, int(size)) for counts, size in zip(ones, sizes, strict=True)]
        return np.concatenate(shares) / n_people

    def variance(self, n_people: int, group_size: int) -> float:
        """Of one share (Theorem 5)."""
        return self.encoding.variance(group_size) / n_people**2
