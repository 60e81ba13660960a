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

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.estimation.overlap import pairs_variance, unbiased_pairs
from graphveil.local.protocol import Estimate, RoundContext, Transcript
from graphveil.local.triangles.veil import VeilTriangles


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilTransitivity(VeilTriangles):
    """Public parameters: the share of epsilon for degrees."""

    statistic: ClassVar[str] = "transitivity"

    degree_share: Fraction = Fraction(1, 10)

    def estimate(self, transcript: Transcript) -> Estimate:
        """The ratio, cut to 0..1. Triangles and pairs err independently, since counts are right in any order."""
        triangles = VeilTriangles.estimate(self, transcript)
        degrees, epsilon = transcript.received[0].batch["degree"], self.budget(RoundContext()).degree
        pairs = max(unbiased_pairs(degrees, epsilon), 1.0)
        ratio = 3 * triangles.value / pairs
        std = math.hypot(3 * triangles.std, ratio * math.sqrt(pairs_variance(degrees, epsilon))) / pairs
        return Estimate(float(np.clip(ratio, 0.0, 1.0)), std=std, facts={"triangles": triangles.value, "pairs": pairs})
