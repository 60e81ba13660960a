"""Hubs against everybody, where rows are elsewhere: what a pair of nodes has in common, a batch of hubs at a time.

The rows of a batch travel to all workers, and each worker walks the rows it holds and adds up what they share with each
hub. Real graphs need few batches, since hubs come first and the rest can be skipped; where all nodes are alike nothing
can be skipped, and the batches go through all wedges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import collect, frame_of
from graphveil.engines.spark.fold import both_ends

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Entries of the rows of a batch. Every batch reads all edges once more, which costs more than counting what a few
# thousand hubs share: so few batches, each four times the one before.
FIRST_ENTRIES, MOST_ENTRIES = 500_000, 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Hubs:
    """Some nodes in order; hub `owners[k]` has the neighbour `friends[j]`, starts[j] <= k < starts[j + 1]."""

    ids: Integers
    degrees: Integers
    friends: Integers
    starts: Integers
    owners: Integers

    def meet(self, friends: Integers) -> tuple[Integers, Integers]:
        """For each of these nodes, which of `self.friends` it is and which hub it is (-1 for none)."""
        order = np.argsort(self.ids)
        hub = _find(self.ids[order], friends)
        return _find(self.friends, friends), np.where(hub >= 0, order[hub], -1)


def rows_of(edges: DataFrame, n_parts: int, *others: tuple[str, str, str]) -> DataFrame:
    """Columns id, friend, degree and others (`both_ends`), a node's rows together in a part; to be unpersisted."""
    ends = both_ends(edges, "u", "v", ("friend", "v", "u"), ("degree", "du", "dv"), *others)
    return ends.repartition(n_parts, "id").sortWithinPartitions("id").persist()


def batches_of(order: Integers, degrees: Integers) -> Iterator[Integers]:
    """Batches of nodes in this order, each of at least one, with about as many friends together as a batch may have."""
    done, entries, reached = 0, FIRST_ENTRIES, np.cumsum(degrees[order])
    while done < len(order):
        before = reached[done] - degrees[order[done]]
        end = max(done + 1, int(np.searchsorted(reached, before + entries, side="right")))
        yield order[done:end]
        done, entries = end, min(4 * entries, MOST_ENTRIES)


def hubs_of(rows: DataFrame, ids: Integers, degrees: Integers) -> Hubs:
    """The hubs next to every node that has one: what a worker needs to find common neighbours."""
    from pyspark.sql import functions as sf

    chosen = sf.broadcast(frame_of(rows.sparkSession, id=ids, hub=np.arange(len(ids))))
    owners, met = collect(rows.join(chosen, "id").select("hub", "friend"))
    order = np.argsort(met, kind="stable")
    friends, starts = np.unique(met[order], return_index=True)
    return Hubs(ids, degrees, friends, np.append(starts, len(met)), owners[order])


def _find(among: Integers, wanted: Integers) -> Integers:
    """Where each wanted value stands among rising ones, -1 where it does not."""
    place = np.minimum(np.searchsorted(among, wanted), len(among) - 1)
    return np.where(among[place] == wanted, place, -1)
