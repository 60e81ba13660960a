"""Putting features and rows together, with few coefficients that are fitted on labelled people who have rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from graphveil.arrays import Floats, Integers
from graphveil.learn.softmax import fit_softmax, log_normalised, log_totals

RIDGES = (10.0, 60.0, 400.0)
FOLDS = 4
SCALE_FOLDS = 10
SCALE_PULL = 10.0  # penalty that draws the coefficient of a log-likelihood towards 1
BIAS_PULL = 10.0  # penalty that draws the bias of a class towards 0
PEOPLE_A_CLASS = 6  # fewer labelled people with rows are too few for a correction


def fit_scales(parts: Sequence[Floats], classes: Integers) -> tuple[Floats, float]:
    """Coefficients of log-likelihoods, shared by all classes and drawn towards 1, then a bias for each class; the loss.

    So few numbers can be fitted on few people, and with none at all the sum is Bayes' rule.
    """
    stacked = np.stack(parts, axis=2)
    n_people, n_classes, n_parts = stacked.shape
    middle = np.r_[np.ones(n_parts), np.zeros(n_classes)]
    pull = np.r_[np.full(n_parts, SCALE_PULL), np.full(n_classes, BIAS_PULL)]
    rows = np.arange(n_people)

    def loss(given: Floats) -> tuple[float, Floats]:
        scores = stacked @ given[:n_parts] + given[n_parts:]
        totals = log_totals(scores)
        misses = np.exp(scores - totals)
        misses[rows, classes] -= 1
        value = (totals[:, 0] - scores[rows, classes]).sum() + 0.5 * (pull * (given - middle) ** 2).sum()
        slope = np.r_[np.einsum("na,naj->j", misses, stacked), misses.sum(axis=0)]
        return float(value), slope + pull * (given - middle)

    bounds = [(0, None)] * n_parts + [(None, None)] * n_classes
    found = scipy.optimize.minimize(loss, middle, jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x, float(found.fun)


def apply_scales(parts: Sequence[Floats], scales: Floats) -> Floats:
    """The log-probabilities that these coefficients give."""
    return log_normalised(np.stack(parts, axis=2) @ scales[: len(parts)] + scales[len(parts) :])


def held_out(parts: Sequence[Floats], classes: Integers) -> Floats:
    """The log-probabilities of each person by coefficients that were fitted on the others."""
    found = np.empty_like(parts[0])
    fold = np.arange(len(classes)) % SCALE_FOLDS
    for each in range(min(SCALE_FOLDS, len(classes))):
        kept = fold != each
        scales, _ = fit_scales([part[kept] for part in parts], classes[kept])
        found[~kept] = apply_scales([part[~kept] for part in parts], scales)
    return found


def row_features(prior: Floats, rows: Sequence[Integers], likelihoods: Sequence[Floats], rate: float) -> Floats:
    """Simple transforms of noisy rows, for a correction of what the likelihood does not model."""
    scale = 1 / rate
    columns: list[Floats] = [prior]
    for whole, likelihood in zip(rows, likelihoods, strict=True):
        counts = whole.astype(np.float64)
        positive = np.maximum(counts, 0)
        columns += [
            likelihood - likelihood.mean(axis=1, keepdims=True),
            np.arcsinh(counts / (1 + scale)),
            counts * rate / (1 + rate),
            positive / (positive.sum(axis=1, keepdims=True) + (3 * scale + 1) * counts.shape[1]),
            np.arcsinh(counts.sum(axis=1, keepdims=True) / (1 + scale)),
        ]
    return np.hstack(columns)


@dataclass(frozen=True, slots=True)
class Correction:
    """A linear correction of scores: features less `middle`, times `weights`."""

    middle: Floats
    weights: Floats

    def apply(self, features: Floats, scores: Floats) -> Floats:
        """The log-probabilities after the correction of these scores."""
        return log_normalised(scores + (features - self.middle) @ self.weights)


def fit_correction(features: Floats, scores: Floats, classes: Integers) -> Correction | None:
    """A ridge regression on top of scores, or None where cross-validation says that it does not help."""
    n_people, n_classes = scores.shape
    if n_people < PEOPLE_A_CLASS * n_classes:
        return None
    middle, deviation = features.mean(axis=0), features.std(axis=0)
    unit = np.where(deviation > 1e-9, 1 / np.maximum(deviation, 1e-9), 0.0)
    scaled = (features - middle) * unit
    rows, fold = np.arange(n_people), np.arange(n_people) % FOLDS
    best, chosen = scores[rows, classes].sum(), None
    for ridge in RIDGES:
        held = scores.copy()
        for each in range(FOLDS):
            kept = fold != each
            own = fit_softmax(
                scaled[kept], classes[kept], n_classes, ridge=ridge, offset=scores[kept], intercept=False, steps=80
            )
            held[~kept] += scaled[~kept] @ own
        reached = log_normalised(held)[rows, classes].sum()
        if reached > best:
            best, chosen = reached, ridge
    if chosen is None:
        return None
    weights = fit_softmax(scaled, classes, n_classes, ridge=chosen, offset=scores, intercept=False, steps=80)
    return Correction(middle, unit[:, None] * weights)
