"""The pairs of nodes with most in common, hub by hub in falling degree, until no pair of later nodes can matter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, arrays_of_all, batch_of, collect
from graphveil.engines.spark.hubs import Hubs, batches_of, hubs_of, rows_of
from graphveil.graph.statistics.pareto_pairs import can_matter
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FOUND = "common bigint, apart bigint"


def most_apart_by_common(edges: DataFrame, ids: Integers, degrees: Integers, n_people: int, n_parts: int) -> Integers:
    """For every number of common neighbours the most neighbours of exactly one, as far as the front can tell."""
    most_apart = np.full(int(degrees.max(initial=0)) + 1, -1, dtype=np.int64)
    if n_people > max(1, len(ids)):  # somebody without edges is a stranger to all
        most_apart[0] = degrees.max(initial=0)
    rows = rows_of(edges, n_parts)
    for batch in batches_of(np.argsort(-degrees, kind="stable"), degrees):
        if not can_matter(most_apart, degrees[batch[0]]):
            break
        hubs = hubs_of(rows, ids[batch], degrees[batch])
        common, apart = collect(rows.mapInArrow(partial(_scan_part, hubs=hubs, front=most_apart), FOUND))
        np.maximum.at(most_apart, common, apart)
    rows.unpersist()
    return most_apart


def _scan_part(batches: Batches, hubs: Hubs, front: Integers) -> Iterator[Any]:
    """What the rows of one part add to what is known so far."""
    columns = arrays_of_all(batches)
    if columns is None:
        return
    nodes, friends, degrees = columns
    known, as_hub = hubs.meet(friends)
    most_apart = np.full(len(front), -1, dtype=np.int64)
    _scan_rows(nodes, degrees, known, as_hub, hubs.ids, hubs.degrees, hubs.starts, hubs.owners, most_apart,
               front.max())  # fmt: skip
    common = np.flatnonzero(most_apart >= 0)
    yield batch_of(common=common, apart=most_apart[common])


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
