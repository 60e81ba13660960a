"""Clustering of every person, by degree and on average, from the reports that triangle sequences are made of.

Paper      our own; begins where Fu et al. 2024, Algorithm 6, leaves off
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; for a friendship 1.56 epsilon (whole, the default) or 2 epsilon (split)
Estimator  the best linear prediction from a person's noisy degree and count (`estimation.clustering_curve`)
Cost       a length, half of the asked pairs of a person as bits and a count up; the noisy graph down

Nothing is paid for clustering: degrees and counts are those of `veil_sequence`. No noisy degree is divided by. Means
over classes of degrees come from the fitted curve, with deviations. What has a deviation above .05 (.03 for the average
of everybody) is withheld: at small epsilon that is the lot of people with few friends, and hence of the average. All
pairs are asked about: a public choice of some is the same for everybody, and what it misses would not average out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.local.clustering.veil_sequence import CountReports, VeilSequence, fit_reports, joined
from graphveil.local.estimation.clustering_curve import ClusteringCurve
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, pairs_variance, unbiased_pairs
from graphveil.local.protocol import Estimate, RoundContext, Transcript

CLASSES = ((2, 5), (5, 10), (10, 20), (20, 50), (50, 100), (100, None))
LARGEST_STD, LARGEST_STD_OF_ALL = 0.05, 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilClustering(VeilSequence):
    """Public parameters: those of the triangle sequence.

    The facts of an estimate hold `by_degree`, `average`, `transitivity` and its deviation.
    """

    statistic: ClassVar[str] = "clustering"
    split_below: ClassVar[Fraction] = Fraction(0)

    def estimate(self, transcript: Transcript) -> Estimate:
        """Clustering of each person; whoever did not answer gets the mean."""
        estimate = clustering_estimate(self, transcript)
        if not self.splits:
            estimate.facts["transitivity_std"] = self._transitivity_std(transcript, estimate.facts["transitivity"])
        return estimate

    def _transitivity_std(self, transcript: Transcript, ratio: float) -> float:
        """Of counts, of answers (felt by all who count a pair) and of lengths, over all pairs of friends."""
        (reports,), response = self.count_reports(transcript), self.response(RoundContext())
        graph, entries = transcript.published[0].graph, float(reports.lengths.sum())

        def measure(people: int) -> Overlap:
            chosen = reports.people[np.argsort(reports.lengths)[-people:]]
            return measure_overlap(graph.among(chosen), response, whole=True)

        pairs, noise = unbiased_pairs(reports.lengths, reports.length_epsilon), self.noise_of_counts(reports.lengths)
        of_counts = float(noise.sum()) + answer_variance(measure, pairs, entries, response, float(noise.sum()))
        of_pairs = ratio**2 * pairs_variance(reports.lengths, reports.length_epsilon)
        return math.sqrt(of_counts + of_pairs) / max(pairs, 1.0)


def clustering_estimate(page: VeilSequence, transcript: Transcript) -> Estimate:
    """From the reports of triangle sequences, at one epsilon or at several."""
    groups = page.count_reports(transcript)
    curve, people = fit_reports(groups, page.n_people, page.kept), joined(groups, "people")
    facts = {
        **page.told(transcript),
        "transitivity": _transitivity(groups, page.kept),
        "average": _stated(*curve.mean(), LARGEST_STD_OF_ALL),
        "by_degree": [_class(curve, first, past, page.kept) for first, past in CLASSES],
    }
    value = page.whole_sequence(people, curve.clustering, float(curve.clustering.mean()))
    return Estimate(value, std=page.whole_sequence(people, curve.clustering_std, np.nan), facts=facts)


def _transitivity(groups: Sequence[CountReports], kept: float) -> float:
    """Sum of all counts over the sum of all pairs of friends; both sums are unbiased."""
    pairs = sum(unbiased_pairs(group.lengths, group.length_epsilon) for group in groups) / kept**2
    return float(np.clip(joined(groups, "counts").sum() / max(pairs, 1.0), 0.0, 1.0))


def _class(curve: ClusteringCurve, first: int, past: int | None, kept: float) -> dict[str, Any]:
    ends = (round(first * kept), None if past is None else round(past * kept))
    return {"from": first, "to": None if past is None else past - 1, **_stated(*curve.mean(*ends), LARGEST_STD)}


def _stated(mean: float, std: float, largest: float) -> dict[str, Any]:
    """A mean, or why there is none."""
    if std <= largest:
        return {"mean": mean, "std": std, "withheld": None}
    reason = f"its deviation, {std:.2f}, is above {largest}: counts say too little about people with few friends"
    return {"mean": None, "std": std, "withheld": reason}
