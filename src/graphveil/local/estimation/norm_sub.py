"""The nearest distribution to noisy shares (norm-sub; Wang et al. 2020)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def norm_sub(shares: ArrayLike) -> NDArray[np.float64]:
    """Take the same amount off every share and cut at zero, so that they sum to 1: the Euclidean projection.

    >>> norm_sub([0.7, 0.5, -0.2, 0.1]).round(3).tolist()
    [0.6, 0.4, 0.0, 0.0]
    """
    given = np.asarray(shares, dtype=np.float64)
    falling = np.sort(given)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(given) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    return np.asarray(np.maximum(given - excess[kept], 0.0))
