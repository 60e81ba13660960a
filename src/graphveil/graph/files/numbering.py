"""Numbers in place of names: everybody is numbered in rising order of their name.

Text is first replaced by numbers in order of first sight, so that whether a name is an integer, and which comes first,
is decided once per person and not once per line.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers, SmallIntegers
from graphveil.errors import GraphFormatError
from graphveil.graph.labels import Labels, fault_of_integer, integer_labels, text_labels

if TYPE_CHECKING:
    import polars as pl

BLOCK = 2**20  # names compared at a time
Place = Callable[[int], str]


def number_people(
    columns: tuple[pl.Series, pl.Series, pl.Series], place: Place, *, keep_text: bool = False
) -> tuple[AnyIntegers, AnyIntegers, int, Labels]:
    """Numbers in place of the names at both ends of edges, how many people there are, and their labels.

    `columns` are the sources, the targets and the people without edges. Labels are integers if all names are, unless
    `keep_text`. `place(row)` says where an edge stands, or after the last edge a person without edges, for messages.
    """
    import polars as pl

    n_edges = len(columns[0])
    if not keep_text and any(column.dtype.is_integer() for column in columns):  # then the others may be too
        integers = [column.cast(pl.Int64, strict=False) for column in columns]
        if not any(column.null_count() for column in integers):
            if any(len(column) and column.min() < 0 for column in integers):  # type: ignore[operator]
                _refuse_first([(column < 0).to_numpy() for column in integers], lambda *_: "-1", place)
            numbers, values = number_integers([part.to_numpy() for column in integers for part in column.get_chunks()])
            return *_ends(numbers, n_edges), len(values), integer_labels(values)
    codes, names = _number_text(pl.concat([column.cast(pl.String) for column in columns], rechunk=False))
    found = None if keep_text else _as_integers(names, np.split(codes, [n_edges, 2 * n_edges]), place)
    if found is None:
        order = names.arg_sort().to_numpy()
        rank, n_people = _ranks(order), len(order)
        labels: Labels = text_labels(names.gather(order).to_list())
    else:
        values, ranks = np.unique(found, return_inverse=True)
        rank, n_people = ranks.astype(np.int32), len(values)
        labels = integer_labels(values)
    return *_ends(rank[codes], n_edges), n_people, labels


def number_integers(parts: Sequence[Integers]) -> tuple[SmallIntegers, Integers]:
    """For every value in turn its rank among the distinct values of all parts, and these values, rising.

    Values in a moderate range go through a table with one entry per possible value, all others through a hash table,
    so that an id of 10^18 costs no more than an id of 10.
    """
    size = sum(map(len, parts))
    largest = max((int(part.max()) for part in parts if len(part)), default=-1)
    if largest >= 4 * size + 2**20:
        codes, distinct = _number_by_hash(parts)
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


def _number_by_hash(parts: Sequence[Integers]) -> tuple[SmallIntegers, Integers]:
    """For every value its number in order of first sight, and the distinct values in this order."""
    import pyarrow as pa

    encoded = pa.chunked_array([pa.array(part) for part in parts], pa.int64()).dictionary_encode().combine_chunks()
    return encoded.indices.to_numpy(), encoded.dictionary.to_numpy()


def _number_text(names: pl.Series) -> tuple[SmallIntegers, pl.Series]:
    """For every name a number, and the distinct names in the order of these numbers.

    Names are distinguished by a 64-bit hash with a random seed. Then each is compared with the first of its number: if
    two names share a hash after all, another seed is drawn.
    """
    while True:
        hashes = names.hash(secrets.randbits(64)).to_numpy().view(np.int64)
        codes, distinct = _number_by_hash([hashes])
        first = np.empty(len(distinct), dtype=np.int64)
        first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last to be written is the first of its number
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


def _as_integers(names: pl.Series, codes: Sequence[SmallIntegers], place: Place) -> Integers | None:
    """The names as integers, or None if some name does not spell one."""
    import polars as pl

    numbers = names.cast(pl.Int64, strict=False)
    if numbers.null_count() and not names.str.contains("^[+-]?[0-9]+$").all():
        return None
    wrong = (numbers.is_null() | (numbers < 0).fill_null(value=False)).to_numpy()
    if wrong.any():
        _refuse_first([wrong[code] for code in codes], lambda column, row: names[int(codes[column][row])], place)
    return numbers.to_numpy()


def _refuse_first(wrong: Sequence[Bits], name: Callable[[int, int], str], place: Place) -> None:
    """Refuse the first edge, or the first person without edges, whose name cannot be a label."""
    firsts = [(column == 2, int(np.argmax(rows)), column) for column, rows in enumerate(wrong) if rows.any()]
    after_edges, row, column = min(firsts)
    raise GraphFormatError(f"{place(row + after_edges * len(wrong[0]))}: {fault_of_integer(name(column, row))}")
