"""Noisy edges within lists, counted: in written-out bits by clients, in answers decided on demand by simulations.

Both scan the pairs of a list in the order of their numbers and accept an edge while both ends have fewer than the
list's cap of accepted ones (`noisy_graph` says why). A list may look at a part of its pairs only: each entry has two
small numbers, and a pair is looked at if the first of its lower end is the second of its higher end.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import kernel
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.asked import AskedPairs
from graphveil.local.pairs.response import PairResponse
from graphveil.mechanisms.crowd import mix, word_at

Small = NDArray[np.int32]
ROW, SLOT, RANK, FRIEND = 0, 1, 2, 3  # what a person's line of the table holds
WORTH_SPLITTING = 2**20  # pairs


class Looks(NamedTuple):
    """For each entry of the lists its first and its second number; empty where every pair is looked at."""

    first: Small
    second: Small

    def part(self, start: int, end: int) -> Looks:
        """The numbers of some of the entries."""
        return Looks(self.first[start:end], self.second[start:end])


EVERY_PAIR = Looks(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))


def one_pair_in(lists: Lists, several: int, key: np.uint64) -> Looks:
    """A choice of one pair in so many, by a public key, for every list afresh.

    Any two pairs are chosen independently, and it is known which ones are without going through all of them.
    """
    if several == 1:
        return EVERY_PAIR
    return Looks(*_numbers(lists.people, lists.indptr, lists.indices, key, np.uint64(several)))


def count_in_bits(lists: Lists, matrix: NDArray[np.uint8], caps: Integers, looks: Looks) -> Integers:
    """Accepted edges within each list, looked up; an empty matrix stands for a graph in which all know each other."""
    counts: Integers = _count_in_bits(lists.indptr, lists.indices, matrix, caps, *looks)
    return counts


def count_lazily(
    lists: Lists,
    friends: Lists,
    key: np.uint64,
    asked: AskedPairs,
    response: PairResponse,
    caps: Integers,
    looks: Looks,
) -> Integers:
    """The same in answers that follow from everybody's lists and a key; rows are shared out to all cores."""
    indptr = np.asarray(lists.indptr)
    answers = (np.asarray(friends.indptr), friends.indices, key, *asked.marks, *response.words)

    def count(rows: slice) -> Integers:
        start, end = int(indptr[rows.start]), int(indptr[rows.stop])
        part = (indptr[rows.start : rows.stop + 1] - start, lists.indices[start:end])
        chosen = looks.part(start, end)
        arguments: tuple[Any, ...] = (*part, *_columns(*part, lists.n_people), *answers, caps[rows], *chosen)
        counts: Integers = _count_lazily(*arguments)
        return counts

    with ThreadPoolExecutor() as pool:
        return np.concatenate(list(pool.map(count, _shares(indptr))))


