"""Between Spark's columns and arrays: whole tables here, batches on the workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.arrays import AnyArray, Integers

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MANY = 2**20  # rows
Batches = Iterable[Any]  # of pyarrow's RecordBatch


def collect(frame: DataFrame) -> list[AnyArray]:
    """The columns of a frame, brought here."""
    table = frame.toArrow()
    return [column.to_numpy() for column in table.columns]


def frame_of(spark: SparkSession, **columns: AnyArray) -> DataFrame:
    """A frame with these columns."""
    import pyarrow as pa

    return spark.createDataFrame(pa.table(columns))


def arrays_of(batch: Any) -> list[AnyArray]:
    """The columns of a batch or table."""
    return [np.asarray(column.to_numpy(zero_copy_only=False)) for column in batch.columns]


def arrays_of_many(batches: Batches) -> Iterator[list[AnyArray]]:
    """The columns of many batches at a time."""
    parts: list[list[AnyArray]] = []
    for batch in batches:
        parts.append(arrays_of(batch))
        if sum(len(part[0]) for part in parts) >= MANY:
            yield [np.concatenate(column) for column in zip(*parts, strict=True)]
            parts = []
    if parts:
        yield [np.concatenate(column) for column in zip(*parts, strict=True)]


def batch_of(**columns: Any) -> Any:
    """A batch with these columns."""
    import pyarrow as pa

    return pa.RecordBatch.from_pydict({name: pa.array(values) for name, values in columns.items()})


def pack(batches: Batches) -> Iterator[Any]:
    """Each batch of whole numbers as one row of bytes, so that a frame can be walked through here in order."""
    for batch in batches:
        yield batch_of(packed=[np.stack(arrays_of(batch)).astype(np.int64).tobytes()])


def walk(frame: DataFrame) -> Iterator[Integers]:
    """The rows of a frame of whole numbers, partition by partition in order, as one array per column at a time."""
    width = len(frame.columns)
    for row in frame.mapInArrow(pack, "packed binary").toLocalIterator(prefetchPartitions=True):
        yield np.frombuffer(row.packed, dtype=np.int64).reshape(width, -1)
