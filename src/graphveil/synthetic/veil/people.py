"""How many true friends each person of a noisy graph has, and what that says about their edges.

With randomised response a person of degree d has d friends, all but a negligible share of them, and about `false` more:
nearly a Poisson number. Together with how common each degree is (measured by itself) that gives the odds of every d for
somebody seen with so many friends. Somebody seen with one friend where nobody has none, say, has that friend.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_PEOPLE = 0.02  # of any degree, so that none is ruled out
PASSES = 20
STEP = 0.5


def expected_degrees(seen: Integers, common: Floats, false: float) -> Floats:
    """The mean true degree of everybody; `common[d]` people have degree d.

    >>> expected_degrees(np.array([1, 3]), np.array([0.0, 90.0, 10.0, 1.0]), 1.0).round(1).tolist()
    [1.0, 1.2]
    """
    width = int(false + 6 * np.sqrt(false) + 8)
    extra = np.arange(width + 1)
    log_poisson = extra * np.log(max(false, 1e-12)) - np.cumsum(np.log(np.maximum(1, extra)))
    counts, place = np.unique(seen, return_inverse=True)
    mean = np.empty(len(counts))
    for i, count in enumerate(counts):
        possible = extra[extra <= count]
        odds = np.log(np.maximum(common[count - possible], LEAST_PEOPLE)) + log_poisson[: len(possible)]
        weight = np.exp(odds - odds.max())
        mean[i] = weight @ (count - possible) / weight.sum()
    return mean[place]


def balanced_log_odds(edges: Integers, chance: Floats, degrees: Floats) -> Floats:
    """Log odds of the edges, shifted for each person so that the chances of their edges add up to their degree."""
    inside = np.clip(chance, 1e-6, 1 - 1e-6)
    log_odds = np.log(inside / (1 - inside))
    shift = np.zeros(len(degrees))
    for _ in range(PASSES):
        shifted = log_odds + shift[edges].sum(axis=1)
        have = np.bincount(edges.ravel(), np.repeat(1 / (1 + np.exp(-shifted)), 2), len(degrees))
        shift += STEP * np.clip(np.log(np.maximum(degrees, 0.01) / np.maximum(have, 0.01)), -2, 2)
    balanced: Floats = log_odds + shift[edges].sum(axis=1)
    return balanced


def wanted_by(edges: Integers, rank: Floats, degrees: Floats) -> Integers:
    """For every edge, at how many of its ends it is among the best ranked, as many of them as the degree there."""
    ends = edges.ravel()
    order = np.lexsort((-np.repeat(rank, 2), ends))
    first = np.searchsorted(ends[order], np.arange(len(degrees)))
    wanted = np.empty(len(ends), dtype=np.int64)
    wanted[order] = np.arange(len(ends)) - first[ends[order]] < np.rint(degrees)[ends[order]]
    return wanted[::2] + wanted[1::2]