def _shares(indptr: Integers) -> list[slice]:
    """Rows cut into one part for each core, with about as many pairs in each."""
    lengths = np.diff(indptr)
    pairs = np.cumsum(lengths * (lengths - 1) // 2)
    parts = (os.cpu_count() or 1) if len(pairs) and pairs[-1] > WORTH_SPLITTING else 1
    cuts = np.searchsorted(pairs, pairs[-1] * np.arange(1, parts) / parts) if parts > 1 else np.empty(0, dtype=np.int64)
    ends = [0, *cuts.tolist(), len(lengths)]
    return [slice(start, end) for start, end in pairwise(ends)]


@kernel
def _numbers(people: Any, indptr: Any, indices: Any, key: Any, several: Any) -> Any:
    first, second = np.empty(len(indices), dtype=np.int32), np.empty(len(indices), dtype=np.int32)
    for row in range(len(people)):
        for entry in range(indptr[row], indptr[row + 1]):
            word = word_at(key, np.uint64(people[row]), np.uint64(indices[entry]))
            first[entry] = np.int32((word >> np.uint64(32)) % several)
            second[entry] = np.int32((word & np.uint64(0xFFFFFFFF)) % several)
    return first, second


@kernel
def _count_in_bits(indptr: Any, indices: Any, matrix: Any, caps: Any, first: Any, second: Any) -> Any:
    counts = np.zeros(len(indptr) - 1, dtype=np.int64)
    accepted = np.zeros(len(indices), dtype=np.int32)
    for i in range(len(counts)):
        for a in range(indptr[i], indptr[i + 1]):
            j = indices[a]
            for b in range(a + 1, indptr[i + 1]):
                if accepted[a] >= caps[i]:
                    break
                k = indices[b]
                if len(first) and first[a] != second[b]:
                    continue
                joined = len(matrix) == 0 or matrix[j, k >> 3] >> (k & 7) & 1
                if joined and accepted[b] < caps[i]:
                    accepted[a] += 1
                    accepted[b] += 1
                    counts[i] += 1
    return counts


@kernel
def _columns(indptr: Any, indices: Any, n_people: Any) -> Any:
    """The lists turned over: for each person j, whose lists hold j, and at which place."""
    starts = np.zeros(n_people + 1, dtype=np.int64)
    for entry in range(len(indices)):
        starts[indices[entry] + 1] += 1
    for j in range(n_people):
        starts[j + 1] += starts[j]
    next_place = starts[:-1].copy()
    rows, places = np.empty(len(indices), dtype=np.int32), np.empty(len(indices), dtype=np.int64)
    for i in range(len(indptr) - 1):
        for entry in range(indptr[i], indptr[i + 1]):
            j = indices[entry]
            rows[next_place[j]] = i
            places[next_place[j]] = entry
            next_place[j] += 1
    return starts, rows, places


@kernel
def _table(n_people: Any, key: Any, ranks: Any) -> Any:
    """A line of memory for each person: the words that answers are made of, the rank, whose friend they are."""
    table = np.empty((n_people, 4), dtype=np.uint64)
    for person in range(n_people):
        table[person, SLOT] = mix(np.uint64(person))
        table[person, ROW] = mix(key ^ table[person, SLOT])
        table[person, RANK] = np.uint64(ranks[person]) if len(ranks) else np.uint64(0)
        table[person, FRIEND] = np.uint64(n_people)
    return table


@kernel
def _count_lazily(
    indptr: Any,
    indices: Any,
    column_starts: Any,
    column_rows: Any,
    column_places: Any,
    graph_indptr: Any,
    graph_indices: Any,
    key: Any,
    ranks: Any,
    everything: Any,
    mark_key: Any,
    mark_below: Any,
    friend_below: Any,
    stranger_below: Any,
    caps: Any,
    first: Any,
    second: Any,
) -> Any:
    """Person by person j, and for each list that holds j the people after j.

    So every list is scanned in its order, and the friends of j need to be marked once only.
    """
    n_people = len(column_starts) - 1
    table = _table(n_people, key, ranks)
    counts = np.zeros(len(indptr) - 1, dtype=np.int64)
    accepted = np.zeros(len(indices), dtype=np.int32)
    for j in range(n_people):
        if column_starts[j] == column_starts[j + 1]:
            continue
        here = np.uint64(j)
        own_row, own_slot, own_rank = table[j, ROW], table[j, SLOT], table[j, RANK]
        mark_row = mix(mark_key ^ own_slot)
        for entry in range(graph_indptr[j], graph_indptr[j + 1]):
            table[graph_indices[entry], FRIEND] = here
        for column in range(column_starts[j], column_starts[j + 1]):
            i, a = column_rows[column], column_places[column]
            cap, end = caps[i], indptr[i + 1]
            binding = cap < end - indptr[i] - 1
            found = np.int64(0)
            for b in range(a + 1, end):
                if binding and accepted[a] >= cap:
                    break
                k = indices[b]
                if len(first) and first[a] != second[b]:
                    continue
                slot = table[k, SLOT]
                if not everything and mix(mark_row ^ slot) >= mark_below:
                    continue
                of_k = table[k, RANK] > own_rank if len(ranks) else ((j + k) & 1) == 1
                word = mix(table[k, ROW] ^ own_slot) if of_k else mix(own_row ^ slot)
                joined = (word < stranger_below) | ((word < friend_below) & (table[k, FRIEND] == here))
                if binding:
                    joined = joined and accepted[b] < cap
                    accepted[a] += joined
                    accepted[b] += joined
                found += joined
            counts[i] += found
    return counts
