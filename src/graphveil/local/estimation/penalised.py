"""The most likely distribution of a likely shape: penalised maximum likelihood, averaged over degrees of smoothness.

    maximise over F   sum over reports of log L.F  -  penalty (`shape`)

How smooth is left to the reports: for each of a few values, either half of the people predicts the other half, and the
fits to all reports are averaged with weights that fall off with the square root of the likelihood so lost. Averaging is
steadier than taking the best. All of this is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats
from graphveil.local.estimation.evidence import Evidence, add_up
from graphveil.local.estimation.shape import Shape

SMOOTHINGS = (300.0, 60.0, 12.0, 2.5, 0.5, 0.1, 0.02, 0.004)
RIDGE = 1e-4  # keeps a bin nobody is in from running off to minus infinity
LOWEST = -60.0
MAX_STEPS, MAX_HALVINGS = 60, 12
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
    halves = [[part for part in half if part.n_reports] for half in (first, second)]
    everything = [*halves[0], *halves[1]]
    scores, starts = _cross_validate(shape, halves)
    weights = softmax(scores / 2)
    weights[weights < NEGLIGIBLE] = 0.0
    weights /= weights.sum()
    table = np.zeros((len(SMOOTHINGS), shape.bins.n_bins))
    for i in np.flatnonzero(weights):
        table[i] = softmax(fit_logs(shape, everything, SMOOTHINGS[i], starts[i]))
    shares = weights @ table
    smoothing = float(np.exp(weights @ np.log(SMOOTHINGS)))
    variance = _curvature_variance(_Objective(shape, everything, smoothing), shares) + weights @ (table - shares) ** 2
    return Fit(shares, np.sqrt(variance), smoothing)


def _cross_validate(shape: Shape, halves: Sequence[Sequence[Evidence]]) -> tuple[Floats, list[Floats]]:
    """For each degree of smoothness: how likely either half finds the other, and logs near the fit to both."""
    scores, starts = [], []
    logs = [initial_logs(shape)] * 2
    for smoothing in SMOOTHINGS:
        logs = [fit_logs(shape, half, smoothing, start) for half, start in zip(halves, logs, strict=True)]
        others = zip(logs, reversed(halves), strict=True)
        scores.append(sum(add_up(half, softmax(fitted)).log_likelihood for fitted, half in others if half))
        starts.append((logs[0] + logs[1]) / 2)
    return np.array(scores), starts


def fit_logs(shape: Shape, evidence: Sequence[Evidence], smoothing: float, start: Floats) -> Floats:
    """Logs of the shares, up to a constant: scoring steps with a line search."""
    objective = _Objective(shape, evidence, smoothing)
    logs, (value, slope, curve) = start, objective(start)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(curve, slope)
        if slope @ step < 2 * TOLERANCE:  # what a whole step would gain
            break
        scale = min(1.0, 3.0 / float(np.abs(step).max()))
        for _ in range(MAX_HALVINGS):
            candidate = logs + scale * step
            candidate = np.maximum(candidate, candidate.max() + LOWEST)
            tried = objective(candidate)
            if tried[0] > value:
                break
            scale /= 2
        else:
            break
        logs, (value, slope, curve) = candidate, tried
    return logs


class _Objective:
    """Value, slope and (positive) curvature of the penalised log-likelihood as a function of the logs."""

    def __init__(self, shape: Shape, evidence: Sequence[Evidence], smoothing: float) -> None:
        self.evidence = evidence
        self.people = sum(part.n_reports for part in evidence)
        self.penalties = shape.penalties(smoothing)
        self.offset = np.log(shape.bins.widths)

    def __call__(self, logs: Floats) -> tuple[float, Floats, Floats]:
        value = -RIDGE / 2 * float(logs @ logs)
        slope = -RIDGE * logs
        curve = (RIDGE + 1e-3) * np.eye(len(logs))
        if self.evidence:
            shares = softmax(logs)
            sums = add_up(self.evidence, shares)
            held = shares * sums.first
            crossed = np.outer(held, shares)
            value += sums.log_likelihood
            slope = slope + held - self.people * shares
            curve += np.outer(shares, shares) * (sums.second + self.people) - crossed - crossed.T
        for penalty in self.penalties:
            amount, rise, bend = penalty(logs - self.offset)
            value, slope, curve = value - amount, slope - rise, curve + bend
        return value, slope, curve

    def pull(self, logs: Floats) -> tuple[Floats, Floats]:
        """Slope and curvature of the penalty alone."""
        size = len(logs)
        parts = [penalty(logs - self.offset) for penalty in self.penalties]
        return sum((part[1] for part in parts), np.zeros(size)), sum(
            (part[2] for part in parts), np.zeros((size, size))
        )


def _curvature_variance(objective: _Objective, shares: Floats) -> Floats:
    """Diagonal of J H^-1 J', H the curvature in the logs and J the slope of the shares in them, and a squared bias.

    The bias is what the penalty does: to first order H^-1 times its slope at the fit. That is too little where a peak
    has been smoothed away, since nothing pulls at what is not there. The two halves would have called for a rougher fit
    had they seen the peak; so what they cannot see is no more than the noise of a rougher fit, and H for the variance
    has a 30th of the penalty. (Set on Facebook, AstroPh and Enron at epsilon 1.)
    """
    logs = np.log(np.maximum(shares, np.exp(LOWEST)))
    _, _, curve = objective(logs)
    pull, bend = objective.pull(logs)
    slope = np.diag(shares) - np.outer(shares, shares)
    bias = slope @ np.linalg.solve(curve, pull)
    looser = curve - (1 - 1 / LOOSER) * bend
    return np.asarray(np.einsum("ij,ji->i", slope, np.linalg.solve(looser, slope.T)) + bias**2)


def softmax(logs: Floats) -> Floats:
    """Turn logarithms into shares that sum to 1."""
    shares = np.exp(logs - logs.max())
    return np.asarray(shares / shares.sum())


def initial_logs(shape: Shape) -> Floats:
    """A density that falls like degree^-3/2."""
    logs = np.log(shape.bins.widths) - 1.5 * np.log1p(shape.bins.centres)
    return np.asarray(logs - logs.max())
