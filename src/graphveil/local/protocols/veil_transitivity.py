"""Transitivity of the network: three times the triangles over the pairs of friends that everybody has.

Paper      our own; the triangles are those of `veil_triangles`
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 2 epsilon for a friendship
Estimator  a ratio of two unbiased sums; biased only as far as a ratio is, which is little in a large network
Cost       that of `veil_triangles`

The noisy degrees that order people there are used again: d~ (d~ - 1) less the variance of the noise has the mean
d (d - 1). So a tenth of epsilon goes to degrees instead of 3/100. Nothing else is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.lists import Integers
from graphveil.local.page import Estimate, Transcript, Turn
from graphveil.local.protocols.veil_triangles import VeilTriangles
from graphveil.mechanisms.staircase import staircase_variance


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilTransitivity(VeilTriangles):
    """Public parameters: the share of epsilon for degrees."""

    statistic: ClassVar[str] = "transitivity"

    degree_share: Fraction = Fraction(1, 10)

    def estimate(self, transcript: Transcript) -> Estimate:
        """The ratio, cut to 0..1."""
        triangles = float(VeilTriangles.estimate(self, transcript).value)
        pairs = unbiased_pairs(transcript.received[0].batch["degree"], self.budget(Turn()).degree)
        ratio = 3 * triangles / max(pairs, 1.0)
        return Estimate(float(np.clip(ratio, 0.0, 1.0)), facts={"triangles": triangles, "pairs": pairs})


def unbiased_pairs(noisy_degrees: Integers, epsilon: Fraction) -> float:
    """The number of all pairs of friends of one person, from degrees with discrete Laplace noise of rate epsilon.

    >>> unbiased_pairs(np.array([3, 2]), Fraction(40))
    4.0
    """
    spread = float(staircase_variance(epsilon, [1])[0])  # of width 1, which is that of Laplace noise
    return float((noisy_degrees * (noisy_degrees - 1.0) - spread).sum()) / 2
