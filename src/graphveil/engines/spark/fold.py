"""From pairs of ids to the table that everything else uses: each edge once, in parts, with degrees.

A hash gives every id one of ρ colours. There is a part for every two colours a <= b, in place b (b + 1) / 2 + a, with
the edges between them: so repeats of an edge meet in one part, where they are dropped. A part numbers its people, and
keeps their ids and degrees once; an edge is two such numbers. To Spark a part is one row of bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphveil.arrays import Bits, Integers, SmallIntegers
from graphveil.engines.spark.arrow import Batches, arrays_of_many, batch_of
from graphveil.engines.spark.parcels import (
    PARCELS,
    Rows,
    bring,
    colour_of,
    deliver,
    delivery,
    send,
    sum_by_id,
)
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.labels import LARGEST

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EDGES_PER_TASK = 8_000_000
CHUNK = 2**16  # edges looked at together
FOLDED = -1  # the group of a part among degrees


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """Ids rise, and each has its degree; `edges` gives the table of parts."""

    edges: Callable[[], DataFrame]
    ids: Integers
    degrees: Integers
    n_colours: int


class Part(NamedTuple):
    """Ids, rising, with degrees; edges between people of these numbers, u < v, sorted."""

    ids: Integers
    degrees: Integers
    u: SmallIntegers
    v: SmallIntegers

    def pack(self) -> bytes:
        """The bytes that `unpack` reads: how many people there are, and the four columns."""
        return b"".join((np.int64(len(self.ids)).tobytes(), *(column.tobytes() for column in self)))

    @classmethod
    def unpack(cls, packed: bytes) -> Part:
        """The part that `pack` made these bytes of."""
        end = 8 + 16 * int(np.frombuffer(packed, dtype=np.int64, count=1)[0])
        people = np.frombuffer(packed[8:end], dtype=np.int64).reshape(2, -1)
        return cls(*people, *np.frombuffer(packed[end:], dtype=np.int32).reshape(2, -1))

    def chunks(self) -> Iterator[tuple[SmallIntegers, SmallIntegers]]:
        """The numbers at both ends of edges, some edges at a time."""
        for begin in range(0, len(self.u), CHUNK):
            yield self.u[begin : begin + CHUNK], self.v[begin : begin + CHUNK]


def colours_for(n_edges: int, edges_per_task: int = EDGES_PER_TASK) -> int:
    """How many colours keep the edges among three colours to about this many: see `engines.spark.triangles`."""
    if n_edges <= edges_per_task:
        return 1
    return 2 if 3 * n_edges <= 4 * edges_per_task else max(3, math.ceil(math.sqrt(6 * n_edges / edges_per_task)))


def fold(pairs: DataFrame, n_colours: int, largest: int = LARGEST) -> Folded:
    """The simple graph with these pairs; direction, repeats and loops are dropped. The table is kept by Spark.

    No id is above `largest`; two short ids travel as one number.
    """
    if largest < 2**31:
        pairs = pairs.selectExpr("u << 32 | v edge")
    drop_repeats = partial(_drop_repeats, width=len(pairs.columns))
    larger, smaller = np.tril_indices(n_colours)
    n_parts = len(larger)
    pairs_by_part = send(pairs, partial(_pairs_by_part, n_colours=n_colours), n_parts)
    parts = pairs_by_part.mapInArrow(drop_repeats, "part int, group int, parcel binary").persist()
    degrees = sum_by_id(parts, _people_of_parts, n_colours).persist()
    place = np.empty((n_colours, n_colours), dtype=np.int64)
    place[larger, smaller] = place[smaller, larger] = np.arange(n_parts)
    ids, counts = bring(degrees)
    both = parts.unionAll(deliver(degrees, n_parts, place)).repartitionById(n_parts, "part")
    edges = both.mapInArrow(_add_degrees, PARCELS).persist()
    edges.count()  # from here on the others are not needed
    parts.unpersist()
    degrees.unpersist()
    return Folded(lambda: edges, ids, counts, n_colours)


def parts_of(batches: Batches) -> Iterator[Part]:
    """The parts in these rows of the table."""
    for batch in batches:
        for parcel in batch.column("parcel"):
            yield Part.unpack(parcel.as_py())


def edges_in(batches: Batches) -> Iterator[list[Integers]]:
    """Columns u, v (ids), du and dv (degrees), some edges at a time."""
    for part in parts_of(batches):
        for ends in part.chunks():
            yield [column[end] for column in (part.ids, part.degrees) for end in ends]


def edges_of(table: DataFrame, keep: Callable[[Integers, Integers], Bits] | None = None) -> DataFrame:
    """The edges as rows of u, v, du and dv: all of them, or those whose degrees are to be kept."""
    return table.mapInArrow(partial(_edges_kept, keep=keep), "u bigint, v bigint, du bigint, dv bigint")


def _edges_kept(batches: Batches, keep: Callable[[Integers, Integers], Bits] | None) -> Iterator[Any]:
    for columns in edges_in(batches):
        kept = slice(None) if keep is None else keep(*columns[2:])
        yield batch_of(**dict(zip(("u", "v", "du", "dv"), (column[kept] for column in columns), strict=True)))


def _pairs_by_part(batches: Batches, n_colours: int) -> Rows:
    for columns in arrays_of_many(batches):
        u, v = _ends(columns)
        first, second = colour_of(u, n_colours), colour_of(v, n_colours)
        larger = np.maximum(first, second)
        yield (larger * (larger + 1) // 2 + np.minimum(first, second))[u != v], [column[u != v] for column in columns]


def _ends(columns: Sequence[Integers]) -> Sequence[Integers]:
    return columns if len(columns) > 1 else (columns[0] >> 32, columns[0] & 0xFFFFFFFF)


def _drop_repeats(batches: Batches, width: int) -> Iterator[Any]:
    """The part that these pairs make; what stands for degrees counts within it."""
    sent = delivery(batches)
    if sent is None:
        return
    _, columns = sent.columns(width)
    u, v = _ends(columns)
    numbers, ids = number_integers((u, v))
    u, v = numbers[: len(u)].astype(np.int64), numbers[len(u) :].astype(np.int64)
    keys = np.sort(np.minimum(u, v) << 32 | np.maximum(u, v))
    keys = keys[np.append(True, np.diff(keys) > 0)]
    u, v = keys >> 32, keys & 0xFFFFFFFF
    part = Part(ids, np.bincount(np.concatenate((u, v)), minlength=len(ids)), u.astype(np.int32), v.astype(np.int32))
    number = np.array([sent.part], dtype=np.int32)
    yield batch_of(part=number, group=number * 0 + FOLDED, parcel=[part.pack()])


def _people_of_parts(batches: Batches) -> Iterator[Sequence[Integers]]:
    for part in parts_of(batches):
        yield part.ids, part.degrees


def _add_degrees(batches: Batches) -> Iterator[Any]:
    sent = delivery(batches)
    if sent is None or FOLDED not in sent.groups:
        return
    part = Part.unpack(sent.parcels.pop(place := sent.groups.index(FOLDED)))
    sent.groups.pop(place)
    _, (ids, degrees) = sent.columns(2)
    order = np.argsort(ids)
    part = part._replace(degrees=degrees[order[np.searchsorted(ids, part.ids, sorter=order)]])
    yield batch_of(group=np.array([sent.part], dtype=np.int32), parcel=[part.pack()])
