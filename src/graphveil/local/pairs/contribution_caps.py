"""Pairs of a list under a bound, and caps on the noisy edges at one person of it: made of released values alone.

How many friends higher up a person can have, by what those people answered: nobody else's word is needed for it.

Where the higher end of a pair answers for it, the answers about one person come from everybody but that person. Of
`above` such answers, s about friends, a number X says yes with mean q above + gain s, and by Hoeffding's inequality it
stays below its mean by more than sqrt(above ln(2^40) / 2) with a probability below 2^-40 only. So, but for that,
s <= (X - q above + that) / gain, and no more than everybody above who did not answer on top of it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphveil.kernels import kernel
from graphveil.local.lists import Integers
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Floats


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


def longest_lists(graph: PairBits, ranks: Integers, response: PairResponse, answered: Integers) -> Floats:
    """For everybody, the most friends above, from the answers of those who answered."""
    above = len(ranks) - 1 - ranks
    missing = np.sort(np.delete(ranks, answered))
    silent = len(missing) - np.searchsorted(missing, ranks, side="right")
    excess = _reported_above(graph.matrix, ranks) - float(response.flip_probability) * above
    most = (excess + np.sqrt(above * (20 * math.log(2)))) / float(response.gain) + silent
    return np.asarray(np.clip(most, 0, above), dtype=np.float64)


@kernel
def _reported_above(matrix: Any, ranks: Any) -> Any:
    counts = np.zeros(len(ranks), dtype=np.int64)
    for j in range(len(ranks)):
        for k in range(j + 1, len(ranks)):
            if matrix[j, k >> 3] >> (k & 7) & 1:
                counts[j if ranks[j] < ranks[k] else k] += 1
    return counts
