"""Pairs of people who are friends or have a common friend, in parts that fit in memory.

A hash gives every node one of ρ colours. There is a task for every two colours a <= b, which has the friends of all
nodes of these colours: so it knows every path x, w, y with x of colour a and y of colour b, and counts each such pair
once. A task has about 4 m / ρ rows of one friend each; the shuffle moves 2 ρ m of them, 16 bytes each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.fold import edges_in
from graphveil.engines.spark.parcels import Rows, colour_of, delivery, send
from graphveil.graph.files.numbering import number_integers
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def count_close_pairs(edges: DataFrame, n_edges: int, edges_per_task: int) -> int:
    """Unordered pairs of nodes at distance 1 or 2."""
    n_colours = max(1, -(-4 * n_edges // edges_per_task))
    own, other = np.indices((n_colours, n_colours))
    larger = np.maximum(own, other)
    wanted = larger * (larger + 1) // 2 + np.minimum(own, other)
    tasks = send(edges, partial(_rows_by_colour, n_colours=n_colours), int(wanted.max()) + 1, wanted)
    (counts,) = collect(tasks.mapInArrow(partial(_count_in_task, n_colours=n_colours), "pairs bigint"))
    return int(counts.sum())


def _rows_by_colour(batches: Batches, n_colours: int) -> Rows:
    """Every edge from both of its ends, and the colour of the end it is seen from."""
    for u, v, _, _ in edges_in(batches):
        ids = np.concatenate((u, v))
        yield colour_of(ids, n_colours), (ids, np.concatenate((v, u)))


def _count_in_task(batches: Batches, n_colours: int) -> Iterator[Any]:
    """Pairs with one end on each side; where both sides are the same colour every pair is met twice."""
    sent = delivery(batches)
    if sent is None:
        return
    colours, (ids, friends) = sent.columns(2)
    second_colour, first_colour = (side[sent.part] for side in np.tril_indices(n_colours))
    first, second = colours == first_colour, colours == second_colour
    numbers, distinct = number_integers((ids, friends))
    owners, others, n = numbers[: len(ids)], numbers[len(ids) :], len(distinct)
    there = np.zeros(n, dtype=np.bool_)
    there[owners[second]] = True
    pairs = _count_pairs(_rows(owners[first], others[first], n), _rows(others[second], owners[second], n), there)
    yield batch_of(pairs=[pairs // 2 if first_colour == second_colour else pairs])


def _rows(owners: AnyIntegers, members: AnyIntegers, n: int) -> tuple[Integers, AnyIntegers]:
    """The members of each owner."""
    order = np.argsort(owners, kind="stable")
    return np.append(0, np.cumsum(np.bincount(owners, minlength=n))), members[order]


def _count_pairs(here: tuple[Integers, AnyIntegers], there: tuple[Integers, AnyIntegers], is_there: Bits) -> int:
    """Pairs (x, y): y is there, and a friend of x or of one of their friends; `there` has such y by friend."""
    return int(_scan(*here, *there, is_there))


@kernel
def _scan(indptr: Any, friends: Any, starts: Any, members: Any, is_there: Any) -> Any:
    seen_from = np.full(len(is_there), -1, dtype=np.int64)
    pairs = 0
    for x in range(len(is_there)):
        seen_from[x] = x
        for i in range(indptr[x], indptr[x + 1]):
            w = friends[i]
            if is_there[w] and seen_from[w] != x:
                seen_from[w] = x
                pairs += 1
            for j in range(starts[w], starts[w + 1]):
                y = members[j]
                if seen_from[y] != x:
                    seen_from[y] = x
                    pairs += 1
    return pairs
