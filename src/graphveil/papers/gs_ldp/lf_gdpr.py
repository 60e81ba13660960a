"""Clustering from a noisy graph and noisy degrees (LF-GDPR), in our reading.

Paper      Ye, Hu, Au, Meng and Xiao 2020 (LF-GDPR), which we have not read, as used by Fu et al. 2024 in Figure 6
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; the claim holds; a friendship costs one answer and two degrees
Estimator  noisy triangles less what degree and density make expect, over pairs of the refined degree; cut to 0..1
Cost       half a bit for each person and a number up, nothing down; the collector keeps a bit for each ordered pair
Differs    our reading throughout; nine tenths of epsilon go to answers (`pair_share`), where the paper optimises the
           split for its own error bound

Every pair is answered for once. The degree is refined: the mean of the noisy degree and of the degree that the answers
give, weighted by their variances. With p = 1 - q, d the refined degree, n people and t the density of the noisy graph,
the noisy triangles of a person are expected to be

    T p^2 (p - q) + d (d - 1) / 2 p^2 q + d (n - 1 - d) p q t + (n - 1 - d)^2 / 2 q^2 t

which is solved for T. From the same messages come communities and their modularity (`noisy_communities`), with
`communities=1`, as facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ParameterError
from graphveil.local.protocol import Estimate, Transcript
from graphveil.mechanisms.staircase import staircase_variance
from graphveil.papers.gs_ldp.clustering import CUT_RATIO, divided
from graphveil.papers.gs_ldp.dense_protocol import DenseProtocol
from graphveil.papers.gs_ldp.noisy_communities import MOST_PEOPLE, community_facts
from graphveil.privacy.guarantee import PublishedClaim, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class LfGdpr(DenseProtocol):
    """Public parameters: the share of epsilon that answers get, and whether communities are found too."""

    statistic: ClassVar[str] = "clustering"
    name: ClassVar[str] = "lf-gdpr"
    why_no_interval: ClassVar[str] = CUT_RATIO

    pair_share: Fraction = Fraction(9, 10)
    communities: int = 0

    def __post_init__(self) -> None:
        if not 0 < Fraction(self.pair_share) < 1:
            raise ParameterError(f"pair_share lies between 0 and 1, not at {self.pair_share}")
        DenseProtocol.__post_init__(self)
        if self.communities not in (0, 1) or (self.communities and self.n_people > MOST_PEOPLE):
            raise ParameterError(
                f"communities is 1 to find them, among at most {MOST_PEOPLE:,} people, or 0; "
                f"{self.communities} was given for {self.n_people:,}"
            )

    @property
    def pair_epsilon(self) -> Fraction:
        """The share of epsilon that answers about pairs get."""
        return self.pair_share * self.epsilon

    @property
    def claim(self) -> PublishedClaim:
        """The paper's claim of edge-LDP, which holds."""
        paper = "Ye et al. 2020, as cited by Fu et al. 2024"
        reason = "one entry changes one answer and a degree by one, and both have their share of epsilon"
        return PublishedClaim(paper, "LF-GDPR satisfies epsilon-edge-LDP", Verdict.HOLDS, reason, self.epsilon)

    def estimate(self, transcript: Transcript) -> Estimate:
        """Estimate the clustering of every person from noisy pairs and degrees."""
        matrix = self.matrix(transcript)
        noisy = matrix.degrees()
        sent = np.full(self.n_people, np.nan)
        (received,) = transcript.received
        sent[received.people] = received.batch.degrees
        degrees = np.clip(self._refined(noisy, sent), 0, self.n_people - 1)
        triangles = self._solved(matrix.triangles()[0], degrees, noisy.sum() / (self.n_people * (self.n_people - 1)))
        facts = {}
        if self.communities:
            facts = community_facts(matrix, self.response, self._given(noisy, sent), self._sent_variance)
        return Estimate(np.clip(divided(triangles, degrees), 0.0, 1.0), facts=facts)

    @property
    def _sent_variance(self) -> float:
        return float(staircase_variance(self.degree_epsilon, [1])[0])

    def _given(self, noisy: Integers, sent: Floats) -> Floats:
        """The degree that was sent, or that of the answers where none was."""
        q = float(self.response.flip_probability)
        return np.where(np.isnan(sent), (noisy - q * (self.n_people - 1)) / float(self.response.gain), sent)

    def _refined(self, noisy: Integers, sent: Floats) -> Floats:
        """Both degrees of a person in one; that of the answers alone where nothing was sent."""
        q, others = float(self.response.flip_probability), self.n_people - 1
        answered = (noisy - q * others) / float(self.response.gain)
        answered_variance = others * self.response.variance
        weight = answered_variance / (answered_variance + self._sent_variance)
        return np.where(np.isnan(sent), answered, weight * sent + (1 - weight) * answered)

    def _solved(self, corners: Integers, degrees: Floats, density: float) -> Floats:
        q = float(self.response.flip_probability)
        p, strangers = 1 - q, self.n_people - 1 - degrees
        by_chance = (
            degrees * (degrees - 1) / 2 * p**2 * q
            + degrees * strangers * p * q * density
            + strangers**2 / 2 * q**2 * density
        )
        return (corners - by_chance) / (p**2 * (p - q))
