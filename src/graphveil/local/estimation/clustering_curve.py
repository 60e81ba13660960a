"""How many of a person's pairs of friends know each other, as a curve over degrees; and what that tells of each person.

Everybody has reported a noisy list length and an unbiased, very noisy triangle count. The degree fit gives how likely
each degree is behind a reported length. With W(d) pairs of friends at degree d of which a share r is closure,

    E[count | length]   = sum over d of P(d | length) W(d) r(d)
    Var[count | length] = noise + sum over d of P(d | length) W(d)^2 (v(d) + r(d)^2) - E[count | length]^2

are straight in the curves r (mean share) and v (its variance between people), so both are weighted least squares, with
a prior that says only that neighbouring degrees are alike. A person's own count is moved towards the typical one at
its length, the more the noisier it is (best linear prediction: Efron and Morris 1973). All of it is post-processing.
With own variance o and noise s the error of that is o^2 s / (o + s)^2 from noise and (s / (o + s))^2 times the squared
distance of this person from the others. For the stated deviation the distance is the larger of what v may be, one
deviation up, and of what the person's own count shows: (count - expected)^2 - s is unbiased for it, and is taken one
deviation up as well, as far as a person of that length can have so many triangles. So somebody in a dense clique,
unlike others of that length, gets a wide interval rather than a wrong one. Of clustering the distance is what v may be,
one deviation up: in a graph of cliques and hubs, people of one degree differ more than few counts show.
The deviations of r show where the counts say nothing: below ten friends or so the prior is all there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.estimation.bins import DegreeBins

ROUGHNESS = 0.15  # how far r may differ between neighbouring bins
START, START_STD = 0.4, 0.3
VARIANCE_ROUGHNESS, VARIANCE_START, VARIANCE_START_STD = 0.02, 0.05, 0.03
LEAST_VARIANCE = 0.003
HEAVY_TAILS = 5.0  # variance of a squared noisy count, in units of the count's variance squared
PASSES = 4
SQUARE_STD = math.sqrt(2)  # standard deviation of a squared normal number of variance 1
LARGEST_STD = 0.05  # of r, for it to say anything
FEW_FRIENDS, FEW_SHARE = 10, 0.1  # who may have so few may have any clustering
TYPICAL_VARIANCE = 0.06  # of clustering between people of one degree; noisy counts often show less than there is


@dataclass(frozen=True, slots=True, eq=False)
class NoisyCounts:
    """What came in: for each person a row of `lengths`, a triangle count and the variance of its noise.

    `likelihood[row, bin]` is the probability of a reported length under each degree bin.
    """

    rows: Integers
    likelihood: Floats
    counts: Floats
    noise_variance: Floats
    length_std: float = 0.0  # of the noise of lengths


@dataclass(frozen=True, slots=True, eq=False)
class ClusteringCurve:
    """The fitted curve over degree bins, and each person's prediction."""

    bins: DegreeBins
    shares: Floats  # of people, for each bin
    closure: Floats  # r
    covariance: Floats  # of r
    between: Floats  # v
    triangles: Floats
    triangles_std: Floats
    clustering: Floats
    clustering_std: Floats
    length_std: float  # of the noise of reported lengths

    def mean(self, first: int = 0, past: int | None = None) -> tuple[float, float]:
        """Mean clustering of people whose degree lies in first..past-1, and its deviation.

        How people are spread over the bins is fitted as well: where noise of lengths reaches from bin to bin, the mean
        may be off by as much as the curve varies from bin to bin.
        """
        degrees = np.arange(self.bins.max_degree + 1)
        inside = (degrees >= first) & (degrees < (self.bins.max_degree + 1 if past is None else past))
        weights = np.add.reduceat(np.where(inside, self.bins.spread(self.shares), 0.0), self.bins.edges[:-1])
        weights = weights / max(float(weights.sum()), 1e-300)
        variance = float(weights @ self.covariance @ weights + self._of_spread(weights))
        return float(weights @ self.closure), float(np.sqrt(variance))

    def _of_spread(self, weights: Floats) -> float:
        """What a wrong spread of people over bins does to a mean, octave of degrees by octave."""
        octaves, steps = np.log2(np.maximum(self.bins.edges[:-1], 1)).astype(np.int64), np.diff(self.bins.edges)
        share, width, first, second = (
            np.bincount(octaves, weights * values)
            for values in (np.ones(len(steps)), steps, self.closure, self.closure**2)
        )
        loose = np.minimum(share, self.length_std * share**2 / np.maximum(width, 1e-300))
        within = np.maximum(second / np.maximum(share, 1e-300) - (first / np.maximum(share, 1e-300)) ** 2, 0.0)
        return float(loose**2 @ within)


