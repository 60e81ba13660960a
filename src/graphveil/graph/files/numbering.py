"""From names on lines to people: everybody is numbered in rising order of their name.

Text is first interned, so that all thinking about names (is it an integer, which comes first) is done once per person
and not once per line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphFormatError
from graphveil.graph.files.content import IntArray
from graphveil.graph.files.integers import number_by_hash, number_integers, translate
from graphveil.graph.labels import Labels, fault_of_integer, integer_labels, text_labels

if TYPE_CHECKING:
    import polars as pl

Place = Callable[[int], str]


def number_people(
    columns: Sequence[pl.Series], place: Place, *, keep_text: bool = False
) -> tuple[list[IntArray], int, Labels]:
    """Numbers in place of the names in some columns, how many people there are, and their labels.

    Labels are integers if all names are, unless `keep_text`. `place(row)` says where a row stands, for messages.
    """
    import polars as pl

    if not keep_text and any(column.dtype.is_integer() for column in columns):  # then the others may be too
        numeric = [column.cast(pl.Int64, strict=False) for column in columns]
        if not any(column.null_count() for column in numeric):
            return _number_integers(numeric, place)
    codes, distinct = intern([column.cast(pl.String) for column in columns])
    integers = None if keep_text else _as_integers(distinct, codes, place)
    if integers is None:
        order = distinct.arg_sort()
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        labels: Labels = text_labels(distinct.gather(order).to_list())
    else:
        numbers, ranks = np.unique(integers, return_inverse=True)
        rank = ranks.astype(np.int32)
        labels = integer_labels(numbers)
    for code in codes:
        translate(code, rank)
    return codes, int(rank.max(initial=-1)) + 1, labels


def _number_integers(columns: Sequence[pl.Series], place: Place) -> tuple[list[IntArray], int, Labels]:
    if any(len(column) and int(column.min()) < 0 for column in columns):  # type: ignore[arg-type]
        negative = [(column < 0).to_numpy() for column in columns]
        _refuse_first(negative, lambda row, column: str(columns[column][row]), place)
    numbers, names = number_integers([[chunk.to_numpy() for chunk in column.get_chunks()] for column in columns])
    return numbers, len(names), integer_labels(names)


def intern(columns: Sequence[pl.Series]) -> tuple[list[IntArray], pl.Series]:
    """Positions in a list of the distinct names in place of the names, and this list, in no special order.

    Names are told apart by a 64-bit hash, which is several times faster than by themselves; if two names ever share
    one, comparing the outcome with the input shows it.
    """
    import polars as pl

    hashes = [[chunk.hash().to_numpy().view(np.int64) for chunk in column.get_chunks()] for column in columns]
    codes, distinct_hashes = number_by_hash(hashes)
    everywhere = np.concatenate(codes)
    an_occurrence = np.empty(len(distinct_hashes), dtype=np.int64)
    an_occurrence[everywhere] = np.arange(len(everywhere))
    names = pl.concat(list(columns)).gather(an_occurrence)
    if all((names.gather(code) == column).all() for code, column in zip(codes, columns, strict=True)):
        return codes, names
    names = pl.concat(list(columns)).unique()
    return [column.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int32) for column in columns], names


def _as_integers(names: pl.Series, codes: list[IntArray], place: Place) -> NDArray[np.int64] | None:
    """The names as integers, or None if some name is none."""
    import polars as pl

    numbers = names.cast(pl.Int64, strict=False)
    if numbers.null_count() and not names.str.contains("^[+-]?[0-9]+$").all():
        return None
    wrong = (numbers.is_null() | (numbers < 0).fill_null(value=False)).to_numpy()
    if wrong.any():
        _refuse_first([wrong[code] for code in codes], lambda row, column: names[int(codes[column][row])], place)
    return numbers.to_numpy()


def _refuse_first(wrong: Sequence[NDArray[np.bool_]], name: Callable[[int, int], str], place: Place) -> None:
    """Refuse the first row with a wrong name in some column."""
    firsts = [(int(np.argmax(rows)), column) for column, rows in enumerate(wrong) if rows.any()]
    if firsts:
        row, column = min(firsts)
        raise GraphFormatError(f"{place(row)}: {fault_of_integer(name(row, column))}")
