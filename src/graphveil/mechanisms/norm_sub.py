"""The nearest non-negative numbers of a known sum to noisy ones (norm-sub; Wang et al. 2020)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def norm_sub(values: ArrayLike, total: float = 1.0) -> NDArray[np.float64]:
    """Take the same amount off every value and cut at zero, so that they have this sum: the Euclidean projection.

    >>> norm_sub([0.7, 0.5, -0.2, 0.1]).round(3).tolist(), norm_sub([5, -3], total=0).tolist()
    ([0.6, 0.4, 0.0, 0.0], [0.0, 0.0])
    """
    given = np.asarray(values, dtype=np.float64)
    if total <= 0 or not len(given):
        return np.zeros(len(given))
    falling = np.sort(given)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, len(given) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    return np.asarray(np.maximum(given - excess[kept], 0.0))
