"""The answers about all pairs among some people, out of a noisy graph: written out, or decided now."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel
from graphveil.local.lists import Integers
from graphveil.local.pairs.asked import owner
from graphveil.local.pairs.replies import LazyReplies
from graphveil.mechanisms.crowd import word_at

Bits = NDArray[np.bool_]


def bits_among(people: Integers, matrix: NDArray[np.uint8]) -> Bits:
    """Row a, column b: the answer about people[a] and people[b]; nobody answers about one person alone."""
    low, high = np.minimum.outer(people, people), np.maximum.outer(people, people)
    bits: Bits = (matrix[low, high >> 3] >> (high & 7) & 1).astype(np.bool_)
    np.fill_diagonal(bits, val=False)
    return bits


def answers_among(people: Integers, replies: LazyReplies) -> Bits:
    """The same of answers that nobody has looked at yet, where all pairs are asked about."""
    lists, key = replies.lists, replies.noise.key("address")
    bits: Bits = _answers(people, lists.indptr, lists.indices, key, replies.asked.ranks, *replies.response.words)
    return bits


@kernel
def _answers(
    people: Any, indptr: Any, indices: Any, key: Any, ranks: Any, friend_below: Any, stranger_below: Any
) -> Any:
    bits = np.zeros((len(people), len(people)), dtype=np.bool_)
    friends = np.zeros(len(indptr) - 1, dtype=np.bool_)
    for a in range(len(people)):
        j = people[a]
        row = indices[indptr[j] : indptr[j + 1]]
        for friend in row:
            friends[friend] = True
        for b in range(a + 1, len(people)):
            k = people[b]
            mine = owner(ranks, j, k)
            word = word_at(key, np.uint64(mine), np.uint64(j + k - mine))
            bits[a, b] = word < (friend_below if friends[k] else stranger_below)
            bits[b, a] = bits[a, b]
        for friend in row:
            friends[friend] = False
    return bits
