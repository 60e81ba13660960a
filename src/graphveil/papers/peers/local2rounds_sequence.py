"""Triangles and clustering of every person by Local2Rounds, in our reading of how Fu et al. 2024 compare with it.

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
from typing import ClassVar

import numpy as np

from graphveil.arrays import Floats
from graphveil.local.protocol import LAPLACE95, Estimate, RoundContext, Transcript
from graphveil.local.triangles.design import Target
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import numbers_of
from graphveil.papers.gs_ldp.clustering import CUT_RATIO, divided
from graphveil.papers.peers.local2rounds import TwoRounds


def estimate_sequence(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Unbiased counts; 0 for whoever did not answer. Deviations: of a count's own noise, and of all answers in it.

    Under node privacy a noisy degree tells next to nothing, so lists are taken to be as long as the announced bound.
    """
    context, people = RoundContext(2, transcript.published), transcript.received[1].people
    released, notice = numbers_of(people, transcript.received[0]), transcript.published[0].notice
    known = released["degree"] if protocol.unit == "edge" else np.full(len(people), notice)
    lengths = np.clip(known, 0, protocol.n_people - 1)
    widths = protocol.widths(context, protocol.bounds(context, people, released))
    own = protocol.design.noise(protocol.budget(context).count).variances(widths) / protocol.gain(context) ** 2
    value, std = np.zeros(protocol.n_people), np.full(protocol.n_people, np.nan)
    value[people] = _counts(protocol, transcript)
    std[people] = np.sqrt(own + protocol.response(context).variance * lengths * np.maximum(lengths - 1, 0) / 2)
    return Estimate(value, std=std, facts={"largest_degree": notice})


def estimate_clustering(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Counts over pairs of noisy degrees, cut to 0..1."""
    people = transcript.received[1].people
    degrees = numbers_of(people, transcript.received[0])["degree"].astype(np.float64)
    value = np.zeros(protocol.n_people)
    value[people] = np.clip(divided(_counts(protocol, transcript), degrees), 0.0, 1.0)
    return Estimate(value, facts={"largest_degree": transcript.published[0].notice})


def _counts(protocol: TriangleProtocol, transcript: Transcript) -> Floats:
    counts: Floats = transcript.received[1].batch["count"] / protocol.gain(RoundContext(2, transcript.published))
    return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTwoRounds(TwoRounds, TriangleProtocol):
    """A count in the whole list of every person, under edge privacy."""

    statistic: ClassVar[str] = "triangle-sequence"
    reach95: ClassVar[float] = LAPLACE95
    target: ClassVar[Target] = staticmethod(estimate_sequence)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTwoRounds(TwoRounds, TriangleProtocol):
    """A count in the whole list of every person, under node privacy."""

    statistic: ClassVar[str] = "triangle-sequence"
    unit: ClassVar[str] = "node"
    reach95: ClassVar[float] = LAPLACE95
    target: ClassVar[Target] = staticmethod(estimate_sequence)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTwoRoundClustering(TwoRounds, TriangleProtocol):
    """Counts over pairs of friends, under edge privacy."""

    statistic: ClassVar[str] = "clustering"
    reach95: ClassVar[float] = LAPLACE95
    why_no_interval: ClassVar[str] = CUT_RATIO
    target: ClassVar[Target] = staticmethod(estimate_clustering)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTwoRoundClustering(TwoRounds, TriangleProtocol):
    """Counts over pairs of friends, under node privacy."""

    statistic: ClassVar[str] = "clustering"
    unit: ClassVar[str] = "node"
    reach95: ClassVar[float] = LAPLACE95
    why_no_interval: ClassVar[str] = CUT_RATIO
    target: ClassVar[Target] = staticmethod(estimate_clustering)
