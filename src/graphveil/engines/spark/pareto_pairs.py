"""The pairs of nodes with most in common, hub by hub, where rows are elsewhere.

Nodes are taken in falling degree, a batch at a time: the rows of a batch travel to all workers, and each worker counts
what they share with the rows it holds. Once no pair of later nodes can matter the rest is skipped. Real graphs need few
batches; where all degrees are equal nothing can be skipped, and the batches go through all wedges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, arrays_of_all, batch_of, collect, frame_of
from graphveil.engines.spark.fold import both_ends
from graphveil.graph.statistics.pareto_pairs import can_matter
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Entries of the rows of a batch. Every batch reads all edges once more, which costs more than counting what a few
# thousand hubs share: so few batches, each four times the one before.
FIRST_ENTRIES, MOST_ENTRIES = 500_000, 4_000_000
FOUND = "common bigint, apart bigint"


@dataclass(frozen=True, slots=True, eq=False)
class Hubs:
    """Some nodes in falling degree; hub `owners[k]` has the neighbour `friends[j]`, starts[j] <= k < starts[j + 1]."""

    ids: Integers
    degrees: Integers
    friends: Integers
    starts: Integers
    owners: Integers


def most_apart_by_common(edges: DataFrame, ids: Integers, degrees: Integers, n_people: int, n_parts: int) -> Integers:
    """For every number of common neighbours the most neighbours of exactly one, as far as the front can tell."""
    order = np.argsort(-degrees, kind="stable")
    most_apart = np.full(int(degrees.max(initial=0)) + 1, -1, dtype=np.int64)
    if n_people > max(1, len(ids)):  # somebody without edges is a stranger to all
        most_apart[0] = degrees.max(initial=0)
    rows = both_ends(edges, "u", "v", ("friend", "v", "u"), ("degree", "du", "dv"))
    rows = rows.repartition(n_parts, "id").sortWithinPartitions("id").persist()
    done, entries, reached = 0, FIRST_ENTRIES, np.cumsum(degrees[order])
    while done < len(ids) and can_matter(most_apart, degrees[order[done]]):
        before = reached[done] - degrees[order[done]]
        end = np.searchsorted(reached, before + entries, side="right")
        batch = order[done : max(done + 1, int(end))]
        hubs = _rows_of_hubs(rows, ids[batch], degrees[batch])
        common, apart = collect(rows.mapInArrow(partial(_scan_part, hubs=hubs, front=most_apart), FOUND))
        np.maximum.at(most_apart, common, apart)
        done, entries = done + len(batch), min(4 * entries, MOST_ENTRIES)
    rows.unpersist()
    return most_apart


def _rows_of_hubs(rows: DataFrame, ids: Integers, degrees: Integers) -> Hubs:
    """The hubs next to every node that has one: what a worker needs to find common neighbours."""
    from pyspark.sql import functions as sf

    chosen = sf.broadcast(frame_of(rows.sparkSession, id=ids, hub=np.arange(len(ids))))
    owners, met = collect(rows.join(chosen, "id").select("hub", "friend"))
    order = np.argsort(met, kind="stable")
    friends, starts = np.unique(met[order], return_index=True)
    return Hubs(ids, degrees, friends, np.append(starts, len(met)), owners[order])


def _scan_part(batches: Batches, hubs: Hubs, front: Integers) -> Iterator[Any]:
    """What the rows of one part add to what is known so far."""
    columns = arrays_of_all(batches)
    if columns is None:
        return
    nodes, friends, degrees = columns
    at = np.minimum(np.searchsorted(hubs.friends, friends), max(0, len(hubs.friends) - 1))
    known = np.where(hubs.friends[at] == friends, at, -1)
    by_id = np.argsort(hubs.ids)
    place = np.minimum(np.searchsorted(hubs.ids[by_id], friends), len(by_id) - 1)
    as_hub = np.where(hubs.ids[by_id[place]] == friends, by_id[place], -1)
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
