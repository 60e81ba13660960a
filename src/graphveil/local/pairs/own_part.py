"""The part of a noisy graph that one person's role needs: the pairs of all people whom that person could ever count.

Which pairs these are follows from the order, the key and the person's number, all public: whoever asks for a part tells
nothing about the own list, and the part is the same whatever the list is. A sixth of all pairs on average, and one pair
in m of that where one in m is looked at. A client puts the part in its place in an empty graph and counts there: it
never looks at any other pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.kernels import kernel
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.count import Looks
from graphveil.local.pairs.noisy_graph import PairBits


def write_part(graph: PairBits, counted: Lists, looks: Looks) -> bytes:
    """The answers about the pairs of all people whom one person could count, in the order of their numbers."""
    bits: NDArray[np.uint8] = _bits(graph.matrix, *_own_pairs(counted, looks))
    return np.packbits(bits).tobytes()


def read_part(data: bytes, counted: Lists, looks: Looks) -> PairBits:
    """A graph in which a person's own pairs are as they were written, and no other is."""
    lower, higher = _own_pairs(counted, looks)
    if len(data) != (len(lower) + 7) // 8:
        raise ParameterError(f"this part of the graph has {len(data)} bytes; yours has {(len(lower) + 7) // 8}")
    matrix = np.zeros((counted.n_people, (counted.n_people + 7) // 8), dtype=np.uint8)
    _place(matrix, lower, higher, np.unpackbits(np.frombuffer(data, dtype=np.uint8)))
    return PairBits(counted.n_people, matrix)


def _own_pairs(counted: Lists, looks: Looks) -> tuple[Integers, Integers]:
    alike = np.zeros(len(counted.indices), dtype=np.int32)  # where every pair is looked at, all numbers agree
    first, second = looks if len(looks.first) else (alike, alike)
    lower, higher = _looked_at(counted.indices.astype(np.int64), first, second)
    return lower, higher


@kernel
def _looked_at(people: Any, first: Any, second: Any) -> Any:
    """Pairs a < b whose numbers agree, without going through all pairs: everybody by their second number."""
    size = max(first.max(), second.max()) + 2 if len(people) else 1
    starts = np.zeros(size, dtype=np.int64)
    for number in second:
        starts[number + 1] += 1
    starts = np.cumsum(starts)
    order = np.argsort(second, kind="mergesort")
    lower = higher = np.empty(0, dtype=np.int64)
    for filling in range(2):
        found, heads = 0, starts.copy()
        for a in range(len(people)):
            number = first[a]
            while heads[number] < starts[number + 1] and order[heads[number]] <= a:
                heads[number] += 1
            if filling:
                for place in range(heads[number], starts[number + 1]):
                    lower[found], higher[found] = people[a], people[order[place]]
                    found += 1
            else:
                found += starts[number + 1] - heads[number]
        if not filling:
            lower, higher = np.empty(found, dtype=np.int64), np.empty(found, dtype=np.int64)
    return lower, higher


@kernel
def _bits(matrix: Any, lower: Any, higher: Any) -> Any:
    bits = np.empty(len(lower), dtype=np.uint8)
    for i in range(len(lower)):
        bits[i] = matrix[lower[i], higher[i] >> 3] >> (higher[i] & 7) & 1
    return bits


@kernel
def _place(matrix: Any, lower: Any, higher: Any, bits: Any) -> None:
    for i in range(len(lower)):
        matrix[lower[i], higher[i] >> 3] |= np.uint8(bits[i] << (higher[i] & 7))
