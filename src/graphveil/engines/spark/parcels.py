"""Rows sent to parts as parcels: rows that go the same way travel as one row of bytes.

Spark handles every row by itself, which takes it longer than all that is counted later. Numpy sorts many rows into
groups; each group is packed once, and sent to every part that wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphveil.arrays import Integers
from graphveil.engines.spark.arrow import Batches, batch_of, collect, frame_of
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.mix import finalise

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Rows = Iterator[tuple[Integers, Sequence[Integers]]]  # the group of each row, and columns
PARCELS = "group int, parcel binary"


class Delivery(NamedTuple):
    """What one part was sent: its number, and parcels with the group of each."""

    part: int
    groups: list[int]
    parcels: list[bytes]

    def columns(self, width: int) -> tuple[Integers, list[Integers]]:
        """The group of each row in parcels of `send`, and so many columns."""
        arrays = [np.frombuffer(parcel, dtype=np.int64).reshape(width, -1) for parcel in self.parcels]
        group_of_row = np.repeat(self.groups, [array.shape[1] for array in arrays])
        return group_of_row, [np.concatenate(column) for column in zip(*arrays, strict=True)]


def send(frame: DataFrame, rows: Callable[[Batches], Rows], n_parts: int, wanted: Integers | None = None) -> DataFrame:
    """What `rows` makes of each partition, sent to parts as `deliver` says."""
    return deliver(frame.mapInArrow(partial(_pack, rows=rows), PARCELS), n_parts, wanted)


def deliver(parcels: DataFrame, n_parts: int, wanted: Integers | None = None) -> DataFrame:
    """Parcels of group g in each of the parts `wanted[g]`, or in part g; read them with `delivery`."""
    from pyspark.sql import functions as sf

    if wanted is None:
        addressed = parcels.select(sf.col("group").alias("part"), "group", "parcel")
    else:
        group = np.repeat(np.arange(len(wanted), dtype=np.int32), wanted.shape[1])
        table = frame_of(parcels.sparkSession, group=group, part=wanted.ravel().astype(np.int32))
        addressed = parcels.join(sf.broadcast(table), "group").select("part", "group", "parcel")
    return addressed.repartitionById(n_parts, "part")


def delivery(batches: Batches) -> Delivery | None:
    """All parcels of a part; None for an empty one."""
    part, groups, parcels = 0, [], []
    for batch in batches:
        parts, its_groups, packed = (column.to_pylist() for column in batch.columns)
        part = parts[0] if parts else part
        groups += its_groups
        parcels += packed
    return Delivery(part, groups, parcels) if parcels else None


def colour_of(ids: Integers, n_colours: int) -> Integers:
    """A colour for each id, as good as by chance."""
    words: Any = finalise.python(ids.astype(np.int64).view(np.uint64))
    colours: Integers = (words % np.uint64(n_colours)).astype(np.int64)
    return colours


def sum_by_id(frame: DataFrame, values: Callable[[Batches], Iterator[Sequence[Integers]]], n_parts: int) -> DataFrame:
    """Sums for every id, where `values` gives ids and values; parcels of ids and sums, a group for each colour."""
    rows = partial(_rows_by_id, values=values, n_parts=n_parts)
    return send(frame, rows, n_parts).mapInArrow(_add, PARCELS)


def bring(sums: DataFrame) -> list[Integers]:
    """Ids, rising, and what is summed for each."""
    (parcels,) = collect(sums.select("parcel"))
    arrays = [np.frombuffer(parcel, dtype=np.int64).reshape(2, -1) for parcel in parcels]
    ids, values = np.concatenate([np.empty((2, 0), dtype=np.int64), *arrays], axis=1)
    order = np.argsort(ids)
    return [ids[order], values[order]]


def _pack(batches: Batches, rows: Callable[[Batches], Rows]) -> Iterator[Any]:
    for groups, columns in rows(batches):
        few = int(groups.max(initial=0)) < 2**16  # numpy sorts short numbers in one pass
        order = np.argsort(groups.astype(np.uint16) if few else groups, kind="stable")
        sorted_rows = np.stack([column[order] for column in columns])
        sizes = np.bincount(groups)
        found = np.flatnonzero(sizes)
        cuts = [0, *np.cumsum(sizes[found]).tolist()]
        packed = [sorted_rows[:, start:end].tobytes() for start, end in pairwise(cuts)]
        yield batch_of(group=found.astype(np.int32), parcel=packed)


def _rows_by_id(batches: Batches, values: Callable[[Batches], Iterator[Sequence[Integers]]], n_parts: int) -> Rows:
    for columns in values(batches):
        yield colour_of(columns[0], n_parts), columns


def _add(batches: Batches) -> Iterator[Any]:
    sent = delivery(batches)
    if sent is not None:
        _, (ids, values) = sent.columns(2)
        numbers, distinct = number_integers((ids,))
        sums = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(sums, numbers, values)
        yield batch_of(group=np.array([sent.part], dtype=np.int32), parcel=[np.stack((distinct, sums)).tobytes()])
