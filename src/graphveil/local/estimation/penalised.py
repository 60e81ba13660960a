"""The most likely distribution of a likely shape: penalised maximum likelihood, averaged over degrees of smoothness.

    maximise over F   sum over reports of log L.F  -  penalty (`shape`)

How smooth is left to the reports: for each of a few values, either half of the people predicts the other half, and the
fits to all reports are averaged with weights that fall off with the square root of the likelihood so lost. Averaging is
steadier than taking the best. All of this is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphveil.arrays import Floats
from graphveil.local.estimation.evidence import Evidence, add_up
from graphveil.local.estimation.shape import Penalty, Shape

SMOOTHINGS = (300.0, 60.0, 12.0, 2.5, 0.5, 0.1, 0.02, 0.004)
RIDGE = 1e-4  # keeps a bin nobody is in from running off to minus infinity
LOWEST = -60.0
MAX_STEPS, MAX_HALVINGS, MAX_TOPS = 60, 12, 5
TOLERANCE = 1e-3  # of log-likelihood; a report more or less matters far more
NEGLIGIBLE = 1e-3  # weights below this are dropped
LOOSER = 30.0  # the part of the penalty that deviations believe in


@dataclass(frozen=True, slots=True)
class Fit:
    """Shares of the bins, their standard deviation and the mean smoothness.

    The deviation comes from the curvature at the fit with a 30th of the penalty, from how hard the penalty has to pull
    against the reports, and from the spread between degrees of smoothness.
    """

    shares: Floats
    std: Floats
    smoothing: float


def averaged_fit(shape: Shape, first: Sequence[Evidence], second: Sequence[Evidence]) -> Fit:
    """Fit all reports; the two halves decide how smooth."""
    halves = [Likelihood([part for part in half if part.n_reports]) for half in (first, second)]
    everything = Likelihood([*halves[0].evidence, *halves[1].evidence])
    penalties = [shape.penalty(smoothing) for smoothing in SMOOTHINGS]
    scores, starts = _cross_validate(initial_logs(shape), penalties, halves)
    weights = softmax(scores / 2)
    weights[weights < NEGLIGIBLE] = 0.0
    weights /= weights.sum()
    table = np.zeros((len(SMOOTHINGS), shape.bins.n_bins))
    for i in np.flatnonzero(weights):
        table[i] = softmax(fit_logs(everything, penalties[i], everything(starts[i])).logs)
    shares = weights @ table
    smoothing = float(np.exp(weights @ np.log(SMOOTHINGS)))
    variance = _curvature_variance(everything, shape.penalty(smoothing), shares) + weights @ (table - shares) ** 2
    return Fit(shares, np.sqrt(variance), smoothing)


def _cross_validate(
    logs: Floats, penalties: Sequence[Penalty], halves: Sequence[Likelihood]
) -> tuple[Floats, list[Floats]]:
    """For each degree of smoothness: how likely either half finds the other, and logs near the fit to both."""
    scores, starts = [], []
    points = [half(logs) for half in halves]
    for penalty in penalties:
        points = [fit_logs(half, penalty, point) for half, point in zip(halves, points, strict=True)]
        others = zip(points, reversed(halves), strict=True)
        scores.append(
            sum(add_up(half.evidence, softmax(point.logs)).log_likelihood for point, half in others if half.evidence)
        )
        starts.append((points[0].logs + points[1].logs) / 2)
    return np.array(scores), starts


class Point(NamedTuple):
    """Logs of shares with their log-likelihood, its slope and its (positive) curvature."""

    logs: Floats
    value: float
    slope: Floats
    curve: Floats


class Likelihood:
    """The log-likelihood of reports, and a slight ridge, as a function of the logs of the shares."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self.evidence = evidence
        self.people = sum(part.n_reports for part in evidence)

    def __call__(self, logs: Floats) -> Point:
        """At these logs, with slope and curvature."""
        value = -RIDGE / 2 * float(logs @ logs)
        slope = -RIDGE * logs
        curve = (RIDGE + 1e-3) * np.eye(len(logs))
        if self.evidence:
            shares = softmax(logs)
            sums = add_up(self.evidence, shares)
            held = shares * sums.first
            crossed = np.outer(held, shares)
            value += sums.log_likelihood
            slope += held - self.people * shares
            curve += np.outer(shares, shares) * (sums.second + self.people) - crossed - crossed.T
        return Point(logs, value, slope, curve)


def fit_logs(likelihood: Likelihood, penalty: Penalty, point: Point) -> Point:
    """Logs of the shares, up to a constant: steps to the top of a model, with a line search."""
    for _ in range(MAX_STEPS):
        step, gain = _to_the_top(point, penalty)
        if gain < TOLERANCE:
            break
        scale, reached = min(1.0, 3.0 / float(np.abs(step).max())), point.value - penalty.value(point.logs)
        for _ in range(MAX_HALVINGS):
            logs = point.logs + scale * step
            tried = likelihood(np.maximum(logs, logs.max() + LOWEST))
            if tried.value - penalty.value(tried.logs) > reached:
                break
            scale /= 2
        else:
            break
        point = tried
    return point


def _to_the_top(point: Point, penalty: Penalty) -> tuple[Floats, float]:
    """The step to the top of a model, and what is gained there.

    The model is quadratic in the likelihood and has the penalty as it is. A one-sided term that begins or ceases to
    count on the way moves the top, which is then looked for again.
    """
    step, before = np.zeros_like(point.logs), None
    for _ in range(MAX_TOPS):
        rise, bend, counts = penalty.slopes(point.logs + step)
        if before is not None and np.array_equal(counts, before):
            break
        step = step + np.linalg.solve(point.curve + bend, point.slope - point.curve @ step - rise)
        before = counts
    more = penalty.value(point.logs + step) - penalty.value(point.logs)
    return step, float(point.slope @ step - step @ point.curve @ step / 2) - more


def _curvature_variance(likelihood: Likelihood, penalty: Penalty, shares: Floats) -> Floats:
    """Diagonal of J H^-1 J', H the curvature in the logs and J the slope of the shares in them, and a squared bias.

    The bias is what the penalty does: to first order H^-1 times its slope at the fit. That is too little where a peak
    has been smoothed away, since nothing pulls at what is not there. The two halves would have called for a rougher fit
    had they seen the peak; so what they cannot see is no more than the noise of a rougher fit, and H for the variance
    has a 30th of the penalty. (Set on Facebook, AstroPh and Enron at epsilon 1.)
    """
    point = likelihood(np.log(np.maximum(shares, np.exp(LOWEST))))
    pull, bend, _ = penalty.slopes(point.logs)
    slope = np.diag(shares) - np.outer(shares, shares)
    bias = slope @ np.linalg.solve(point.curve + bend, pull)
    looser = np.linalg.solve(point.curve + bend / LOOSER, slope.T)
    return np.asarray(np.einsum("ij,ji->i", slope, looser) + bias**2)


def softmax(logs: Floats) -> Floats:
    """Turn logarithms into shares that sum to 1."""
    shares = np.exp(logs - logs.max())
    return np.asarray(shares / shares.sum())


def initial_logs(shape: Shape) -> Floats:
    """A density that falls like degree^-3/2."""
    logs = np.log(shape.bins.widths) - 1.5 * np.log1p(shape.bins.centres)
    return np.asarray(logs - logs.max())
