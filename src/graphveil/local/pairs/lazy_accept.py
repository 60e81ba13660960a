"""A list's noisy edges pair by pair in the order of numbers, under a cap: the slow way, where the cap binds.

Answers are decided when they are looked at, as in `lazy_count`; the order decides which edges are accepted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel
from graphveil.local.lists import Integers
from graphveil.local.pairs.asked import Marks, is_asked, owner
from graphveil.mechanisms.crowd import word_at


class Answers(NamedTuple):
    """How everybody answers, for kernels: their lists, the key of the words, who is asked, and the thresholds."""

    indptr: Integers
    friends: NDArray[np.int32]
    key: np.uint64
    marks: Marks
    friend_below: np.uint64
    stranger_below: np.uint64


@kernel
def accepted_edges(start: Any, people: Any, answers: Any, cap: Any, first: Any, second: Any) -> Any:
    """Pair by pair in the order of numbers, no more than the cap at anybody."""
    ranks, everything, mark_key, mark_below = answers.marks
    degrees = np.zeros(len(people), dtype=np.int64)
    for a in range(len(people)):
        j = people[a]
        friends = answers.friends[answers.indptr[j] : answers.indptr[j + 1]]
        for b in range(a + 1, len(people)):
            k = people[b]
            if degrees[a] >= cap:
                break
            if degrees[b] >= cap or (len(first) and first[start + a] != second[start + b]):
                continue
            if not is_asked(everything, mark_key, mark_below, j, k):
                continue
            mine = owner(ranks, j, k)
            word = word_at(answers.key, np.uint64(mine), np.uint64(j + k - mine))
            if word < answers.stranger_below or (word < answers.friend_below and _holds(friends, k)):
                degrees[a] += 1
                degrees[b] += 1
    return degrees.sum() // 2


@kernel
def _holds(row: Any, person: Any) -> Any:
    place = np.searchsorted(row, person)
    return place < len(row) and row[place] == person
