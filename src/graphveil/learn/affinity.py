"""Which classes people of each class know, from a noisy table of classes and noisy rows of labelled people."""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Floats, Integers

FOLDS = 5
LEAST_DOUBT = 5  # counts by which shares of classes are drawn towards the overall shares without any noise
NOISE_DOUBT = 2  # further such counts, for each unit of the noise's scale times the root of how many counts are added


def laplace_variance(rate: float) -> float:
    """The variance of the discrete Laplace noise on one count."""
    return float(2 * np.exp(-rate) / np.expm1(-rate) ** 2)


def class_shares(table: Integers, labels: Integers, rows: Integers, rate: float) -> Floats:
    """The share of each class among the neighbours of people of each class: rows add up to 1.

    `table` is the upper half of a table of edges by the classes of their ends; `labels` are those of the people whose
    counts are `rows`. The shares are drawn towards the overall ones by as much as noise makes the counts uncertain, and
    all the way if the counts differ from the overall shares by no more than noise lets them (as by James and Stein).
    """
    n_classes = rows.shape[1]
    counts = np.zeros((n_classes, n_classes))
    counts[np.triu_indices(n_classes)] = table
    counts = counts + counts.T
    summed = np.zeros((n_classes, n_classes))
    np.add.at(summed, labels, rows)
    positive = np.maximum(counts, 0) + np.maximum(summed, 0)
    counts += summed
    usual, told = _whole(counts.sum(axis=0)), _whole(positive.sum(axis=0))
    doubt = LEAST_DOUBT + NOISE_DOUBT / rate * np.sqrt(1 + len(rows) / n_classes)
    shares = (positive + doubt * told) / (positive.sum(axis=1, keepdims=True) + doubt)
    times = 1 + 3 * np.eye(n_classes) + np.bincount(labels, minlength=n_classes)[:, None]  # the diagonal is doubled
    expected = np.maximum(counts.sum(axis=1, keepdims=True), 0) * usual
    found = ((counts - expected) ** 2 / (times * laplace_variance(rate) + expected + 1e-9)).sum()
    trust = max(0.0, 1 - (n_classes - 1) ** 2 / max(found, 1e-9))
    drawn: Floats = told + trust * (shares - told)
    return drawn


def _whole(sums: Floats) -> Floats:
    kept = np.maximum(sums, 1e-9)
    whole: Floats = kept / kept.sum()
    return whole


def folds_by_class(labels: Integers) -> Integers:
    """A fold for each labelled person, so that every class is spread over all of them.

    >>> folds_by_class(np.array([1, 1, 0, 1])).tolist()
    [0, 1, 0, 2]
    """
    folds = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        folds[labels == label] = np.arange((labels == label).sum()) % FOLDS
    return folds
