"""Pairs of a list under a bound, and caps on the noisy edges at one person of it: made of released values alone."""

from __future__ import annotations

import numpy as np

from graphveil.local.lists import Integers


def capped_pairs(sizes: Integers, bounds: Integers) -> Integers:
    """h: pairs of a list of that size, growing by bound - 1 a person beyond the bound."""
    within = np.minimum(sizes, bounds)
    pairs: Integers = within * (within - 1) // 2 + (sizes - within) * (bounds - 1)
    return pairs


def clique_caps(bounds: Integers, chance: float, spare: float = 2.0) -> Integers:
    """A cap that a list of friends who all know each other hardly ever reaches: mean and `spare` deviations."""
    usual = np.ceil(bounds * chance + spare * np.sqrt(bounds * chance * (1 - chance))).astype(np.int64)
    capped: Integers = np.maximum(1, np.minimum(bounds - 1, usual))
    return capped
