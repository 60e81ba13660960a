"""Noisy edges within everybody's lists, in answers that are decided when somebody looks at them.

An answer is a function of a key and of the two people, so nothing of the size of all pairs is stored. The people of a
list are laid out by degree, so that for each of them the friends that follow are found as in triangle counting; they
raise the threshold under which a pair's word makes it an edge, and one loop without jumps goes over the words. Where
somebody has more edges than the cap allows, which is rare, the list is scanned again in the order of numbers.

A list's noisy edges pair by pair in the order of numbers, under a cap: the slow way, where the cap binds.

Answers are decided when they are looked at, as in `lazy_count`; the order decides which edges are accepted.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Integers
from graphveil.graph.mix import mix
from graphveil.graph.statistics.triangles import orient
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import Looks
from graphveil.local.pairs.pair_owners import Marks, PairOwners, has_owner, owner
from graphveil.local.pairs.response import PairResponse
from graphveil.mechanisms.noise.person_streams import word_at


class Answers(NamedTuple):
    """How everybody answers, for kernels: their lists, the key of the words, who owns pairs, and the thresholds."""

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
            if not has_owner(everything, mark_key, mark_below, j, k):
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


WORTH_SPLITTING = 2**20  # pairs


def count_lazily(
    lists: Lists,
    friends: Lists,
    key: np.uint64,
    owners: PairOwners,
    response: PairResponse,
    caps: Integers,
    looks: Looks,
) -> Integers:
    """Accepted edges within each list; `friends` are everybody's lists. Rows are shared out to all cores."""
    indptr, graph = np.asarray(lists.indptr), (np.asarray(friends.indptr), friends.indices)
    by_degree = np.argsort(np.diff(graph[0]), kind="stable")
    layers = np.empty(len(by_degree), dtype=np.int64)
    layers[by_degree] = np.arange(len(by_degree))
    later_indptr, later = orient(*graph)
    answers = Answers(*graph, key, owners.marks, *response.words)
    order = (by_degree, layers, later_indptr, layers[later])

    def count(rows: slice) -> Integers:
        arguments: tuple[Any, ...] = (rows.start, rows.stop, indptr, lists.indices, *order, answers, caps, *looks)
        counts: Integers = _count_rows(*arguments)
        return counts

    with ThreadPoolExecutor() as pool:
        return np.concatenate(list(pool.map(count, _shares(indptr))))


def _shares(indptr: Integers) -> list[slice]:
    """Rows cut into one part for each core, with about as many pairs in each."""
    lengths = np.diff(indptr)
    pairs = np.cumsum(lengths * (lengths - 1) // 2)
    parts = (os.cpu_count() or 1) if len(pairs) and pairs[-1] > WORTH_SPLITTING else 1
    cuts = np.searchsorted(pairs, pairs[-1] * np.arange(1, parts) / parts) if parts > 1 else np.empty(0, dtype=np.int64)
    return [slice(start, end) for start, end in pairwise([0, *cuts.tolist(), len(lengths)])]


@kernel
def _count_rows(
    start_row: Any,
    end_row: Any,
    indptr: Any,
    indices: Any,
    by_degree: Any,
    layers: Any,
    later_indptr: Any,
    later: Any,
    answers: Any,
    caps: Any,
    first: Any,
    second: Any,
) -> Any:
    ranks, everything, mark_key, mark_below = answers.marks
    key, friend_below, stranger_below = answers.key, answers.friend_below, answers.stranger_below
    counts = np.zeros(end_row - start_row, dtype=np.int64)
    longest = 1
    for i in range(start_row, end_row):
        longest = max(longest, indptr[i + 1] - indptr[i])
    place = np.full(len(by_degree), longest, dtype=np.int32)  # people who are not on the list share a place beyond it
    below = np.full(longest + 1, stranger_below, dtype=np.uint64)
    people, order, degrees = np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    as_owner, as_partner, words = (
        np.empty(longest, np.uint64),
        np.empty(longest, np.uint64),
        np.empty(longest, np.uint64),
    )
    some = not everything or len(first) > 0
    for i in range(start_row, end_row):
        start, size = indptr[i], indptr[i + 1] - indptr[i]
        if size < 2:
            continue
        row = np.empty(size, dtype=np.int64)
        for b in range(size):
            row[b] = np.int64(layers[indices[start + b]]) << 32 | b
        row.sort()
        for b in range(size):
            layer = row[b] >> 32
            place[layer] = b
            people[b] = by_degree[layer]
            as_partner[b] = mix(np.uint64(people[b]))
            as_owner[b] = mix(key ^ as_partner[b])
            order[b] = ranks[people[b]] if len(ranks) else people[b]
            degrees[b] = 0
        found = np.int64(0)
        for a in range(size - 1):
            for entry in range(later_indptr[people[a]], later_indptr[people[a] + 1]):
                below[place[later[entry]]] = friend_below
            own, partner, mine = as_owner[a], as_partner[a], order[a]
            if len(ranks):
                for b in range(a + 1, size):
                    words[b] = _word(own, partner, as_owner[b], as_partner[b], order[b] > mine)
            else:
                for b in range(a + 1, size):
                    of_b = (order[b] > mine) == (((order[b] + mine) & 1) == 1)
                    words[b] = _word(own, partner, as_owner[b], as_partner[b], of_b)
            if some:
                _leave_out(
                    a, size, start, row, people, as_partner, everything, mark_key, mark_below, first, second, below
                )
            hits = np.int64(0)
            for b in range(a + 1, size):
                hit = np.int64(words[b] < below[b])
                hits += hit
                degrees[b] += hit
                below[b] = stranger_below
            degrees[a] += hits
            found += hits
        for b in range(size):
            place[row[b] >> 32] = longest
        if caps[i] < size - 1 and degrees[:size].max() > caps[i]:
            found = accepted_edges(start, indices[start : start + size], answers, caps[i], first, second)
        counts[i - start_row] = found
    return counts


@kernel
def _word(own: Any, partner: Any, other_own: Any, other_partner: Any, of_other: Any) -> Any:
    """The word that the owner of a pair draws for the partner: chosen by a mask, since a jump would cost more."""
    mask = np.uint64(0) - np.uint64(of_other)
    mine = own ^ other_partner
    return mix(mine ^ ((other_own ^ partner ^ mine) & mask))


@kernel
def _leave_out(
    a: Any,
    size: Any,
    start: Any,
    row: Any,
    people: Any,
    as_partner: Any,
    everything: Any,
    mark_key: Any,
    mark_below: Any,
    first: Any,
    second: Any,
    below: Any,
) -> None:
    """No word makes an edge of a pair without an owner, or that the list does not look at."""
    for b in range(a + 1, size):
        low, high = (a, b) if people[a] < people[b] else (b, a)
        looked_at = True
        if len(first):
            looked_at = first[start + (row[low] & 0xFFFFFFFF)] == second[start + (row[high] & 0xFFFFFFFF)]
        if looked_at and not everything:
            looked_at = mix(mix(mark_key ^ as_partner[low]) ^ as_partner[high]) < mark_below
        if not looked_at:
            below[b] = np.uint64(0)
