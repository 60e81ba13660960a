"""All pairs of n people numbered 0..n(n-1)/2 - 1, so that drawing a number draws a pair.

People sit in a ring. Pairs are numbered by their distance around it, then by the end from which it is walked; for even
n the pairs that sit opposite each other come last and start in the first half. Nothing has a root in it, so numbers
and pairs turn into each other exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def pairs_by_number(numbers: Integers, n: int) -> Integers:
    """The pairs with these numbers.

    >>> pairs_by_number(np.arange(6), 4).tolist()
    [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]
    """
    distance, start = np.divmod(numbers, max(n, 1))
    return np.stack((start, (start + distance + 1) % max(n, 1)), axis=1)


def numbers_of_pairs(pairs: NDArray[Any], n: int) -> Integers:
    """The numbers of pairs (u, v) with u < v.

    >>> numbers_of_pairs(np.array([[0, 1], [0, 3], [1, 3]]), 4).tolist()
    [0, 3, 5]
    """
    u, v = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    forward = 2 * (v - u) <= n
    start, distance = np.where(forward, u, v), np.where(forward, v - u, n - (v - u))
    return (distance - 1) * n + start


def nth_absent(numbers: Integers, ranks: Integers) -> Integers:
    """The numbers from 0 up that are not among the sorted `numbers`, counted from 0: those with the given ranks.

    >>> nth_absent(np.array([0, 2, 3]), np.arange(3)).tolist()
    [1, 4, 5]
    """
    absent_before = numbers - np.arange(len(numbers))
    return ranks + np.searchsorted(absent_before, ranks, side="right")
