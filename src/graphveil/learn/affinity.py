"""Which classes people of each class know, from a noisy table of classes and noisy rows of labelled people."""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Floats, Integers

FOLDS = 5
LEAST_DOUBT = 5  # counts by which shares of classes are drawn towards the overall shares without any noise
MOST_ALIKE = 0.999  # homophily that leaves every class some share
NOISE_DOUBT = 2  # further such counts, for each unit of the noise's scale times the root of how many counts are added


def laplace_variance(rate: float) -> float:
    """The variance of the discrete Laplace noise on one count."""
    return float(2 * np.exp(-rate) / np.expm1(-rate) ** 2)


def class_shares(table: Integers, labels: Integers, rows: Integers, rate: float) -> Floats:
    """The share of each class among the neighbours of people of each class: rows add up to 1.

    `table` is the upper half of a table of edges by the classes of their ends; `labels` are those of the people whose
    counts are `rows`. The shares are drawn towards what homophily alone makes of the overall shares: one number for all
    classes, which few counts can tell. They are drawn by as much as noise makes the counts uncertain, and all the way
    if the counts differ from that by no more than noise lets them (as by James and Stein).
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
    times = 1 + 3 * np.eye(n_classes) + np.bincount(labels, minlength=n_classes)[:, None]  # the diagonal is doubled
    variance = times * laplace_variance(rate)
    alike = homophily(counts, usual, variance)
    middle, told = _more_alike(usual, alike), _more_alike(told, alike)
    doubt = LEAST_DOUBT + NOISE_DOUBT / rate * np.sqrt(1 + len(rows) / n_classes)
    shares = (positive + doubt * told) / (positive.sum(axis=1, keepdims=True) + doubt)
    expected = np.maximum(counts.sum(axis=1, keepdims=True), 0) * middle
    found = ((counts - expected) ** 2 / (variance + expected + 1e-9)).sum()
    trust = max(0.0, 1 - max(1, (n_classes - 1) ** 2 - 1) / max(found, 1e-9))
    drawn: Floats = told + trust * (shares - told)
    return drawn


def homophily(counts: Floats, usual: Floats, variance: Floats) -> float:
    """The share of neighbours who are of one class beyond chance, from 0 to 1, drawn to 0 as noise makes it doubtful.

    `usual` are the overall shares of the classes, and `variance` is that of the noise on `counts`.

    >>> counts, usual = np.array([[75.0, 25.0], [25.0, 75.0]]), np.array([0.5, 0.5])
    >>> [round(homophily(counts, usual, np.full((2, 2), noise)), 2) for noise in (0.0, 500.0, 5000.0)]
    [0.48, 0.28, 0.0]
    """
    sizes = np.maximum(counts.sum(axis=1), 0)
    by_chance = (sizes * usual).sum()
    surplus = np.trace(counts) - by_chance
    trust = 1 - (np.trace(variance) + by_chance) / max(surplus**2, 1e-9)
    return float(np.clip(surplus / max(sizes.sum() - by_chance, 1e-9) * max(0.0, trust), 0, MOST_ALIKE))


def _more_alike(shares: Floats, alike: float) -> Floats:
    """The shares among the neighbours of each class, if that part of them is of the same class."""
    mixed: Floats = (1 - alike) * shares[None, :] + alike * np.eye(len(shares))
    return mixed


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
