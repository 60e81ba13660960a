"""Estimates for every person from counts in a noisy graph: triangles, and clustering by person, by degree, on average.

Everybody released the noisy length of the counted list and a corrected count (`triangles.protocol`). A count over the
gain is unbiased; its variance is that of its own noise and of flipped answers about as many pairs as the length stands
for. All reports go into one curve of clustering over degrees (`estimation.clustering_curve`), each with the
probabilities and the variance of its own strength, and each count is moved towards the curve the less, the sharper it
is. Means over classes of degrees come from the curve, with deviations. What has a deviation above .05 (.03 for the
average of everybody) is withheld: at small epsilon that is so for people with few friends, and hence for the average.

People who protect the whole list give its length only. Let a share s of all people answer for pairs. A pair has one
owner; whoever that is chose without looking at the list, so a count sees the share s of its pairs and is divided by s.
Those who gave a length get what the curve says of people of such lengths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.degrees.channels import LaplaceChannel, WaveChannel
from graphveil.local.degrees.veil import first_half
from graphveil.local.estimation.bins import DegreeBins, degree_bins
from graphveil.local.estimation.cap_loss import SHOWS, caps_in_words, excess
from graphveil.local.estimation.clustering_curve import ClusteringCurve, NoisyCounts, fit_curve
from graphveil.local.estimation.evidence import Evidence
from graphveil.local.estimation.overlap import (
    Overlap,
    answer_variance,
    measure_overlap,
    pairs_variance,
    unbiased_pairs,
)
from graphveil.local.estimation.penalised import averaged_fit
from graphveil.local.estimation.shape import Shape
from graphveil.local.protocol import Estimate, RoundContext, Transcript
from graphveil.local.triangles.counts import Counted
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import numbers_of
from graphveil.mechanisms.accuracy import discrete_laplace_std

CLASSES = ((2, 5), (5, 10), (10, 20), (20, 50), (50, 100), (100, None))
LARGEST_STD, LARGEST_STD_OF_ALL = 0.05, 0.03
ON_AVERAGE = (
    "they hold on average over all people: at a small epsilon less often for those who are in far more triangles than "
    "others with as many friends"
)
NO_COUNT = 1e60  # the variance of a count that was not sent


@dataclass(frozen=True, slots=True, eq=False)
class CountReports:
    """Of people of one strength: noisy lengths, unbiased counts, the variance of their noise, and in all.

    `caps` are the most noisy edges that are accepted at one person on a list.
    """

    people: Integers
    lengths: Integers
    counts: Floats
    noise: Floats
    variances: Floats
    caps: Integers
    length_epsilon: Fraction
    places: Integers | None = None  # of lengths on the line of `channel`, from people who sent nothing else
    channel: WaveChannel | None = None

    def length_evidence(self, bins: DegreeBins) -> tuple[LaplaceChannel | WaveChannel, Integers]:
        """How lengths were reported, and the reports."""
        if self.channel is not None and self.places is not None:
            return self.channel, self.places
        return LaplaceChannel(self.length_epsilon, bins), np.clip(self.lengths, 0, bins.max_degree)


def counted_share(protocol: TriangleProtocol) -> float:
    """The share of a list that is counted: all of it, or all but the entries that the person owns."""
    return 1 - 1 / (2 * protocol.design.weight) if protocol.design.counted is Counted.OTHERS else 1.0


def count_reports(protocol: TriangleProtocol, transcript: Transcript) -> list[CountReports]:
    """What came in from everybody who answered both rounds, by strength."""
    first, last = transcript.received
    context, kept = RoundContext(protocol.rounds, transcript.published), counted_share(protocol)
    share = answering_share(protocol, transcript)
    scale = protocol.gain(context) * kept**2 * share
    lengths, counts = numbers_of(last.people, first)["size"], last.batch["count"] / scale
    of_answer, weight = protocol.response(context).variance, protocol.design.weight
    reports = []
    for choice, own in protocol.groups(transcript, last.people):
        budget, people, sizes = protocol.budget(context, choice), last.people[own], lengths[own]
        bounds = protocol.bounds(context, people, {"size": sizes}, choice)
        widths = protocol.widths(context, bounds, choice)
        noise = np.asarray(protocol.design.noise(budget.count).variances(widths) / scale**2)
        pairs = np.maximum(sizes, 0) * np.maximum(sizes - 1, 0) / 2
        variances = np.asarray(noise + pairs * of_answer * weight / (kept**4 * share**2))
        caps = protocol.contribution_caps(context, bounds, choice)
        channel = protocol.design.strengths[choice].channel
        if channel is not None:
            none, nothing = np.zeros(len(people), dtype=np.int64), np.full(len(people), NO_COUNT)
            every = np.full(len(people), protocol.n_people)
            reports.append(
                CountReports(people, none, none.astype(float), nothing, nothing, every, budget.size, sizes, channel)
            )
            continue
        reports.append(CountReports(people, sizes, counts[own], noise, variances, caps, budget.size))
    return reports


def answering_share(protocol: TriangleProtocol, transcript: Transcript) -> float:
    """The share of people who answer for their pairs: all, but for those who give the length of their list only."""
    chosen = transcript.received[0].batch.get("choice", np.zeros(1, dtype=np.int64))
    return 1 - float(protocol.design.closed(chosen).mean()) or 1.0


def estimate_sequence(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Triangles of each person, counts moved towards the curve; whoever did not answer is given the mean."""
    groups = count_reports(protocol, transcript)
    curve = fit_reports(groups, protocol.n_people, counted_share(protocol))
    made = predicted_triangles(protocol, groups, curve, answering_share(protocol, transcript))
    return replace(made, facts={**_facts(protocol, transcript), **made.facts})


