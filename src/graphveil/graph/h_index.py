"""Exact h-index of a graph; nothing here is private.

The h-index with weight a is the largest x for which at least a x people have x neighbours or more. It tells where the
degrees of most people end, whatever the largest degree is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


def exact_h_index(degrees: NDArray[Any], weight: Fraction = Fraction(1)) -> int:
    """The largest x with #{v: d_v >= x} >= weight * x.

    >>> exact_h_index(np.array([5, 4, 4, 2, 1])), exact_h_index(np.array([5, 4, 4, 2, 1]), Fraction(2))
    (3, 2)
    """
    falling = np.sort(degrees)[::-1]
    people = np.arange(1, len(falling) + 1)
    bound = people * weight.denominator // weight.numerator  # the largest x that this many people can support
    return int(np.minimum(falling, bound).max(initial=0))
