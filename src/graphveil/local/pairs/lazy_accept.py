"""A list's noisy edges pair by pair in the order of numbers, under a cap: the slow way, where the cap binds.

Answers are decided when they are looked at, as in `lazy_count`; the order decides which edges are accepted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.kernels import kernel
from graphveil.local.pairs.asked import is_asked, owner
from graphveil.mechanisms.crowd import word_at


@kernel
def accepted_edges(
    start: Any,
    people: Any,
    graph_indptr: Any,
    graph: Any,
    key: Any,
    ranks: Any,
    everything: Any,
    mark_key: Any,
    mark_below: Any,
    friend_below: Any,
    stranger_below: Any,
    cap: Any,
    first: Any,
    second: Any,
) -> Any:
    """Pair by pair in the order of numbers, no more than the cap at anybody."""
    degrees = np.zeros(len(people), dtype=np.int64)
    for a in range(len(people)):
        j = people[a]
        friends = graph[graph_indptr[j] : graph_indptr[j + 1]]
        for b in range(a + 1, len(people)):
            k = people[b]
            if degrees[a] >= cap:
                break
            if degrees[b] >= cap or (len(first) and first[start + a] != second[start + b]):
                continue
            if not is_asked(everything, mark_key, mark_below, j, k):
                continue
            mine = owner(ranks, j, k)
            word = word_at(key, np.uint64(mine), np.uint64(j + k - mine))
            if word < stranger_below or (word < friend_below and _holds(friends, k)):
                degrees[a] += 1
                degrees[b] += 1
    return degrees.sum() // 2


@kernel
def _holds(row: Any, person: Any) -> Any:
    place = np.searchsorted(row, person)
    return place < len(row) and row[place] == person
