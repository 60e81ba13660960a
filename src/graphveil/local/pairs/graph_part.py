"""The part of a noisy graph that one person needs, as bytes and back.

A person's role needs a part of the graph only: the pairs of all people whom that person could ever count. Which pairs
these are follows from the order, the key and the person's number, all public: whoever fetches a part tells nothing
about the own list, and the part is the same whatever the list is. A third of all pairs on average, and one pair in m of
that where one in m is looked at. A client puts the part in its place in an empty graph and counts there: it never looks
at any other pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.pairs.count import Looks, Small
from graphveil.local.pairs.noisy_graph import PairBits, bit_at, check_bits, empty_matrix

_COUNT, _WRITE, _READ = 0, 1, 2


def write_part(graph: PairBits, counted: Lists, looks: Looks) -> bytes:
    """The answers about the pairs of all people whom one person could count, in the order of their numbers."""
    walk = _numbered(counted, looks)
    packed = np.zeros((_walk(*walk, graph.matrix, np.empty(0, dtype=np.uint8), _COUNT) + 7) // 8, dtype=np.uint8)
    _walk(*walk, graph.matrix, packed, _WRITE)
    return packed.tobytes()


def read_part(data: bytes, counted: Lists, looks: Looks) -> PairBits:
    """A graph in which a person's own pairs are as they were written, and no other is."""
    walk = _numbered(counted, looks)
    matrix = empty_matrix(counted.n_people)
    pairs = _walk(*walk, matrix, np.empty(0, dtype=np.uint8), _COUNT)
    _walk(*walk, matrix, check_bits(data, pairs, "this part of the graph").copy(), _READ)
    return PairBits(counted.n_people, matrix)


def _numbered(counted: Lists, looks: Looks) -> tuple[Integers, Small, Small]:
    """People with their numbers; where every pair is looked at, all numbers agree."""
    alike = np.zeros(len(counted.indices), dtype=np.int32)
    first, second = looks if len(looks.first) else (alike, alike)
    return counted.indices.astype(np.int64), first, second


@kernel
def _walk(people: Any, first: Any, second: Any, matrix: Any, packed: Any, task: Any) -> Any:
    """Count, write out or read in pairs a < b whose numbers agree: through everybody by their second number."""
    starts = np.zeros(max(first.max(), second.max()) + 2 if len(people) else 1, dtype=np.int64)
    for number in second:
        starts[number + 1] += 1
    starts = np.cumsum(starts)
    order = np.argsort(second, kind="mergesort")
    heads, found = starts.copy(), 0
    for a in range(len(people)):
        number, j = first[a], people[a]
        while heads[number] < starts[number + 1] and order[heads[number]] <= a:
            heads[number] += 1
        if task == 0:
            found += starts[number + 1] - heads[number]
            continue
        for place in range(heads[number], starts[number + 1]):
            k = people[order[place]]
            if task == 1:
                packed[found >> 3] |= np.uint8((matrix[j, k >> 3] >> (k & 7) & 1) << (7 - (found & 7)))
            else:
                matrix[j, k >> 3] |= np.uint8(bit_at(packed, found) << (k & 7))
            found += 1
    return found
