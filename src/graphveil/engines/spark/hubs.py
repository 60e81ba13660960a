"""Hubs against everybody, where rows are elsewhere: what a pair of nodes has in common, a batch of hubs at a time.

The rows of a batch travel to all workers, and each worker walks the rows it holds and adds up what they share with each
hub. Real graphs need few batches, since hubs come first and the rest can be skipped; where all nodes are alike nothing
can be skipped, and the batches go through all wedges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect
from graphveil.engines.spark.fold import edges_in
from graphveil.engines.spark.parcels import Rows, colour_of, delivery, send

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

    @classmethod
    def of(cls, ids: Integers, degrees: Integers, nodes: Integers, met: Integers) -> Hubs:
        """From their rows: hub `nodes[i]` has the friend `met[i]`."""
        by_id, by_friend = np.argsort(ids), np.argsort(met, kind="stable")
        friends, starts = np.unique(met[by_friend], return_index=True)
        owners = by_id[np.searchsorted(ids[by_id], nodes[by_friend])]
        return cls(ids, degrees, friends, np.append(starts, len(met)), owners)

    def meet(self, friends: Integers) -> tuple[Integers, Integers]:
        """For each of these nodes, which of `self.friends` it is and which hub it is (-1 for none)."""
        order = np.argsort(self.ids)
        hub = _find(self.ids[order], friends)
        return _find(self.friends, friends), np.where(hub >= 0, order[hub], -1)


def rows_of(edges: DataFrame, n_parts: int) -> DataFrame:
    """All rows, those of a node in one part, in parcels for `read_rows`; to be unpersisted."""
    return send(edges, partial(_rows_by_part, n_parts=n_parts), n_parts).persist()


def _rows_by_part(batches: Batches, n_parts: int) -> Rows:
    for u, v, du, dv in edges_in(batches):
        ids = np.concatenate((u, v))
        columns = (ids, np.concatenate((v, u)), np.concatenate((du, dv)), np.concatenate((dv, du)))
        yield colour_of(ids, n_parts), columns


def read_rows(batches: Batches) -> list[Integers] | None:
    """Node, friend, and the degrees of both, sorted by node; None for an empty part."""
    sent = delivery(batches)
    return None if sent is None else sorted_rows(sent.columns(4)[1])


def sorted_rows(columns: list[Integers]) -> list[Integers]:
    """The same rows by rising first column."""
    order = np.argsort(columns[0], kind="stable")
    return [column[order] for column in columns]


def batches_of(order: Integers, degrees: Integers) -> Iterator[Integers]:
    """Batches of nodes in this order, each of at least one, with about as many friends together as a batch may have."""
    done, entries, reached = 0, FIRST_ENTRIES, np.cumsum(degrees[order])
    while done < len(order):
        before = reached[done] - degrees[order[done]]
        end = max(done + 1, int(np.searchsorted(reached, before + entries, side="right")))
        yield order[done:end]
        done, entries = end, min(4 * entries, MOST_ENTRIES)


def hubs_of(rows: DataFrame, ids: Integers, degrees: Integers) -> Hubs:
    """These nodes as hubs, with their rows brought here."""
    found = collect(rows.mapInArrow(partial(_rows_among, chosen=np.sort(ids)), "id bigint, friend bigint"))
    return Hubs.of(ids, degrees, *found)


def _rows_among(batches: Batches, chosen: Integers) -> Iterator[Any]:
    sent = delivery(batches)
    if sent is not None:
        _, (nodes, friends, _, _) = sent.columns(4)
        kept = _find(chosen, nodes) >= 0
        yield batch_of(id=nodes[kept], friend=friends[kept])


def _find(among: Integers, wanted: Integers) -> Integers:
    """Where each wanted value stands among rising ones, -1 where it does not."""
    place = np.minimum(np.searchsorted(among, wanted), len(among) - 1)
    return np.where(among[place] == wanted, place, -1)
