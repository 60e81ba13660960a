"""Transitivity of the network: three times the triangles over the pairs of friends that everybody has.

Paper      our own; the triangles are those of `veil` (`local.triangles.veil`)
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 2 epsilon for a friendship
Estimator  a ratio of two unbiased sums; biased only as far as a ratio is, which is little in a large network
Cost       that of `veil`

The noisy degrees that order people there are used again: d~ (d~ - 1) less the variance of the noise has the mean
d (d - 1). So a tenth of epsilon goes to degrees instead of 3/100. Nothing else is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Schedule
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.order import DegreeOrder
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import estimate_transitivity
from graphveil.local.triangles.veil import ORDER_FIRST, check_degree_share, split_budget


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilTransitivity(TriangleProtocol):
    """Public parameters: the share of epsilon for degrees."""

    statistic: ClassVar[str] = "transitivity"
    name: ClassVar[str] = "veil"
    schedule: ClassVar[Schedule] = ORDER_FIRST

    degree_share: Fraction = Fraction(1, 10)

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_degree_share(self.degree_share)

    def make_design(self) -> Design:
        """As `veil`, with a ratio as the target."""
        strength = Strength(split_budget(self.epsilon, self.degree_share))
        return Design(order=DegreeOrder(), strengths=(strength,), target=estimate_transitivity, in_parts=True)
