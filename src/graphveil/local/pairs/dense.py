"""A noisy graph written out as a matrix of bits, for methods that look at all of it.

It takes a bit for each ordered pair of people and, to count triangles, as many steps as there are noisy edges times
people / 64: good for some ten thousand people. `check_size` says so before anything starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers, Words
from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.pairs.noisy_graph import LazyGraph, PairBits
from graphveil.local.pairs.pair_owners import owner
from graphveil.mechanisms.noise.person_streams import word_at

MOST_BYTES = 2**30


@dataclass(frozen=True, slots=True, eq=False)
class BitMatrix:
    """Row j has bit k set if j and k are reported as friends; both ways round."""

    n_people: int
    rows: Words

    @classmethod
    def of(cls, graph: PairBits | LazyGraph) -> BitMatrix:
        """All answers of a noisy graph in which every pair has an owner."""
        if isinstance(graph, PairBits):
            return cls(graph.n_people, _mirror(graph.matrix, graph.n_people))
        source = graph.replies
        key, words, n_people = source.noise.key("address"), source.response.words, source.lists.n_people
        rows = _decide_all(source.lists.indptr, source.lists.indices, n_people, source.owners.ranks, key, *words)
        return cls(n_people, rows)

    def among(self, people: Integers) -> Bits:
        """The answers about all pairs of these people, as a square table."""
        bits = np.unpackbits(self.rows[people].view(np.uint8), axis=1, bitorder="little")
        return bits[:, people].astype(np.bool_)

    def degrees(self) -> Integers:
        """Noisy edges at each person."""
        degrees: Integers = _degrees(self.rows)
        return degrees

    def triangles(self) -> tuple[Integers, Integers]:
        """At each person the noisy triangles, and the sum of the noisy degrees of noisy neighbours."""
        corners, sums = _triangles(self.rows, self.degrees(), self.n_people)
        return corners // 2, sums


def matrix_bytes(n_people: int) -> int:
    """Memory of a matrix for so many people."""
    return n_people * ((n_people + 63) // 64) * 8


def check_size(name: str, n_people: int) -> None:
    """Refuse what would not fit."""
    needed = matrix_bytes(n_people)
    if needed > MOST_BYTES:
        raise ParameterError(
            f"{name} keeps a bit for every pair: {needed / 2**30:.1f} GB for {n_people} people, of at most 1 GB; "
            "choose a protocol that counts in lists, such as veil"
        )


@kernel
def _decide_all(
    indptr: Any, indices: Any, n_people: Any, ranks: Any, key: Any, friend_below: Any, stranger_below: Any
) -> Any:
    rows = np.zeros((n_people, (n_people + 63) // 64), dtype=np.uint64)
    friend = np.zeros(n_people, dtype=np.bool_)
    one = np.uint64(1)
    for j in range(n_people):
        for entry in range(indptr[j], indptr[j + 1]):
            friend[indices[entry]] = True
        for k in range(j + 1, n_people):
            answers = owner(ranks, j, k)
            word = word_at(key, np.uint64(answers), np.uint64(j + k - answers))
            if word < stranger_below or (word < friend_below and friend[k]):
                rows[j, k >> 6] |= one << np.uint64(k & 63)
                rows[k, j >> 6] |= one << np.uint64(j & 63)
        for entry in range(indptr[j], indptr[j + 1]):
            friend[indices[entry]] = False
    return rows


@kernel
def _mirror(matrix: Any, n_people: Any) -> Any:
    rows = np.zeros((n_people, (n_people + 63) // 64), dtype=np.uint64)
    one = np.uint64(1)
    for j in range(n_people):
        for k in range(j + 1, n_people):
            if matrix[j, k >> 3] >> (k & 7) & 1:
                rows[j, k >> 6] |= one << np.uint64(k & 63)
                rows[k, j >> 6] |= one << np.uint64(j & 63)
    return rows


@kernel
def ones_in(word: Any) -> Any:
    """How many bits of a 64-bit word are set; compilers know this pattern."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def _degrees(rows: Any) -> Any:
    degrees = np.zeros(len(rows), dtype=np.int64)
    for j in range(len(rows)):
        total = np.uint64(0)
        for place in range(rows.shape[1]):
            total += ones_in(rows[j, place])
        degrees[j] = np.int64(total)
    return degrees


@kernel
def _triangles(rows: Any, degrees: Any, n_people: Any) -> Any:
    """64 rows j at a time stay in the cache while all rows k pass by, of which one word says whom it is joined to."""
    corners, sums = np.zeros(n_people, dtype=np.int64), np.zeros(n_people, dtype=np.int64)
    for start in range(0, n_people, 64):
        for k in range(start + 1, n_people):
            theirs = rows[k]
            joined = theirs[start >> 6]
            if joined == np.uint64(0):
                continue
            for j in range(start, min(start + 64, k)):
                if joined >> np.uint64(j - start) & np.uint64(1):
                    mine = rows[j]
                    shared = np.uint64(0)
                    for place in range(len(mine)):
                        shared += ones_in(mine[place] & theirs[place])
                    corners[j] += np.int64(shared)
                    corners[k] += np.int64(shared)
                    sums[j] += degrees[k]
                    sums[k] += degrees[j]
    return corners, sums