def fit_curve(bins: DegreeBins, shares: Floats, reports: NoisyCounts, kept: float = 1.0) -> ClusteringCurve:
    """Fit r and v; `kept` is the share of each list that was counted, so that W(d) = d (d - 1) / 2 kept^2."""
    posterior = reports.likelihood * shares
    posterior /= posterior.sum(axis=1, keepdims=True)
    pairs, pairs_squared = _pair_moments(bins, shares, kept)
    once, twice = posterior * pairs, posterior * pairs_squared
    people = np.bincount(reports.rows, minlength=len(once)).astype(np.float64)
    counts = np.bincount(reports.rows, reports.counts, minlength=len(once)) / np.maximum(people, 1)
    noise = np.bincount(reports.rows, reports.noise_variance, minlength=len(once)) / np.maximum(people, 1)
    between = np.full(bins.n_bins, VARIANCE_START)
    closure = np.full(bins.n_bins, START)
    covariance = np.eye(bins.n_bins)
    for _ in range(PASSES):
        spread = noise + _own_variance(once, twice, closure, between)
        closure, covariance = _least_squares(once, counts, people / spread, ROUGHNESS, START, START_STD)
        closure = np.clip(closure, 0.0, 1.0)
        expected = once @ closure
        squares = np.bincount(reports.rows, (reports.counts - expected[reports.rows]) ** 2, minlength=len(once))
        surplus = squares / np.maximum(people, 1) - noise + expected**2 - twice @ closure**2
        weights = people / (HEAVY_TAILS * spread**2)
        between, unsure = _least_squares(
            twice, surplus, weights, VARIANCE_ROUGHNESS, VARIANCE_START, VARIANCE_START_STD
        )
        most = np.maximum(LEAST_VARIANCE, closure * (1 - closure))
        between = np.clip(between, LEAST_VARIANCE, most)
        upper = np.clip(between + np.sqrt(np.diag(unsure)), LEAST_VARIANCE, most)
    return _predict(bins, shares, reports, posterior, (once, twice), (closure, covariance, between, upper))


def _predict(
    bins: DegreeBins,
    shares: Floats,
    reports: NoisyCounts,
    posterior: Floats,
    moments: tuple[Floats, Floats],
    curves: tuple[Floats, Floats, Floats, Floats],
) -> ClusteringCurve:
    once, twice = moments
    closure, covariance, between, upper = curves
    expected, own = once @ closure, _own_variance(once, twice, closure, between)
    wide = _own_variance(once, twice, closure, upper)
    has_pairs = bins.edges[1:] > 2
    typical = posterior @ (closure * has_pairs)
    together = once @ (between + closure**2) - typical * expected
    row, apart = reports.rows, reports.counts - expected[reports.rows]
    noise = reports.noise_variance
    total = own[row] + noise
    triangles = np.maximum(expected[row] + own[row] / total * apart, 0.0)
    shown = apart**2 - noise
    likely = np.minimum(shown + SQUARE_STD * noise, _largest_distance(once, twice, expected)[row] ** 2)
    unlike = np.maximum(wide[row], np.maximum(shown, likely))
    of_count = (own[row] ** 2 * noise + noise**2 * unlike) / total**2
    clustering = np.clip(typical[row] + together[row] / total * apart, 0.0, 1.0)
    spread = posterior @ ((np.maximum(upper, TYPICAL_VARIANCE) + closure**2) * has_pairs) - typical**2
    of_typical = _of_curve(posterior * has_pairs, covariance)
    known = (of_typical <= LARGEST_STD**2) & (posterior @ (bins.edges[:-1] < FEW_FRIENDS) <= FEW_SHARE)
    left = np.maximum(spread[row] - together[row] ** 2 / total, 0.0) + of_typical[row]
    of_curve = (noise / total) ** 2 * _of_curve(once, covariance)[row]
    return ClusteringCurve(
        bins,
        shares,
        closure * has_pairs,
        covariance,
        between,
        triangles,
        np.sqrt(of_count + of_curve),
        clustering,
        np.where(known[row], np.sqrt(left), np.nan),
        reports.length_std,
    )


def _of_curve(weights: Floats, covariance: Floats) -> Floats:
    """The variance of each row's weighted mean of r, which is fitted."""
    return np.asarray(((weights @ covariance) * weights).sum(axis=1))


def _own_variance(once: Floats, twice: Floats, closure: Floats, between: Floats) -> Floats:
    """Variance of the true count among people of one reported length."""
    return np.maximum(twice @ (between + closure**2) - (once @ closure) ** 2, 1e-9)


def _largest_distance(once: Floats, twice: Floats, expected: Floats) -> Floats:
    """How far a count can be from the expected one: from no triangle to all pairs, as many as there may well be."""
    pairs = once.sum(axis=1)
    most = pairs + np.sqrt(np.maximum(twice.sum(axis=1) - pairs**2, 0.0))
    return np.asarray(np.maximum(expected, most - expected))


def _pair_moments(bins: DegreeBins, shares: Floats, kept: float) -> tuple[Floats, Floats]:
    """Mean of W and of W^2 in each bin."""
    degrees = np.arange(bins.max_degree + 1, dtype=np.float64)
    pairs = degrees * (degrees - 1) / 2 / kept**2
    weights = bins.spread(np.maximum(shares, 1e-12))
    total = np.add.reduceat(weights, bins.edges[:-1])
    return (
        np.add.reduceat(weights * pairs, bins.edges[:-1]) / total,
        np.add.reduceat(weights * pairs**2, bins.edges[:-1]) / total,
    )


def _least_squares(
    table: Floats, values: Floats, weights: Floats, roughness: float, start: float, start_std: float
) -> tuple[Floats, Floats]:
    """Values ~ table x curve, where the curve changes little from bin to bin; with its covariance."""
    size = table.shape[1]
    steps = np.diff(np.eye(size), axis=0)
    prior = steps.T @ steps / roughness**2 + np.eye(size) / start_std**2 / size
    precision = (table * weights[:, np.newaxis]).T @ table + prior
    pull = table.T @ (weights * values) + np.full(size, start / start_std**2 / size)
    return np.linalg.solve(precision, pull), np.linalg.inv(precision)
