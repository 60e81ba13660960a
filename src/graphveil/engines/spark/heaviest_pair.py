"""The heaviest pair of nodes, hub by hub, in falling order of what all neighbours of a node weigh together.

A pair weighs by its degrees and by those of its common neighbours: see `graph.statistics.pareto_pairs.heaviest_pair`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.hubs import Hubs, batches_of, hubs_of, read_rows, rows_of
from graphveil.kernels import kernel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def heaviest_of(
    edges: DataFrame, ids: Integers, degrees: Integers, reach: Integers, end: Integers, common: Integers, n_parts: int
) -> int:
    """The largest weight of a pair; `reach[i]` is what the neighbours of `ids[i]` weigh."""
    best, heaviest_ends = 0, 2 * int(end.max())
    rows = rows_of(edges, n_parts)
    for batch in batches_of(np.argsort(-reach, kind="stable"), degrees):
        if reach[batch[0]] + heaviest_ends <= best:
            break
        hubs = hubs_of(rows, ids[batch], degrees[batch])
        scan = partial(_scan_part, hubs=hubs, end=end, common=common)
        (found,) = collect(rows.mapInArrow(scan, "weight bigint"))
        best = max(best, int(found.max(initial=0)))
    rows.unpersist()
    return best


def _scan_part(batches: Batches, hubs: Hubs, end: Integers, common: Integers) -> Iterator[Any]:
    """The heaviest pair of a hub and a node of this part."""
    columns = read_rows(batches)
    if columns is None:
        return
    nodes, friends, degrees, of_friends = columns
    known, as_hub = hubs.meet(friends)
    heaviest = _scan_rows(nodes, degrees, known, as_hub, common[of_friends], hubs.ids, hubs.degrees, hubs.starts,
                          hubs.owners, end)  # fmt: skip
    yield batch_of(weight=[heaviest])


@kernel
def _scan_rows(
    nodes: Any, degrees: Any, known: Any, as_hub: Any, weights: Any, hub_ids: Any, hub_degrees: Any, starts: Any,
    owners: Any, end: Any,
) -> Any:  # fmt: skip
    shared = np.zeros(len(hub_ids), dtype=np.int64)
    friend = np.zeros(len(hub_ids), dtype=np.uint8)
    seen = np.empty(len(hub_ids), dtype=np.int64)
    best = np.int64(0)
    first = 0
    while first < len(nodes):
        last, n_seen = first, 0
        while last < len(nodes) and nodes[last] == nodes[first]:
            if as_hub[last] >= 0:
                friend[as_hub[last]] = 1
            if known[last] >= 0 and weights[last] > 0:
                for k in range(starts[known[last]], starts[known[last] + 1]):
                    hub = owners[k]
                    if shared[hub] == 0:
                        seen[n_seen] = hub
                        n_seen += 1
                    shared[hub] += weights[last]
            last += 1
        for k in range(n_seen):
            hub = seen[k]
            if hub_ids[hub] != nodes[first]:
                ends = end[hub_degrees[hub] - friend[hub]] + end[degrees[first] - friend[hub]]
                best = max(best, shared[hub] + ends)
            shared[hub] = 0
        for k in range(first, last):
            if as_hub[k] >= 0:
                friend[as_hub[k]] = 0
        first = last
    return best
