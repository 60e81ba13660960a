"""What reports of `joint.veil` tell: each statistic from the degrees, answers and counts that all of them share.

A count over the gain and over the share of the pairs of a list that is looked at is unbiased. Everybody's count goes
into one curve of clustering over degrees, with the noisy degree as its length (`clustering.sequence`). All of it is
post-processing of the same reports, so no statistic costs anything by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphveil.local.clustering.sequence import (
    CountReports,
    counted_share,
    fit_reports,
    predicted_clustering,
    predicted_triangles,
    sum_variance,
)
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.protocol import Estimate, Received, RoundContext, Transcript
from graphveil.local.triangles.counts import Counted
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import numbers_of

if TYPE_CHECKING:
    from graphveil.local.joint.veil import JointVeil


def estimate_joint(protocol: JointVeil, transcript: Transcript) -> Estimate:
    """The first of the statistics that are asked for; the others are in its `also`."""
    reports = degree_reports(protocol, transcript)
    curve = fit_reports([reports], protocol.n_people)
    makers: dict[str, Callable[[], Estimate]] = {
        "degree-distribution": lambda: degree_distribution(protocol, transcript.received[0]),
        "triangle-sequence": lambda: predicted_triangles(protocol, [reports], curve),
        "clustering": lambda: predicted_clustering(protocol, [reports], curve, 1.0),
        "triangles": lambda: total_triangles(protocol, transcript, reports),
    }
    first, *others = protocol.statistics
    return replace(makers[first](), also={name: makers[name]() for name in others})


def degree_reports(protocol: TriangleProtocol, transcript: Transcript) -> CountReports:
    """Noisy degrees and unbiased counts of everybody who answered both rounds.

    Of the d (d - 1) / 2 pairs of a list, a share kept^2 is counted; flipped answers about those are felt weight-fold.
    """
    first, last = transcript.received
    context, kept = RoundContext(protocol.rounds, transcript.published), counted_share(protocol)
    budget, scale = protocol.budget(context), protocol.gain(context) * kept**2
    degrees = numbers_of(last.people, first)["degree"]
    bounds = protocol.bounds(context, last.people, {"degree": degrees})
    widths, caps = protocol.widths(context, bounds), protocol.contribution_caps(context, bounds)
    noise = np.asarray(protocol.design.noise(budget.count).variances(widths) / scale**2)
    pairs = np.maximum(degrees, 0) * np.maximum(degrees - 1, 0) / 2
    answers = pairs * protocol.response(context).variance * protocol.design.weight / kept**2
    counts = last.batch["count"] / scale
    return CountReports(last.people, degrees, counts, noise, np.asarray(noise + answers), caps, budget.degree)


def degree_distribution(protocol: TriangleProtocol, received: Received) -> Estimate:
    """That of `degrees.noisy` at the epsilon of the degree; a noisy degree is cut to what is possible, as there."""
    alone = NoisyDegrees(epsilon=protocol.budget(RoundContext()).degree, n_people=protocol.n_people)
    cut = np.clip(received.batch["degree"], 0, protocol.n_people - 1)
    return alone.estimate(Transcript((Received(received.people, cut),)))


def total_triangles(protocol: TriangleProtocol, transcript: Transcript, reports: CountReports) -> Estimate:
    """A third of the sum of all counts; with a deviation where every pair of friends is looked at."""
    value, facts = float(reports.counts.sum()) / 3, {"noise_std": math.sqrt(float(reports.noise.sum())) / 3}
    if protocol.design.counted is not Counted.ALL:
        return Estimate(value, facts=facts)
    return Estimate(value, math.sqrt(sum_variance(protocol, transcript, reports)) / 3, facts)
