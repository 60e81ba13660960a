"""How much two partitions of the same people agree: mutual information, normalised, and adjusted for chance.

Normalised mutual information (NMI) grows with the number of groups even between unrelated partitions; the adjusted one
(AMI; Vinh, Epps, Bailey 2010) subtracts what two random partitions with groups of these sizes share. Both are divided
by the mean of the two entropies. 1 means the same partition.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def agreement(first: Integers, second: Integers) -> tuple[float, float]:
    """(NMI, AMI) of two partitions given as labels.

    >>> same = np.array([0, 0, 1, 1])
    >>> agreement(same, np.array([5, 5, 3, 3]))
    (1.0, 1.0)
    >>> [round(score, 3) for score in agreement(same, np.array([0, 1, 0, 1]))]
    [0.0, -0.5]
    """
    size = len(first)
    rows, row_sizes = np.unique(first, return_inverse=True, return_counts=True)[1:]
    columns, column_sizes = np.unique(second, return_inverse=True, return_counts=True)[1:]
    mean_entropy = (_entropy(row_sizes) + _entropy(column_sizes)) / 2
    if mean_entropy == 0:  # one group each: nothing to tell apart, and both agree
        return 1.0, 1.0
    cells, counts = np.unique(rows * len(column_sizes) + columns, return_counts=True)
    expected_counts = row_sizes[cells // len(column_sizes)] * column_sizes[cells % len(column_sizes)] / size
    shared = float(counts @ np.log(counts / expected_counts)) / size
    by_chance = _expected_information(row_sizes, column_sizes, size)
    adjusted = (shared - by_chance) / (mean_entropy - by_chance) if mean_entropy > by_chance else 1.0
    return min(1.0, max(0.0, shared / mean_entropy)), min(1.0, adjusted)


def _entropy(sizes: Integers) -> float:
    shares = sizes / sizes.sum()
    return float(-shares @ np.log(shares))


def _expected_information(row_sizes: Integers, column_sizes: Integers, size: int) -> float:
    """Mean mutual information of random partitions with these group sizes; groups of one size are taken together."""
    from scipy.stats import hypergeom

    total = 0.0
    for a, n_rows in zip(*np.unique(row_sizes, return_counts=True), strict=True):
        for b, n_columns in zip(*np.unique(column_sizes, return_counts=True), strict=True):
            shared = np.arange(max(1, a + b - size), min(a, b) + 1)
            terms = shared / size * np.log(size * shared / (a * b))
            total += int(n_rows * n_columns) * float(terms @ hypergeom.pmf(shared, size, a, b))
    return total
