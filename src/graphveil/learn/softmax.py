"""Softmax regression with a ridge penalty, and what features alone say of everybody."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from graphveil.arrays import Floats, Integers

FOLDS = 5
STEPS = 150  # of the optimiser


def log_totals(scores: Floats) -> Floats:
    """The logarithm of each row's sum of exponentials, as a column; SciPy's own takes several times as long."""
    largest = scores.max(axis=1, keepdims=True)
    totals: Floats = largest + np.log(np.exp(scores - largest).sum(axis=1, keepdims=True))
    return totals


def log_normalised(scores: Floats) -> Floats:
    """Log-probabilities: every row of scores less the logarithm of its sum of exponentials."""
    return scores - log_totals(scores)


def fit_softmax(
    features: Any,
    classes: Integers,
    n_classes: int,
    *,
    ridge: float,
    offset: Floats | float = 0.0,
    intercept: bool = True,
    start: Floats | None = None,
    steps: int = STEPS,
) -> Floats:
    """Weights, a row for each feature and a last one for the intercept, that maximise the penalised likelihood.

    `features` is dense or sparse. `offset` is added to the scores; the intercept has no penalty.
    """
    n_people, width = features.shape
    rows, shape = np.arange(n_people), (width + intercept, n_classes)
    transposed = features.T

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = offset + np.asarray(features @ weights[:width]) + (weights[width] if intercept else 0.0)
        totals = log_totals(scores)
        misses = np.exp(scores - totals)
        misses[rows, classes] -= 1
        gradient = np.zeros(shape)
        gradient[:width] = np.asarray(transposed @ misses) + ridge * weights[:width]
        if intercept:
            gradient[width] = misses.sum(axis=0)
        value = float((totals[:, 0] - scores[rows, classes]).sum() + ridge / 2 * (weights[:width] ** 2).sum())
        return value, gradient.ravel()

    first = np.zeros(shape) if start is None else start
    found = scipy.optimize.minimize(
        loss, first.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": 20}
    )
    weights: Floats = found.x.reshape(shape)
    return weights


def log_prior(features: Any, classes: Integers, n_classes: int, *, ridge: float, order: Integers) -> Floats:
    """Log-probabilities of everybody's class from features alone; no edge is involved.

    `classes` is -1 for people without a label. Labelled people get the prediction of a model that did not see them, so
    that it is as good as those for the others. `order` lists the labelled people in a public random order, which makes
    the folds.
    """
    shares = np.bincount(classes[order], minlength=n_classes) + 1.0
    flat = np.log(shares / shares.sum())
    unsure = n_classes / (len(order) + n_classes)

    def applied(rows: Any, weights: Floats) -> Floats:
        told = log_normalised(np.asarray(rows @ weights[:-1]) + weights[-1])
        mixed: Floats = np.logaddexp(np.log1p(-unsure) + told, np.log(unsure) + flat)
        return mixed

    if features.shape[1] == 0 or len(order) < FOLDS:
        return np.tile(flat, (len(classes), 1))
    weights = fit_softmax(features[order], classes[order], n_classes, ridge=ridge)
    prior = applied(features, weights)
    for fold in range(FOLDS):
        held, kept = order[fold::FOLDS], np.delete(order, np.s_[fold::FOLDS])
        own = fit_softmax(features[kept], classes[kept], n_classes, ridge=ridge, start=weights, steps=STEPS * 2 // 5)
        prior[held] = applied(features[held], own)
    return prior