def estimate_clustering(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Clustering of each person; whoever did not answer is given the mean.

    The facts hold `by_degree`, `average`, `transitivity` and, where all entries of one strength are counted, its
    deviation.
    """
    groups, kept = count_reports(protocol, transcript), counted_share(protocol)
    made = predicted_clustering(protocol, groups, fit_reports(groups, protocol.n_people, kept), kept)
    facts = {**_facts(protocol, transcript), **made.facts}
    if protocol.design.counted is Counted.ALL:
        facts["transitivity_std"] = _transitivity_std(protocol, transcript, groups[0], facts["transitivity"])
    return replace(made, facts=facts)


def predicted_triangles(
    protocol: TriangleProtocol, groups: Sequence[CountReports], curve: ClusteringCurve, share: float = 1.0
) -> Estimate:
    """Everybody's triangles by the curve, with what the public choice of pairs adds to their deviations."""
    people, lengths = _column(groups, "people"), _column(groups, "lengths")
    chosen = _choice_variances(protocol, lengths, curve.triangles, share)
    hidden = _hidden_by_caps(protocol, groups, curve)
    value = for_everybody(protocol, people, curve.triangles, float(curve.triangles.mean()))
    std = for_everybody(protocol, people, np.sqrt(curve.triangles_std**2 + chosen + hidden**2), np.nan)
    return Estimate(value, std=std, facts=_about_caps(hidden, std[people]))


def predicted_clustering(
    protocol: TriangleProtocol, groups: Sequence[CountReports], curve: ClusteringCurve, kept: float
) -> Estimate:
    """Everybody's clustering by the curve; its means are facts. `kept` is the share of a list that lengths tell of."""
    people, hidden = _column(groups, "people"), _hidden_by_caps(protocol, groups, curve)
    facts = {
        **_about_caps(hidden, np.hypot(curve.triangles_std, hidden)),
        "transitivity": _transitivity(groups, kept),
        "average": _statement(*curve.mean(), LARGEST_STD_OF_ALL),
        "by_degree": [_class(curve, first, past, kept) for first, past in CLASSES if first < protocol.n_people],
    }
    value = for_everybody(protocol, people, curve.clustering, float(curve.clustering.mean()))
    return Estimate(value, std=for_everybody(protocol, people, curve.clustering_std, np.nan), facts=facts)


def for_everybody(protocol: TriangleProtocol, people: Integers, values: Floats, absent: float) -> Floats:
    """Everybody's value, where those who did not answer get the same."""
    everybody = np.full(protocol.n_people, absent)
    everybody[people] = values
    return everybody


def fit_reports(groups: Sequence[CountReports], n_people: int, kept: float = 1.0) -> ClusteringCurve:
    """One curve for all groups, each report with its own probabilities; predictions group by group."""
    bins = degree_bins(n_people - 1, 8, Fraction(13, 10))
    halves: tuple[list[Evidence], list[Evidence]] = ([], [])
    rows, likelihoods, n_rows = [], [], 0
    lengths = np.concatenate([group.lengths for group in groups if group.channel is None])
    for group in groups:
        (channel, reported), half = group.length_evidence(bins), first_half(group.people)
        for evidence, side in zip(halves, (half, ~half), strict=True):
            evidence.append(channel.evidence(reported[side]))
        seen, places = np.unique(reported, return_inverse=True)
        likelihoods.append(channel.likelihood(seen))
        rows.append(places + n_rows)
        n_rows += len(seen)
    fit = averaged_fit(Shape(bins, n_people, float(lengths.sum()) / max(1, len(lengths))), *halves)
    reports = NoisyCounts(
        np.concatenate(rows),
        np.concatenate(likelihoods),
        _column(groups, "counts"),
        _column(groups, "variances"),
        max(discrete_laplace_std(group.length_epsilon) for group in groups if group.channel is None),
    )
    return fit_curve(bins, fit.shares, reports, kept)


def _facts(protocol: TriangleProtocol, transcript: Transcript) -> dict[str, Any]:
    """The mix of strengths where there is a choice, else the design."""
    method = "split" if protocol.design.counted is Counted.OTHERS else "whole"
    return protocol.mix(transcript) or {"method": method}


def _column(groups: Sequence[CountReports], name: str) -> Any:
    """One column of all groups, one after the other."""
    return np.concatenate([getattr(group, name) for group in groups])


def _choice_variances(protocol: TriangleProtocol, lengths: Integers, triangles: Floats, share: float) -> Floats:
    """What the public choice of pairs and of entries adds, for about so many triangles spread evenly over a list.

    A pair that one in m has an owner and that is reported with probability r adds (m - 1) r^2, an entry that is left
    out takes 2 T / d triangles along. Where a share s of people answers, one pair in m / s does, and each friend owns
    half of the T / d triangles with it, all of which are seen or none.
    """
    response, size, kept = protocol.response(RoundContext()), np.maximum(lengths, 1.0), counted_share(protocol)
    p, q, gain = (float(x) for x in (response.friend_probability, response.flip_probability, response.gain))
    reported = p**2 * triangles * kept**2 + q**2 * size * (size - 1) / 2
    of_pairs = (protocol.design.weight / share - 1) * reported / (gain**2 * kept**4)
    return np.asarray(of_pairs + ((1 - kept) * 4 + (1 - share) / share) * triangles**2 / size)


def _hidden_by_caps(protocol: TriangleProtocol, groups: Sequence[CountReports], curve: ClusteringCurve) -> Floats:
    """Triangles that the cap of each person's list hides, at most, were as many of its pairs joined as may well be.

    That is the estimate and a deviation; `estimation.cap_loss` has the argument.
    """
    response, kept = protocol.response(RoundContext()), counted_share(protocol)
    lengths, caps = (_column(groups, name).astype(np.float64) for name in ("lengths", "caps"))
    listed = np.maximum(lengths, 2.0)
    share = (curve.triangles + curve.triangles_std) / np.maximum(listed * (listed - 1) / 2 / kept**2, 1.0)
    flip, gain, weight = float(response.flip_probability), float(response.gain), protocol.design.weight
    refused = excess(listed - 1, (flip + gain * np.minimum(share, 1.0)) / weight, caps)
    return np.asarray(listed / 2 * refused * weight / (gain * kept**2))


def _about_caps(hidden: Floats, std: Floats) -> dict[str, Any]:
    """How many people's caps hide so much that it shows beside their deviation, what all may hide, and of whom."""
    binds = int(np.count_nonzero(hidden > SHOWS * std))
    hides = {"people_whose_cap_binds": binds, "triangles_hidden_by_caps": float(hidden.sum())}
    words = caps_in_words(f"the triangles of {binds:,} of the people" if binds else None)
    return {"caps": words, **hides, "intervals_assume": ON_AVERAGE}


def _transitivity(groups: Sequence[CountReports], kept: float) -> float:
    """Sum of all counts over the sum of all pairs of friends; both sums are unbiased."""
    counted = (group for group in groups if group.channel is None)
    pairs = sum(unbiased_pairs(group.lengths, group.length_epsilon) for group in counted) / kept**2
    return float(np.clip(_column(groups, "counts").sum() / max(pairs, 1.0), 0.0, 1.0))


def _transitivity_std(protocol: TriangleProtocol, transcript: Transcript, reports: CountReports, ratio: float) -> float:
    """Of counts, of answers and of lengths, over all pairs of friends."""
    pairs = unbiased_pairs(reports.lengths, reports.length_epsilon)
    of_pairs = ratio**2 * pairs_variance(reports.lengths, reports.length_epsilon)
    return math.sqrt(sum_variance(protocol, transcript, reports) + of_pairs) / max(pairs, 1.0)


def sum_variance(protocol: TriangleProtocol, transcript: Transcript, reports: CountReports) -> float:
    """Of the sum of all counts where every entry is counted: their noise, and answers, felt by all who count a pair."""
    graph, response = transcript.published[0].graph, protocol.response(RoundContext())

    def measure(people: int) -> Overlap:
        chosen = reports.people[np.argsort(reports.lengths)[-people:]]
        return measure_overlap(graph.among(chosen), response, whole=True)

    pairs, noise = unbiased_pairs(reports.lengths, reports.length_epsilon), float(reports.noise.sum())
    return noise + answer_variance(measure, pairs, float(reports.lengths.sum()), response, noise)


def _class(curve: ClusteringCurve, first: int, past: int | None, kept: float) -> dict[str, Any]:
    ends = (round(first * kept), None if past is None else round(past * kept))
    return {"from": first, "to": None if past is None else past - 1, **_statement(*curve.mean(*ends), LARGEST_STD)}


def _statement(mean: float, std: float, largest: float) -> dict[str, Any]:
    """A mean, or why there is none."""
    if std <= largest:
        return {"mean": mean, "std": std, "withheld": None}
    reason = f"its deviation, {std:.2f}, is above {largest}: counts say too little about people with few friends"
    return {"mean": None, "std": std, "withheld": reason}
