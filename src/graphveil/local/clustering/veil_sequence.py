"""Triangles of every person, from counts in a noisy graph; two designs, of which epsilon decides.

Paper      our own; begins where Fu et al. 2024, Algorithm 4, and Imola, Murakami and Chaudhuri 2021 leave off
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; for a friendship 2 epsilon (split) or 1.56 epsilon (whole)
Estimator  unbiased where no cap binds, then moved towards what is usual at that degree (`estimation.clustering_curve`)
Cost       two numbers and a bit for each pair a person answers for up; a bit for each pair asked about down

Everybody sends the noisy length of the list that will be counted, and answers for the pairs that they own; the noisy
graph is published; everybody counts in it (`triangle_page` has the count and its sensitivity).

whole: all pairs are asked about, every entry is counted; .12, .44 and .44 of epsilon for the length, an answer and the
count. An entry goes into all three: their sum. Of a friendship, one entry is answered for.
split (below epsilon 1.5): a fifth of the pairs is asked about. An entry that its person answers for is not counted and
gets all of epsilon in round 1; any other is only counted and gets .2 of epsilon in the length and .8 in the count. No
entry pays twice, which outweighs the tenth of each list that is not counted as long as noise is what hurts.

Bounds are the noisy lengths and a margin. Caps leave room for lists of which .7 of the pairs are friends (.85 from
epsilon 3 on, where a cap that binds hurts more than noise) and two deviations of flipped answers: more would need more
noise for everybody. All of these follow from released lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import SequencePage
from graphveil.local.degrees.channels import LaplaceChannel
from graphveil.local.degrees.veil import first_half
from graphveil.local.estimation.bins import degree_bins
from graphveil.local.estimation.clustering_curve import ClusteringCurve, NoisyCounts, fit_curve
from graphveil.local.estimation.evidence import Evidence
from graphveil.local.estimation.penalised import averaged_fit
from graphveil.local.estimation.shape import Shape
from graphveil.local.lists import Integers
from graphveil.local.pairs.contribution_caps import clique_caps
from graphveil.local.protocol import Estimate, Floats, RoundContext, Transcript
from graphveil.local.triangles.protocol import Budget, TrianglePage

ONE_PAIR_IN = 5  # of the split design
JOINED, WIDELY_JOINED = 0.7, 0.85  # share of a person's pairs of friends that a cap has room for
WIDE_CAPS_FROM = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilSequence(SequencePage):
    """Public parameters: the design, by default what epsilon asks for.

    >>> page = VeilSequence(epsilon=1, n_people=1000)
    >>> page.method, float(page.guarantee.relationship_epsilon)
    ('split', 2.0)
    """

    name: ClassVar[str] = "veil"
    split_below: ClassVar[Fraction] = Fraction(3, 2)

    method: str = ""

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if self.method == "":
            object.__setattr__(self, "method", "split" if self.epsilon < self.split_below else "whole")
        if self.method not in ("split", "whole"):
            raise ParameterError(f"the method is split or whole, not {self.method!r}")

    @property
    def splits(self) -> bool:
        """In the split design."""
        return self.method == "split"

    @property
    def weight(self) -> int:
        """One pair in five is asked about, or every one."""
        return ONE_PAIR_IN if self.splits else 1

    def budget(self, context: RoundContext) -> Budget:
        """Who pays what."""
        e = self.epsilon
        if self.splits:
            return Budget(size=e / 5, pairs=e, count=e * 4 / 5)
        return Budget(size=e * 3 / 25, pairs=e * 11 / 25, count=e * 11 / 25)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """Room for friends most of whom know each other."""
        response, joined = self.response(context), WIDELY_JOINED if self.epsilon >= WIDE_CAPS_FROM else JOINED
        chance = float(response.flip_probability) + float(response.gain) * joined
        return clique_caps(bounds, chance / self.weight)

    def estimate(self, transcript: Transcript) -> Estimate:
        """Counts, each moved towards what is usual; whoever did not answer is given the mean."""
        groups = self.count_reports(transcript)
        curve, people = fit_reports(groups, self.n_people, self.kept), joined(groups, "people")
        chosen = self.choice_variances(joined(groups, "lengths"), curve.triangles)
        value = self.whole_sequence(people, curve.triangles, float(curve.triangles.mean()))
        std = self.whole_sequence(people, np.sqrt(curve.triangles_std**2 + chosen), np.nan)
        return Estimate(value, std=std, facts=self.told(transcript))

    def count_reports(self, transcript: Transcript) -> list[CountReports]:
        """What came in, by the epsilons it was given at."""
        lengths, counts = self.raw_counts(transcript)
        people, epsilon = transcript.received[1].people, self.budget(RoundContext()).size
        return [CountReports(people, lengths, counts, self.count_variances(lengths), epsilon)]

    def told(self, transcript: Transcript) -> dict[str, Any]:
        """What stands beside the estimate."""
        return {"method": self.method}


@dataclass(frozen=True, slots=True, eq=False)
class CountReports:
    """Of people whose reports have the same epsilons: noisy lengths, unbiased counts and their variances."""

    people: Integers
    lengths: Integers
    counts: Floats
    variances: Floats
    length_epsilon: Fraction


def joined(groups: Sequence[CountReports], column: str) -> Any:
    """One column of all groups."""
    return np.concatenate([getattr(group, column) for group in groups])


def fit_reports(groups: Sequence[CountReports], n_people: int, kept: float = 1.0) -> ClusteringCurve:
    """One curve for all groups, each report with its own probabilities; predictions group by group."""
    bins = degree_bins(n_people - 1, 8, Fraction(13, 10))
    halves: tuple[list[Evidence], list[Evidence]] = ([], [])
    rows, likelihoods, n_rows = [], [], 0
    for group in groups:
        channel, half = LaplaceChannel(group.length_epsilon, bins), first_half(group.people)
        cut = np.clip(group.lengths, 0, bins.max_degree)
        for evidence, side in zip(halves, (half, ~half), strict=True):
            evidence.append(channel.evidence(cut[side]))
        seen, places = np.unique(group.lengths, return_inverse=True)
        likelihoods.append(channel.likelihood(np.clip(seen, 0, bins.max_degree)))
        rows.append(places + n_rows)
        n_rows += len(seen)
    fit = averaged_fit(Shape(bins, n_people), *halves)
    reports = NoisyCounts(
        np.concatenate(rows),
        np.concatenate(likelihoods),
        joined(groups, "counts"),
        joined(groups, "variances"),
    )
    return fit_curve(bins, fit.shares, reports, kept)
