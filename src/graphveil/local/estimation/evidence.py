"""What perturbed reports say about how many people are in each bin.

A report with probability L_k under bin k has likelihood L.F when a share F_k of the people is in bin k. Every kind of
report is kept in the form in which sums over all reports are cheapest; a fit adds any of them up, so that reports made
under different budgets, or by different mechanisms, each speak with their own probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.kernels import kernel


class Moments(NamedTuple):
    """Sums over reports: log L.F, L / L.F (a vector) and L L' / (L.F)^2 (a matrix)."""

    log_likelihood: float
    first: Floats
    second: Floats


class Evidence(Protocol):
    """What reports of one kind say about the distribution over bins."""

    @property
    def n_reports(self) -> int:
        """The number of reports that this evidence rests on."""
        ...

    def moments(self, shares: Floats) -> Moments:
        """The sums a fit needs, at given shares of the bins."""
        ...


@dataclass(frozen=True, slots=True)
class CountedReports:
    """Reports from a small set: how often each came, and its probability under each bin (one row per report)."""

    counts: Floats
    likelihood: Floats

    @property
    def n_reports(self) -> int:
        """The number of reports that this evidence rests on."""
        return int(self.counts.sum())

    def moments(self, shares: Floats) -> Moments:
        """In one pass over the different reports."""
        return Moments(*_sum_over_counts(self.counts, self.likelihood, shares))


def counted(reports: Integers, likelihood: Floats) -> CountedReports:
    """Count reports; those nobody sent are left out."""
    counts = np.bincount(reports, minlength=len(likelihood)).astype(np.float64)
    seen = counts > 0
    return CountedReports(counts[seen], likelihood[seen])


@dataclass(frozen=True, slots=True)
class SubsetReports:
    """Sets of bins, one rising row each; `odds` is how much likelier a set is under a bin it holds than another."""

    members: Integers
    odds: float

    @property
    def n_reports(self) -> int:
        """The number of reports that this evidence rests on."""
        return len(self.members)

    def moments(self, shares: Floats) -> Moments:
        """In one pass over the reports: L = 1 + (odds - 1) on the members."""
        log_likelihood, ones, held, pairs = _sum_over_sets(self.members, self.odds - 1, shares)
        gain = self.odds - 1
        first = ones[0] + gain * held
        crossed = gain * np.diagonal(pairs)
        second = ones[1] + crossed[:, np.newaxis] + crossed + gain**2 * pairs
        return Moments(float(log_likelihood), first, second)


@kernel
def _sum_over_counts(counts: Any, likelihood: Any, shares: Any) -> Any:
    # a plain loop: a threaded matrix library takes longer to wake up than these sums take
    n_bins = len(shares)
    log_likelihood = 0.0
    first = np.zeros(n_bins)
    second = np.zeros((n_bins, n_bins))
    for r in range(len(counts)):
        chance = 0.0
        for k in range(n_bins):
            chance += likelihood[r, k] * shares[k]
        log_likelihood += counts[r] * np.log(chance)
        once = counts[r] / chance
        twice = once / chance
        for k in range(n_bins):
            first[k] += once * likelihood[r, k]
            scaled = twice * likelihood[r, k]
            for j in range(k + 1):
                second[k, j] += scaled * likelihood[r, j]
    for k in range(n_bins):
        for j in range(k):
            second[j, k] = second[k, j]
    return log_likelihood, first, second


@kernel
def _sum_over_sets(members: Any, gain: Any, shares: Any) -> Any:
    n_bins, size = len(shares), members.shape[1]
    log_likelihood = 0.0
    ones = np.zeros(2)
    held = np.zeros(n_bins)
    pairs = np.zeros((n_bins, n_bins))
    for i in range(len(members)):
        inside = 0.0
        for a in range(size):
            inside += shares[members[i, a]]
        chance = 1.0 + gain * inside
        log_likelihood += np.log(chance)
        once, twice = 1.0 / chance, 1.0 / (chance * chance)
        ones[0] += once
        ones[1] += twice
        for a in range(size):
            k = members[i, a]
            held[k] += once
            for b in range(a + 1):
                pairs[k, members[i, b]] += twice
    for k in range(n_bins):
        for j in range(k):
            pairs[j, k] = pairs[k, j]
    return log_likelihood, ones, held, pairs


def add_up(evidence: Sequence[Evidence], shares: Floats) -> Moments:
    """The sums over all reports of all kinds."""
    total, *others = (part.moments(shares) for part in evidence)
    for part in others:
        total = Moments(
            total.log_likelihood + part.log_likelihood, total.first + part.first, total.second + part.second
        )
    return total
