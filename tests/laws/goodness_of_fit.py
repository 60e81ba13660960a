"""Does a sample follow a law? Chi-square against a stated law, or of two samples against each other.

Cells are cut from the law alone, never from the sample, so that the statistic has its stated distribution.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

ALPHA = 1e-6
LEAST_EXPECTED = 25


@dataclass(frozen=True)
class Law:
    """A law on the integers first, first + 1, ...; what the probabilities leave out of 1 lies outside."""

    first: int
    probabilities: np.ndarray

    @classmethod
    def of(cls, probabilities, first=0):
        return cls(first, np.array([float(p) for p in probabilities]))


def fits(sample, law: Law) -> bool:
    """False only with probability ALPHA where the sample follows the law."""
    sample = np.asarray(sample, dtype=np.int64)
    cells = _cells(law.probabilities, len(sample))
    n_cells = cells.max() + 2  # the last one is for everything outside
    index = sample - law.first
    inside = (index >= 0) & (index < len(cells))
    where = np.full(len(sample), n_cells - 1)
    where[inside] = cells[index[inside]]
    observed = np.bincount(where, minlength=n_cells)
    expected = np.bincount(cells, law.probabilities, minlength=n_cells) * len(sample)
    expected[-1] = max(0.0, 1 - law.probabilities.sum()) * len(sample)
    if expected[-1] < 1e-9 * len(sample):  # rounding, not a tail: then nothing may lie there
        return observed[-1] == 0 and _accepts(observed[:-1], expected[:-1])
    if expected[-1] < LEAST_EXPECTED:
        observed[-2] += observed[-1]
        expected[-2] += expected[-1]
        observed, expected = observed[:-1], expected[:-1]
    return _accepts(observed, expected)


def same_law(one, other) -> bool:
    """False only with probability ALPHA where two samples of one size follow the same law."""
    one, other = np.asarray(one), np.asarray(other)
    assert len(one) == len(other)
    pooled = np.sort(np.concatenate([one, other]))
    borders = np.unique(pooled[:: max(1, len(pooled) // 40)])  # symmetric in both samples
    a, b = (np.bincount(np.searchsorted(borders, sample, side="right")) for sample in (one, other))
    size = max(len(a), len(b))
    a, b = np.pad(a, (0, size - len(a))), np.pad(b, (0, size - len(b)))
    total = a + b
    used = total > 0
    statistic = ((a - b)[used] ** 2 / total[used]).sum()
    return statistic <= chi2.isf(ALPHA, used.sum() - 1)


def _cells(probabilities, size):
    """Neighbouring outcomes together until each cell expects enough."""
    expected = np.cumsum(probabilities) * size
    cells = np.zeros(len(probabilities), dtype=np.int64)
    cell, start = 0, 0.0
    for i, reached in enumerate(expected):
        cells[i] = cell
        if reached - start >= LEAST_EXPECTED and expected[-1] - reached >= LEAST_EXPECTED:
            cell, start = cell + 1, reached
    return cells


def _accepts(observed, expected):
    assert len(expected) > 1, "a law needs two cells to be tested"
    statistic = ((observed - expected) ** 2 / expected).sum()
    return statistic <= chi2.isf(ALPHA, len(expected) - 1)


def geometric_law(rate) -> Law:
    x = np.arange(int(40 / float(rate)) + 2)
    return Law(0, np.exp(-float(rate) * x) * -math.expm1(-float(rate)))


def laplace_law(rate) -> Law:
    reach = int(40 / float(rate)) + 2
    weights = np.exp(-float(rate) * np.abs(np.arange(-reach, reach + 1)))
    return Law(-reach, weights / weights.sum())


def gaussian_law(sigma_squared) -> Law:
    reach = int(9 * math.sqrt(float(sigma_squared))) + 9
    weights = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * float(sigma_squared)))
    return Law(-reach, weights / weights.sum())
