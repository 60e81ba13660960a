"""Noisy edges within lists, counted in written-out bits, as clients do; `lazy_count` does it for simulations.

The pairs of a list are scanned in the order of their numbers, and an edge is accepted while both ends have fewer than
the list's cap of accepted ones (`noisy_graph` says why). A list may look at a part of its pairs only: each entry has
two small numbers, and a pair is looked at if the first of its lower end is the second of its higher end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.arrays import Bytes, Integers
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.person_streams import word_at

Small = NDArray[np.int32]


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


def count_in_bits(lists: Lists, matrix: Bytes, caps: Integers, looks: Looks) -> Integers:
    """Accepted edges within each list, looked up; an empty matrix stands for a graph in which all know each other."""
    counts: Integers = _count_in_bits(lists.indptr, lists.indices, matrix, caps, *looks)
    return counts


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
