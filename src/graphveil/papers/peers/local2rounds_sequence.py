"""Triangles and clustering of every person by Local2Rounds, as Fu et al. 2024 compare with it.

Paper      Imola, Murakami and Chaudhuri 2021, used for sequences by Fu et al. 2024, Figures 4 to 7
Unit       edge or node; one entry of one person's friend list, or all of it
Trust      local
Guarantee  pure epsilon; 1.55 epsilon (edge) or 2 epsilon (node) for a friendship
Estimator  counts are unbiased while nobody passes the noisy maximum degree; coefficients are not
Cost       a number, then another, and half a bit for each person up; one bit for each pair of people down
Differs    our reading: everybody counts in the whole list, so that each triangle is counted by three people, and noise
           is scaled as for the total; coefficients divide by the noisy degree and are cut to 0..1

Sensitivity: that of `local2rounds`, for the whole list instead of a part of it. An entry is counted at both ends of a
friendship and answered for at one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.lists import Lists
from graphveil.local.protocol import LAPLACE95, Estimate, Floats, RoundContext, Transcript
from graphveil.local.triangles.messages import numbers_of
from graphveil.papers.gs_ldp.clustering import CUT_RATIO, divided
from graphveil.papers.peers.local2rounds import Local2Rounds, NodeLocal2Rounds


class OfEverybody(Local2Rounds):
    """A count in the whole list of every person."""

    __slots__ = ()

    statistic: ClassVar[str] = "triangle-sequence"
    reach95: ClassVar[float] = LAPLACE95

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """The whole list."""
        return lists

    def estimate(self, transcript: Transcript) -> Estimate:
        """Everybody's count."""
        return two_round_sequence(self, transcript)


class Coefficients(OfEverybody):
    """The same over pairs of friends."""

    __slots__ = ()

    statistic: ClassVar[str] = "clustering"
    why_no_interval: ClassVar[str] = CUT_RATIO

    def estimate(self, transcript: Transcript) -> Estimate:
        """Everybody's coefficient."""
        return two_round_clustering(self, transcript)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTwoRounds(OfEverybody):
    """Under edge privacy."""

    @property
    def relationship_epsilon(self) -> Fraction:
        """Degree and count at both ends, an answer at one."""
        budget = self.budget(RoundContext())
        return 2 * (budget.degree + budget.count) + budget.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTwoRounds(OfEverybody, NodeLocal2Rounds):
    """Under node privacy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTwoRoundClustering(Coefficients, EdgeTwoRounds):
    """Clustering under edge privacy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTwoRoundClustering(Coefficients, NodeTwoRounds):
    """Clustering under node privacy."""


def two_round_sequence(page: Local2Rounds, transcript: Transcript) -> Estimate:
    """Unbiased counts; 0 for whoever did not answer. Deviations: of a count's own noise, and of all answers in it."""
    context, people = RoundContext(2, transcript.published), transcript.received[1].people
    lengths = np.clip(page.longest_list(transcript, people), 0, page.n_people - 1)
    widths = page.widths(context, page.bounds(context, people, ()))
    own = page.noise_variances(page.budget(context).count, widths) / page.gain(context) ** 2
    value, std = np.zeros(page.n_people), np.full(page.n_people, np.nan)
    value[people] = _counts(page, transcript)
    std[people] = np.sqrt(own + page.response(context).variance * lengths * np.maximum(lengths - 1, 0) / 2)
    return Estimate(value, std=std, facts={"largest_degree": transcript.published[0].notice})


def two_round_clustering(page: Local2Rounds, transcript: Transcript) -> Estimate:
    """Counts over pairs of noisy degrees, cut to 0..1."""
    people = transcript.received[1].people
    degrees = numbers_of(people, transcript.received[0])["degree"].astype(np.float64)
    value = np.zeros(page.n_people)
    value[people] = np.clip(divided(_counts(page, transcript), degrees), 0.0, 1.0)
    return Estimate(value, facts={"largest_degree": transcript.published[0].notice})


def _counts(page: Local2Rounds, transcript: Transcript) -> Floats:
    counts: Floats = transcript.received[1].batch["count"] / page.gain(RoundContext(2, transcript.published))
    return counts
