"""Friends in common with everybody, from one's own exact list and a public noisy graph: what a device computes.

Of the d people on a list, a candidate with c friends in common has c true edges and d - c pairs of strangers to them.
The noisy graph shows the first with probability 1 - q and the second with probability q, so with N noisy edges to the
list, (N - q d) / (1 - 2 q) is an unbiased number of friends in common. Its variance, d q (1 - q) / (1 - 2 q)^2, is the
same for all candidates of one person: no other weight of the same answers ranks them better without knowing degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.kernels import kernel
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.response import PairResponse

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Somebody to become friends with: an unbiased number of friends in common, and its standard deviation."""

    person: int
    in_common: float
    std: float


def noisy_edges(graph: PairBits, friends: Integers, candidates: Integers) -> Integers:
    """For each candidate, the edges of the graph to the people on a list."""
    counts: Integers = _count(graph.matrix, friends, candidates)
    return counts


def friends_in_common(graph: PairBits, friends: Integers, candidates: Integers, response: PairResponse) -> Floats:
    """For each candidate, the unbiased number of friends in common."""
    counts = noisy_edges(graph, friends, candidates)
    return np.asarray(
        (counts - float(response.flip_probability) * len(friends)) / float(response.gain), dtype=np.float64
    )


def deviation(n_friends: float, response: PairResponse) -> float:
    """The standard deviation of a number of friends in common, the same for all candidates."""
    return math.sqrt(n_friends * response.variance)


def suggest(
    graph: PairBits, person: int, friends: Integers, response: PairResponse, shown: int = SHOWN
) -> list[Suggestion]:
    """The people with the most friends in common who are not on the list, the likeliest first; none for no friends."""
    strangers = np.setdiff1d(np.arange(graph.n_people), np.append(friends, person))
    if not len(friends):
        return []
    shared = friends_in_common(graph, friends, strangers, response)
    best = np.argsort(-shared, kind="stable")[:shown]
    std = deviation(len(friends), response)
    return [Suggestion(int(strangers[place]), float(shared[place]), std) for place in best.tolist()]


def needed_in_common(n_friends: float, n_people: int, response: PairResponse, shown: int = SHOWN) -> float:
    """How many friends in common lift somebody above the noise: as many as chance shows of `shown` strangers.

    Of n strangers, noise alone takes about `shown` above the normal quantile of 1 - shown / n deviations.

    >>> round(needed_in_common(44, 4039, PairResponse(Fraction(1))), 1)
    17.9
    """
    from scipy.special import ndtri

    return float(ndtri(1 - min(0.5, shown / n_people))) * deviation(n_friends, response)


def stands_out(suggestion: Suggestion, n_people: int) -> bool:
    """Whether so many friends in common are more than noise gives the luckiest of all strangers, in 19 of 20 cases.

    A normal variable is above z with probability e^(-z^2 / 2) / 2 at most, which is .05 / n here. The page that people
    answer on computes the same.
    """
    return suggestion.in_common > math.sqrt(2 * math.log(10 * n_people)) * suggestion.std


@kernel
def _count(matrix: Any, friends: Any, candidates: Any) -> Any:
    counts = np.zeros(len(candidates), dtype=np.int64)
    for friend in friends:
        for place in range(len(candidates)):
            low, high = min(friend, candidates[place]), max(friend, candidates[place])
            if low != high:
                counts[place] += matrix[low, high >> 3] >> (high & 7) & 1
    return counts
