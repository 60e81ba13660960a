"""Rows sent to parts as parcels: the rows of a batch that go the same way travel as one row of bytes.

Spark handles every row by itself, which takes it longer than all that is counted later. Numpy sorts the rows of a batch
into groups; each group is packed once, and sent to every part that wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.engines.spark.arrow import Batches, arrays_of, batch_of
from graphveil.graph.mix import finalise

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Sort = Callable[..., tuple[AnyIntegers, Sequence[Integers]]]  # from columns to the group of each row, and columns


class Contents(NamedTuple):
    """What one part was sent: its number, the groups of all rows, and their columns."""

    part: int
    groups: Integers
    columns: list[Integers]


def send(frame: DataFrame, sort: Sort, parts_of_group: Integers) -> DataFrame:
    """The rows of group g in each of the parts `parts_of_group[g]`; read them with `contents`."""
    pack = partial(_pack, sort=sort, parts_of_group=parts_of_group)
    parcels = frame.mapInArrow(pack, "part int, group int, parcel binary")
    return parcels.repartitionById(int(parts_of_group.max(initial=0)) + 1, "part")


def contents(batches: Batches, width: int) -> Contents | None:
    """All rows of a part, of so many columns; None for an empty one."""
    part, groups, parcels = 0, [], []
    for batch in batches:
        parts, its_groups, packed = (column.to_pylist() for column in batch.columns)
        parcels += [np.frombuffer(parcel, dtype=np.int64).reshape(width, -1) for parcel in packed]
        groups += its_groups
        part = parts[0] if parts else part
    if not parcels:
        return None
    group_of_row = np.repeat(groups, [parcel.shape[1] for parcel in parcels])
    return Contents(part, group_of_row, [np.concatenate(column) for column in zip(*parcels, strict=True)])


def colour_of(ids: Integers, n_colours: int) -> Integers:
    """A colour for each id, as good as by chance."""
    words: Any = finalise.python(ids.astype(np.int64).view(np.uint64))
    colours: Integers = (words % np.uint64(n_colours)).astype(np.int64)
    return colours


def _pack(batches: Batches, sort: Sort, parts_of_group: Integers) -> Iterator[Any]:
    for batch in batches:
        groups, columns = sort(*arrays_of(batch))
        order = np.argsort(groups.astype(np.uint16) if len(parts_of_group) < 2**16 else groups, kind="stable")
        rows = np.stack([column[order] for column in columns])
        found, starts = np.unique(groups[order], return_index=True)
        ends = np.append(starts[1:], len(order))
        packed = [rows[:, start:end].tobytes() for start, end in zip(starts, ends, strict=True)]
        for parts in parts_of_group[found].T:
            yield batch_of(part=parts.astype(np.int32), group=found.astype(np.int32), parcel=packed)
