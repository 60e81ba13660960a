"""Ranks in place of integers.

Values in a moderate range go through a table with one entry per possible value, all others through a hash table per
column, so that an id of 10^18 costs no more than an id of 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.csr import SMALL
from graphveil.graph.files.content import IntArray
from graphveil.graph.mix import finalise
from graphveil.graph.parallel import mapping
from graphveil.kernels import kernel

Chunks = Sequence[NDArray[np.int64]]  # a column in pieces, as the parser left it


def number_integers(columns: Sequence[Chunks]) -> tuple[list[IntArray], NDArray[np.int64]]:
    """Ranks of the values among the distinct values of all columns, and those, sorted."""
    chunks = [chunk for column in columns for chunk in column]
    largest = max((int(chunk.max()) for chunk in chunks if len(chunk)), default=-1)
    small_range = largest < 4 * sum(map(len, chunks)) + 2**20
    return _number_by_table(columns, largest + 1) if small_range else _number_by_hash(columns)


def _number_by_table(columns: Sequence[Chunks], size: int) -> tuple[list[IntArray], NDArray[np.int64]]:
    present = np.zeros(size, dtype=np.uint8)
    for column in columns:
        for chunk in column:
            present[chunk] = 1
    rank = np.cumsum(present, dtype=np.int32) - np.int32(1)

    def look_up(column: Chunks) -> IntArray:
        numbers = np.empty(sum(map(len, column)), dtype=np.int32)
        for chunk, part in _parts(column, numbers):
            np.take(rank, chunk, out=part, mode="clip")  # the default mode writes through a buffer
        return numbers

    with mapping(1 if sum(map(len, columns[0])) < SMALL else 2) as run:
        return list(run(look_up, columns)), np.flatnonzero(present)


def _number_by_hash(columns: Sequence[Chunks]) -> tuple[list[IntArray], NDArray[np.int64]]:
    """The same as `number_integers`, for values anywhere between -2^63 and 2^63."""
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(_number_as_seen, columns))
        names, ranks = _rank(np.concatenate([distinct for _, distinct in seen]))
        numbers = [found for found, _ in seen]
        borders = np.cumsum([len(distinct) for _, distinct in seen])[:-1]
        list(pool.map(translate, numbers, np.split(ranks, borders)))
        return numbers, names


def _rank(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The distinct values, sorted, and the rank of each value; `np.unique` takes several times as long."""
    order = np.argsort(values)
    ordered = values[order]
    is_new = np.ones(len(values), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    ranks = np.empty(len(values), dtype=np.int32)
    ranks[order] = np.cumsum(is_new, dtype=np.int32) - np.int32(1)
    return ordered[is_new], ranks


def _number_as_seen(column: Chunks) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    return number_as_seen(column, sum(map(len, column)))


def number_as_seen(column: Iterable[NDArray[np.int64]], size: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Numbers of so many values in order of first sight, and the distinct values in this order."""
    numbers = np.empty(size, dtype=np.int32)
    distinct = np.empty(2**12, dtype=np.int64)
    slots = _table(distinct, 0)
    count = 0
    for chunk, part in _parts(column, numbers):
        done, count = _number_until_full(chunk, 0, slots, distinct, count, part)
        while done < len(chunk):
            distinct = np.concatenate((distinct, np.empty(3 * len(distinct), dtype=np.int64)))
            slots = _table(distinct, count)
            done, count = _number_until_full(chunk, done, slots, distinct, count, part)
    return numbers, distinct[:count]


def _table(distinct: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """A hash table of positions in `distinct`, at most a quarter full."""
    slots = np.full(4 * len(distinct), -1, dtype=np.int32)  # by numpy, which asks for large pages, unlike a kernel
    _enter(slots, distinct, count)
    return slots


def _parts(
    column: Iterable[NDArray[np.int64]], whole: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    begin = 0
    for chunk in column:
        yield chunk, whole[begin : begin + len(chunk)]
        begin += len(chunk)


@kernel
def translate(numbers: Any, dictionary: Any) -> None:
    """Put `dictionary[number]` in place of every number; numpy would first copy 32-bit indices to 64 bits."""
    for i in range(len(numbers)):
        numbers[i] = dictionary[numbers[i]]


@kernel
def _slot(value: Any, mask: Any) -> Any:
    return np.int64(finalise(np.uint64(value)) & np.uint64(mask))  # regular ids must not crowd together


@kernel
def _enter(slots: Any, distinct: Any, count: Any) -> None:
    mask = len(slots) - 1
    for k in range(count):
        slot = _slot(distinct[k], mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = k


@kernel
def _number_until_full(values: Any, begin: Any, slots: Any, distinct: Any, count: Any, numbers: Any) -> Any:
    mask = len(slots) - 1
    for i in range(begin, len(values)):
        slot = _slot(values[i], mask)
        while slots[slot] >= 0 and distinct[slots[slot]] != values[i]:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            if count == len(distinct):
                return i, count
            slots[slot] = count
            distinct[count] = values[i]
            count += 1
        numbers[i] = slots[slot]
    return len(values), count
