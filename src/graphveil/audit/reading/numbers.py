"""Reading outputs that are numbers, or rows of numbers."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Bits, Floats

MAX_DIFFERENCES = 6  # entries between which all differences are taken
MAX_LOW_BITS = 24
MAX_WIDTH = 256  # of rows of unequal length
EXACT = 2**53  # whole numbers up to here are exact as floats


def numeric_rows(outputs: Sequence[Any] | AnyArray) -> AnyArray | None:
    """Outputs as a matrix of numbers, one row each, or None if they are not that."""
    try:
        array = np.asarray(outputs)
        rows = array.reshape(len(array), -1) if array.size else np.zeros((len(array), 1))
        if array.dtype.kind == "c":
            return np.hstack((rows.real, rows.imag))
        if array.dtype.kind not in "biufO":
            return None
        return _from_the_least(rows) if array.dtype.kind in "iuO" else rows
    except (TypeError, ValueError):
        return None


def _from_the_least(rows: AnyArray) -> AnyArray:
    """Whole numbers too large for a float to tell apart are counted from the least of their column."""
    least, most = rows.min(axis=0).astype(object), rows.max(axis=0).astype(object)
    far = np.maximum(abs(least), abs(most)) > EXACT
    if far.any():
        rows = np.where(far, rows.astype(object) - least, rows)
    return rows.astype(np.float64) if rows.dtype.kind == "O" else rows


def varying(columns: AnyArray) -> Bits:
    """Which columns hold more than one value (missing entries count as one); the first where none does."""
    varies = np.array([not _is_constant(columns[:, j]) for j in range(columns.shape[1])], dtype=np.bool_)
    varies[:1] |= not varies.any()
    return varies


def _is_constant(column: AnyArray) -> bool:
    first = column[0]
    return bool((np.isnan(column) if first != first else column == first).all())


def _without_repeats(columns: AnyArray) -> list[int]:
    """The columns that vary and repeat no earlier one, as the leading bits of numbers do."""
    seen: dict[int, list[AnyArray]] = {}
    kept = []
    for j in np.flatnonzero(varying(columns)).tolist():
        column = np.ascontiguousarray(columns[:, j])
        alike = seen.setdefault(zlib.crc32(column.tobytes()), [])
        if not any(np.array_equal(column, one, equal_nan=True) for one in alike):
            alike.append(column)
            kept.append(j)
    return kept


def read_numbers(rows: AnyArray) -> tuple[list[str], Floats]:
    """The entries that tell something, their lowest set bits, differences and sum; columns lie in one piece."""
    kept = _without_repeats(rows)
    names = ["the value"] if rows.shape[1] == 1 else [f"entry {j}" for j in kept]
    entries = np.array(rows[:, kept], dtype=np.float64, order="F")
    width = len(names)
    parts, derived = [entries], []
    if rows.dtype.kind == "f":
        fractional = [bool((np.isfinite(column) & (column != np.rint(column))).any()) for column in entries.T]
        low_bits = np.flatnonzero(fractional)[:MAX_LOW_BITS]
        parts.append(lowest_set_bit(entries[:, low_bits]))
        derived += [f"the lowest set bit of {names[j]}" for j in low_bits]
    with np.errstate(invalid="ignore"):  # infinite entries have no difference and no sum
        if 1 < width <= MAX_DIFFERENCES:
            earlier, later = np.triu_indices(width, 1)
            parts.append(entries[:, later] - entries[:, earlier])
            derived += [f"{names[j]} minus {names[i]}" for i, j in zip(earlier, later, strict=True)]
        if width > 1:
            parts.append(entries.sum(axis=1, keepdims=True))
            derived.append("the sum of the entries")
    return names + derived, np.asfortranarray(np.concatenate(parts, axis=1))


def lowest_set_bit(values: Floats) -> Floats:
    """Exponent of the lowest bit of every number; 0 and what is not finite count as 2^2000.

    >>> lowest_set_bit(np.array([1.0, 6.0, 0.375, 0.0])).tolist()
    [0.0, 1.0, -3.0, 2000.0]
    """
    usable = np.isfinite(values) & (values != 0)
    fraction, exponent = np.frexp(np.abs(np.where(usable, values, 1.0)))
    whole = (fraction * 2.0**53).astype(np.int64)
    lowest = np.log2((whole & -whole).astype(np.float64)) + exponent - 53
    return np.where(usable, lowest, 2000.0)


def read_ragged(outputs: Sequence[Any]) -> tuple[list[str], Floats]:
    """Rows of unequal length: their length, then their entries, padded with what counts as missing."""
    width = min(max(len(output) for output in outputs), MAX_WIDTH)
    columns = np.full((len(outputs), width + 1), np.nan)
    for i, output in enumerate(outputs):
        kept = output[:width]
        columns[i, 0] = len(output)
        columns[i, 1 : 1 + len(kept)] = kept
    return ["the length", *(f"entry {j}" for j in range(width))], columns
