"""From names on lines to people: everybody is numbered in rising order of their name.

Text is first interned, so that all thinking about names (is it an integer, which comes first) is done once per person
and not once per line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphFormatError
from graphveil.graph.files.content import IntArray
from graphveil.graph.files.digits import Integers
from graphveil.graph.files.integers import Chunks, number_integers, translate
from graphveil.graph.files.names import Names, intern, names_of, series_of
from graphveil.graph.files.sorting import sorted_order
from graphveil.graph.labels import Labels, fault_of_integer, integer_labels, text_labels

if TYPE_CHECKING:
    import polars as pl

Edges: TypeAlias = "Integers | Sequence[pl.Series] | Sequence[Names]"  # both ends; the latter in turn, in pieces
Place = Callable[[int], str]


def number_people(
    edges: Edges, alone: pl.Series | None, place: Place, *, keep_text: bool = False
) -> tuple[IntArray, IntArray, int, Labels]:
    """Numbers in place of the names at both ends of edges, how many people there are, and their labels.

    `alone` lists people without edges. Labels are integers if all names are, unless `keep_text`. `place(row)` says
    where an edge stands, for messages.
    """
    if isinstance(edges, Integers):
        if alone is None and not keep_text:
            return _number_chunks([*edges, []])
        edges = _series(edges)
    import polars as pl

    alone = pl.Series([], dtype=pl.String) if alone is None else alone
    columns = [column for column in (*edges, alone) if isinstance(column, pl.Series)]
    if not keep_text and any(column.dtype.is_integer() for column in columns):  # then the others may be too
        numeric = [column.cast(pl.Int64, strict=False) for column in columns]
        if not any(column.null_count() for column in numeric):
            return _number_integers(numeric, place)
    codes, names = _intern(edges, alone)
    distinct = series_of(names)
    integers = None if keep_text else _as_integers(distinct, codes, place)
    if integers is None:
        order = sorted_order(names, distinct)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        labels: Labels = text_labels(distinct.gather(order).to_list())
    else:
        numbers, ranks = np.unique(integers, return_inverse=True)
        rank = ranks.astype(np.int32)
        labels = integer_labels(numbers)
    u, v, _ = codes
    translate(u, rank)
    translate(v, rank)
    return u, v, int(rank.max(initial=-1)) + 1, labels


def _series(edges: Integers) -> list[pl.Series]:
    import polars as pl

    return [pl.Series(np.concatenate(column)) for column in edges]


def _intern(edges: Sequence[pl.Series] | Sequence[Names], alone: pl.Series) -> tuple[list[IntArray], Names]:
    """Numbers of sources, targets and people without edges, and the names with these numbers."""
    import polars as pl

    pieces = [names_of(piece.cast(pl.String)) if isinstance(piece, pl.Series) else piece for piece in (*edges, alone)]
    (*ends, others), names = intern(pieces)
    if not isinstance(edges[0], pl.Series):
        ends = [np.concatenate([piece[end::2] for piece in ends]) for end in (0, 1)]
    return [*ends, others], names


def _number_integers(columns: Sequence[pl.Series], place: Place) -> tuple[IntArray, IntArray, int, Labels]:
    if any(len(column) and int(column.min()) < 0 for column in columns):  # type: ignore[arg-type]
        negative = [(column < 0).to_numpy() for column in columns]
        _refuse_first(negative, lambda row, column: str(columns[column][row]), place)
    return _number_chunks([[chunk.to_numpy() for chunk in column.get_chunks()] for column in columns])


def _number_chunks(columns: Sequence[Chunks]) -> tuple[IntArray, IntArray, int, Labels]:
    (u, v, _), names = number_integers(columns)
    return u, v, len(names), integer_labels(names)


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
