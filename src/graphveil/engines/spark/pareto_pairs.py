"""The pairs of nodes with most in common, where rows are elsewhere.

Most often few nodes decide: the rows of those of largest degree are brought here, and the pairs among them searched. A
pair with another node has at most its degree in common, and if that cannot matter the search is over. Otherwise hubs
go on against everybody, batch by batch, until no pair of later nodes can matter (`engines.spark.hubs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.fold import edges_of
from graphveil.engines.spark.hubs import (
    FIRST_ENTRIES,
    MOST_ENTRIES,
    Hubs,
    batches_of,
    hubs_of,
    read_rows,
    rows_of,
    sorted_rows,
)
from graphveil.graph.statistics.pareto_pairs import can_matter
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FOUND = "common bigint, apart bigint"


def most_apart_by_common(edges: DataFrame, ids: Integers, degrees: Integers, n_people: int, n_parts: int) -> Integers:
    """For every number of common neighbours the most neighbours of exactly one, as far as the front can tell."""
    largest = int(degrees.max(initial=0))
    most_apart = np.full(largest + 1, -1, dtype=np.int64)
    if n_people > max(1, len(ids)):  # somebody without edges is a stranger to all
        most_apart[0] = largest
    for entries in (FIRST_ENTRIES, MOST_ENTRIES):
        least = _least_degree(degrees, entries)
        if least <= largest:
            np.maximum(most_apart, _among_hubs(edges, ids, degrees, least, most_apart), out=most_apart)
        if least <= 1 or not can_matter(most_apart, least - 1, largest):
            return most_apart
    rows = rows_of(edges, n_parts)
    for batch in batches_of(np.argsort(-degrees, kind="stable"), degrees):
        if not can_matter(most_apart, degrees[batch[0]], degrees[batch[0]]):
            break
        hubs = hubs_of(rows, ids[batch], degrees[batch])
        common, apart = collect(rows.mapInArrow(partial(_scan_part, hubs=hubs, front=most_apart), FOUND))
        np.maximum.at(most_apart, common, apart)
    rows.unpersist()
    return most_apart


def _least_degree(degrees: Integers, entries: int) -> int:
    """The least degree such that all nodes of at least this degree have so many friends together, or fewer."""
    of_degree = np.bincount(degrees) * np.arange(int(degrees.max(initial=0)) + 1) if len(degrees) else np.zeros(1)
    friends_from = np.cumsum(of_degree[::-1])[::-1]  # of nodes of at least each degree
    return int(np.count_nonzero(friends_from > entries))


def _among_hubs(edges: DataFrame, ids: Integers, degrees: Integers, least: int, front: Integers) -> Integers:
    """The same for the pairs of nodes of at least this degree, searched here."""
    u, v, du, dv = collect(edges_of(edges, lambda du, dv: np.maximum(du, dv) >= least))
    ends = (np.concatenate((u, v)), np.concatenate((v, u)), np.concatenate((du, dv)))
    rows = sorted_rows([column[ends[2] >= least] for column in ends])
    hubs = np.flatnonzero(degrees >= least)
    hubs = hubs[np.argsort(-degrees[hubs], kind="stable")]
    return _scan(rows, Hubs.of(ids[hubs], degrees[hubs], rows[0], rows[1]), front)


def _scan_part(batches: Batches, hubs: Hubs, front: Integers) -> Iterator[Any]:
    """What the rows of one part add to what is known so far."""
    rows = read_rows(batches)
    if rows is not None:
        most_apart = _scan(rows[:3], hubs, front)
        common = np.flatnonzero(most_apart >= 0)
        yield batch_of(common=common, apart=most_apart[common])


def _scan(rows: list[Integers], hubs: Hubs, front: Integers) -> Integers:
    """Every hub with every node whose row is given, rows sorted by node; `front` is what is known so far."""
    nodes, friends, degrees = rows
    known, as_hub = hubs.meet(friends)
    most_apart = np.full(len(front), -1, dtype=np.int64)
    _scan_rows(nodes, degrees, known, as_hub, hubs.ids, hubs.degrees, hubs.starts, hubs.owners, most_apart,
               front.max())  # fmt: skip
    return most_apart


@kernel
def _scan_rows(
    nodes: Any, degrees: Any, known: Any, as_hub: Any, hub_ids: Any, hub_degrees: Any, starts: Any, owners: Any,
    most_apart: Any, best: Any,
) -> None:  # fmt: skip
    shared = np.zeros(len(hub_ids), dtype=np.int64)
    friend = np.zeros(len(hub_ids), dtype=np.uint8)
    seen = np.empty(len(hub_ids), dtype=np.int64)
    first = 0
    while first < len(nodes):
        end, n_seen = first, 0
        while end < len(nodes) and nodes[end] == nodes[first]:
            if as_hub[end] >= 0:
                friend[as_hub[end]] = 1
            if known[end] >= 0:
                for k in range(starts[known[end]], starts[known[end] + 1]):
                    hub = owners[k]
                    if shared[hub] == 0:
                        seen[n_seen] = hub
                        n_seen += 1
                    shared[hub] += 1
            end += 1
        for k in range(n_seen):
            hub = seen[k]
            if hub_ids[hub] != nodes[first]:
                apart = hub_degrees[hub] + degrees[first] - 2 * (shared[hub] + friend[hub])
                most_apart[shared[hub]] = max(most_apart[shared[hub]], apart)
                best = max(best, apart)
        best = _meet_strange_hubs(most_apart, nodes[first], degrees[first], hub_ids, hub_degrees, shared, friend, best)
        for k in range(n_seen):
            shared[seen[k]] = 0
        for k in range(first, end):
            if as_hub[k] >= 0:
                friend[as_hub[k]] = 0
        first = end


@kernel
def _meet_strange_hubs(
    most_apart: Any, node: Any, degree: Any, hub_ids: Any, hub_degrees: Any, shared: Any, friend: Any, best: Any
) -> Any:
    """Hubs without common neighbours: only one that is further apart than any pair yet counts, in falling degree."""
    for hub in range(len(hub_ids)):
        apart = hub_degrees[hub] + degree
        if apart <= best:
            break
        if hub_ids[hub] != node and shared[hub] == 0:
            most_apart[0] = max(most_apart[0], apart - 2 * friend[hub])
            best = max(best, most_apart[0])
    return best
