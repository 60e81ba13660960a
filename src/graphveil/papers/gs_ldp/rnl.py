"""Triangles and clustering from a noisy graph alone (RNL), as GS-LDP's comparison describes it.

Paper      Qin et al. 2017 (randomised neighbour lists), as used by Fu et al. 2024 in Figures 4 and 6
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry and, with one answer for each pair, for a friendship; the claim holds
Estimator  counted: triangles and clustering of the noisy graph as they are, biased by its noise edges; unbiased:
           products of corrected answers, for clustering over pairs of estimated degrees, cut
Cost       half a bit for each person up, nothing down; the collector keeps a bit for each ordered pair
Differs    our readings: of a pair's two answers only the owner's is sent, which halves what a friendship costs; each
           person's triangles and clustering are counted in the noisy graph (`estimate`), while the number of all
           triangles, which Fu et al. do not collect by RNL, is the unbiased one

Every bit of a list is flipped by randomised response with all of epsilon; no second round. Fu et al. say that RNL
"perturbs the adjacency vectors, gathers a noisy graph and estimates from it". Counted as it is, the noisy graph gives
errors that fall steeply with epsilon, as in their Figure 4; the unbiased estimate is far better at small epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.estimation.noisy_total import triangles_in_noise, unbiased_triangles
from graphveil.local.protocol import Estimate, Transcript
from graphveil.papers.gs_ldp.clustering import CUT_RATIO, divided
from graphveil.papers.gs_ldp.dense_protocol import DenseProtocol
from graphveil.privacy.guarantee import PublishedClaim, Verdict

ESTIMATES = ("counted", "unbiased")


class NoisyLists:
    """What all three statistics share: the name, the claim, and whether the noisy graph is counted as it is."""

    __slots__ = ()

    name: ClassVar[str] = "rnl"
    option_fields: ClassVar[Mapping[str, str]] = {"estimate": "estimator"}

    def __post_init__(self: Any) -> None:
        DenseProtocol.__post_init__(self)
        if self.estimator not in ESTIMATES:
            raise ParameterError(f"estimate is {' or '.join(ESTIMATES)}, not {self.estimator!r}")

    @property
    def counts_noise(self: Any) -> bool:
        """Whether triangles of the noisy graph are counted as they are."""
        return bool(self.estimator == "counted")

    @property
    def claim(self: Any) -> PublishedClaim:
        """The paper's claim of edge-LDP, which holds."""
        paper = "Qin et al. 2017, as cited by Fu et al. 2024, Table 3"
        reason = "one entry of a list changes one randomised bit"
        return PublishedClaim(paper, "RNL satisfies epsilon-edge-LDP", Verdict.HOLDS, reason, self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomisedLists(NoisyLists, DenseProtocol):
    """Triangles of every person; `estimator` is set by the option `estimate`.

    >>> RandomisedLists(epsilon=1, n_people=4039).cost().upload_bits_per_user
    2019.0
    """

    statistic: ClassVar[str] = "triangle-sequence"
    why_no_interval: ClassVar[str] = "it depends on how many friends every two people share, which answers do not tell"

    estimator: str = "counted"

    def variance(self) -> float | None:
        """Of somebody without friends: products of three independent corrected answers, one for each pair of others.

        None for counts of the noisy graph, whose error is mostly bias.
        """
        if self.counts_noise:
            return None
        return math.comb(self.n_people - 1, 2) * self.response.variance**3

    def estimate(self, transcript: Transcript) -> Estimate:
        """Estimate the triangles of every person from the noisy graph."""
        matrix = self.matrix(transcript)
        if self.counts_noise:
            return Estimate(matrix.triangles()[0].astype(np.float64))
        return Estimate(unbiased_triangles(matrix, self.response)[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomisedListsTotal(NoisyLists, DenseProtocol):
    """The number of triangles estimated from the noisy graph alone."""

    statistic: ClassVar[str] = "triangles"
    why_no_interval: ClassVar[str] = "counts of a noisy graph are biased by its noise; estimate=unbiased has one"

    estimator: str = "unbiased"

    def estimate(self, transcript: Transcript) -> Estimate:
        """A third of the sum."""
        matrix = self.matrix(transcript)
        if self.counts_noise:
            return Estimate(float(matrix.triangles()[0].sum()) / 3)
        found = triangles_in_noise(matrix, self.response)
        return Estimate(found.value, std=math.sqrt(found.own + found.answers))


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomisedListsClustering(NoisyLists, DenseProtocol):
    """The clustering of every person from the noisy graph alone."""

    statistic: ClassVar[str] = "clustering"
    why_no_interval: ClassVar[str] = CUT_RATIO

    estimator: str = "counted"

    def estimate(self, transcript: Transcript) -> Estimate:
        """The clustering of the noisy graph; or triangles over pairs of estimated degrees, cut to 0..1."""
        matrix = self.matrix(transcript)
        if self.counts_noise:
            return Estimate(divided(matrix.triangles()[0].astype(np.float64), matrix.degrees().astype(np.float64)))
        noisy, triangles = unbiased_triangles(matrix, self.response)
        q, gain = float(self.response.flip_probability), float(self.response.gain)
        degrees = (noisy - q * (self.n_people - 1)) / gain
        return Estimate(np.clip(divided(triangles, np.asarray(degrees)), 0.0, 1.0))
