"""The number of all pairs that two entries of one list make, from noisy list lengths; unbiased, with its variance.

For discrete Laplace noise of variance s a noisy length l has E[l (l - 1)] = d (d - 1) + s, and noise of this law has
the fourth moment s + 6 s^2, so that Var[l (l - 1)] = (2 d - 1)^2 s + s + 5 s^2.
"""

from __future__ import annotations

from fractions import Fraction

from graphveil.local.lists import Integers
from graphveil.mechanisms.staircase import staircase_variance


def unbiased_pairs(noisy_lengths: Integers, epsilon: Fraction) -> float:
    """The number of pairs on all lists, from lengths with discrete Laplace noise of rate epsilon.

    >>> import numpy as np
    >>> unbiased_pairs(np.array([3, 2]), Fraction(40))
    4.0
    """
    return float((noisy_lengths * (noisy_lengths - 1.0) - _spread(epsilon)).sum()) / 2


def pairs_variance(noisy_lengths: Integers, epsilon: Fraction) -> float:
    """Of that number; (2 l - 1)^2 - 4 s is unbiased for (2 d - 1)^2."""
    spread = _spread(epsilon)
    squares = float(((2 * noisy_lengths - 1.0) ** 2 - 4 * spread).sum())
    return (max(squares, 0.0) * spread + len(noisy_lengths) * (spread + 5 * spread**2)) / 4


def _spread(epsilon: Fraction) -> float:
    return float(staircase_variance(epsilon, [1])[0])  # of width 1, which is that of Laplace noise
