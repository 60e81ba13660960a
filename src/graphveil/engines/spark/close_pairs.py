"""Pairs of people who are friends or have a common friend, in parts that fit in memory.

A hash gives every node one of ρ colours. There is a task for every two colours a <= b, which has the friends of all
nodes of these colours: so it knows every path x, w, y with x of colour a and y of colour b, and counts each such pair
once. A task has about 4 m / ρ rows of one friend each; the shuffle moves 2 ρ m of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers
from graphveil.engines.spark.arrow import Batches, arrays_of_all, batch_of, collect
from graphveil.engines.spark.fold import both_ends
from graphveil.graph.files.numbering import number_integers
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def count_close_pairs(edges: DataFrame, n_edges: int, edges_per_task: int) -> int:
    """Unordered pairs of nodes at distance 1 or 2."""
    from pyspark.sql import functions as sf

    n_colours = max(1, -(-4 * n_edges // edges_per_task))
    rows = both_ends(edges, "u", "v", ("friend", "v", "u"))
    colour = sf.pmod(sf.xxhash64("id"), sf.lit(n_colours)).cast("int")
    partner = sf.explode(sf.sequence(sf.lit(0), sf.lit(n_colours - 1)))
    shared = rows.select("id", "friend", colour.alias("own"), partner.alias("other"))
    columns = "id, friend, own <= other as first, own >= other as second"  # on which side of its task a row is
    task = "cast(div(greatest(own, other) * (greatest(own, other) + 1), 2) + least(own, other) as int) as task"
    placed = shared.selectExpr(*columns.split(", "), task)
    tasks = placed.repartitionById(n_colours * (n_colours + 1) // 2, "task").drop("task")
    (counts,) = collect(tasks.mapInArrow(_count_in_task, "pairs bigint"))
    return int(counts.sum())


def _count_in_task(batches: Batches) -> Iterator[Any]:
    """Pairs with one end on each side; where both sides are the same colour every pair is met twice."""
    columns = arrays_of_all(batches)
    if columns is None:
        return
    ids, friends, first, second = columns
    numbers, distinct = number_integers((ids, friends))
    owners, others, n = numbers[: len(ids)], numbers[len(ids) :], len(distinct)
    there = np.zeros(n, dtype=np.bool_)
    there[owners[second]] = True
    pairs = _count_pairs(_rows(owners[first], others[first], n), _rows(others[second], owners[second], n), there)
    yield batch_of(pairs=[pairs // 2 if first[0] and second[0] else pairs])


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
