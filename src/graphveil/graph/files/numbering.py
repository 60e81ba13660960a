"""Numbers in place of names: everybody is numbered in rising order of their name.

Text is first replaced by numbers in order of first sight, so that whether a name is an integer, and which comes first,
is decided once per person and not once per line.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphveil.arrays import AnyIntegers, Integers, SmallIntegers
from graphveil.graph.labels import PLAIN_INTEGER, Labels, integer_labels, text_labels
from graphveil.kernels import kernel

if TYPE_CHECKING:
    import polars as pl

BLOCK = 2**20  # names compared at a time


def number_people(
    columns: tuple[pl.Series, pl.Series, pl.Series], *, keep_text: bool = False
) -> tuple[AnyIntegers, AnyIntegers, int, Labels]:
    """Numbers in place of the names at both ends of edges, how many people there are, and their labels.

    `columns` are the sources, the targets and the people without edges. Labels are integers if all names are plain
    integers (`graph.labels`), unless `keep_text`.
    """
    import polars as pl

    n_edges = len(columns[0])
    if not keep_text and any(column.dtype.is_integer() for column in columns):  # then the others may be too
        integers = [_as_integers(column) for column in columns]
        found_all = [column for column in integers if column is not None]
        if len(found_all) == len(columns):
            numbers, values = number_integers([part.to_numpy() for column in found_all for part in column.get_chunks()])
            return *_ends(numbers, n_edges), len(values), integer_labels(values)
    codes, names = _number_text(pl.concat([column.cast(pl.String) for column in columns], rechunk=False))
    found = None if keep_text else _as_integers(names)
    if found is None:
        order = names.arg_sort().to_numpy()
        rank, n_people = _ranks(order), len(order)
        labels: Labels = text_labels(names.gather(order).to_list())
    else:
        values, ranks = np.unique(found.to_numpy(), return_inverse=True)
        rank, n_people = ranks.astype(np.int32), len(values)
        labels = integer_labels(values)
    return *_ends(rank[codes], n_edges), n_people, labels


def number_integers(parts: Sequence[Integers]) -> tuple[SmallIntegers, Integers]:
    """For every value in turn its rank among the distinct values of all parts, and these values, rising.

    Values in a moderate range go through a table with one entry per possible value, all others through a hash table,
    so that an id of 10^18, or one below 0, costs no more than an id of 10.
    """
    size = sum(map(len, parts))
    largest = max((int(part.max()) for part in parts if len(part)), default=-1)
    if largest >= 4 * size + 2**20 or any(int(part.min()) < 0 for part in parts if len(part)):
        values = np.concatenate(parts)
        codes, first = _first_sights(values)
        distinct = values[first]
        order = np.argsort(distinct)
        return _ranks(order)[codes], distinct[order]
    present = np.zeros(largest + 1, dtype=np.uint8)
    for part in parts:
        present[part] = 1
    rank = np.cumsum(present, dtype=np.int32) - np.int32(1)
    numbers = np.empty(size, dtype=np.int32)
    begin = 0
    for part in parts:
        np.take(rank, part, out=numbers[begin : begin + len(part)], mode="clip")  # "raise" writes through a buffer
        begin += len(part)
    return numbers, np.flatnonzero(present)


@kernel
def _first_sights(values: Integers) -> tuple[SmallIntegers, Integers]:
    """For every value its number in order of first sight, and where each number was first seen."""
    codes = np.empty(len(values), dtype=np.int32)
    first = np.empty(len(values), dtype=np.int64)
    known = {np.int64(0): np.int32(0)}  # numba takes the types from an entry
    known.clear()
    for i in range(len(values)):
        code = known.get(values[i], np.int32(-1))
        if code < 0:
            code = np.int32(len(known))
            known[values[i]] = code
            first[code] = i
        codes[i] = code
    return codes, first[: len(known)].copy()


def _number_text(names: pl.Series) -> tuple[SmallIntegers, pl.Series]:
    """For every name a number, and the distinct names in the order of these numbers.

    Names are distinguished by a 64-bit hash with a random seed. Then each is compared with the first of its number: if
    two names share a hash after all, another seed is drawn.
    """
    while True:
        hashes = names.hash(secrets.randbits(64)).to_numpy().view(np.int64)
        codes, first = _first_sights(hashes)
        candidates = names.gather(first)
        if all(
            (candidates.gather(codes[i : i + BLOCK]) == names[i : i + BLOCK]).all() for i in range(0, len(names), BLOCK)
        ):
            return codes, candidates


def _ranks(order: Integers) -> SmallIntegers:
    """The inverse of a permutation: the rank of each value, given the positions of the values in rising order."""
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _ends(numbers: SmallIntegers, n_edges: int) -> tuple[SmallIntegers, SmallIntegers]:
    """The numbers of sources and of targets, which stand one after the other."""
    return numbers[:n_edges], numbers[n_edges : 2 * n_edges]


def _as_integers(names: pl.Series) -> pl.Series | None:
    """The names as numbers from 0 to 2^63 - 1, or None if some name does not spell one plainly."""
    import polars as pl

    numbers = names.cast(pl.Int64, strict=False)
    if numbers.null_count() or (len(numbers) and numbers.min() < 0):  # type: ignore[operator]
        return None
    if names.dtype == pl.String and not names.str.contains(f"^(?:{PLAIN_INTEGER.pattern})$").all():
        return None
    return numbers
