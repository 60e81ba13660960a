"""How outputs of any kind become rows of numbers, without knowing which input they came from.

Numbers and arrays keep their entries; sets turn into one bit an element; graphs (also networkx) into one bit a pair and
a few counts; rows of unequal length are padded; records and rows of mixed entries are read entry by entry; outputs of
several kinds are read kind by kind; anything else is a category. Where noise may leave a trace that the
plain entries hide, derived columns are added: the lowest set bit of a floating-point number (Mironov 2012), differences
of entries (noise used twice), sums.

All outputs of a pair of inputs are read in one call, without their labels and in shuffled order (but for rows of
numbers, which are read the same in any order); a user's own `features` are called the same way. A featuriser that knew
the input would make the auditor see leaks where there are none, so it cannot be written. What the reading learns from
the unlabelled outputs does no harm to the bound: given all outputs, the label of each still follows its own output
alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from graphveil.audit.engine.binning import Columns
from graphveil.audit.reading.mixed import kind_of, read_kinds, read_records
from graphveil.audit.reading.numbers import numeric_rows, read_numbers, read_ragged, varying
from graphveil.audit.reading.objects import read_categories, read_graphs, read_networkx, read_sets
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

Features: TypeAlias = Callable[[Sequence[Any]], ArrayLike]

MAX_COLUMNS = 2_000


@dataclass(frozen=True, slots=True)
class Reading:
    """Outputs as rows of numbers; `names` says what each column is."""

    names: tuple[str, ...]
    columns: Columns


def read_outputs(outputs: Any, features: Features | None = None) -> Reading:
    """One row for every output."""
    names, columns = _read(outputs) if features is None else _read_features(outputs, features)
    if not names:
        kind = type(outputs[0]).__name__
        raise ParameterError(
            f"no two of {len(outputs)} outputs of type {kind} are alike, so nothing can be learned from them: return "
            "numbers, arrays, sets, dicts or a graphveil Graph, or give `features` that turn outputs into numbers"
        )
    kept = np.flatnonzero(varying(columns))
    names, columns = [names[j] for j in kept], columns[:, kept]
    if columns.shape[1] > MAX_COLUMNS:
        raise ParameterError(
            f"an output has {columns.shape[1]} numbers, at most {MAX_COLUMNS} are read: give `features` that pick some"
        )
    return Reading(tuple(names), columns)


def _read(outputs: Any) -> tuple[list[str], Columns]:
    if isinstance(outputs, np.ndarray) and outputs.dtype.kind != "O":
        return _read_plain(outputs)
    kinds = [kind_of(output) for output in outputs]
    if len(set(kinds)) > 1:
        return read_kinds(outputs, kinds, _read)
    if kinds[0] == "graph":
        ours = all(isinstance(output, Graph) for output in outputs)
        return read_graphs(outputs) if ours else read_networkx(outputs)
    if kinds[0] == "set":
        return read_sets(outputs)
    if kinds[0] == "record":
        return read_records(outputs, _read)
    return _read_plain(outputs)


def _read_plain(outputs: Any) -> tuple[list[str], Columns]:
    """Numbers, rows of them, rows of anything, or values that can only be told apart."""
    rows = numeric_rows(outputs)
    if rows is not None:
        return read_numbers(rows)
    if all(isinstance(output, (tuple, list, np.ndarray)) for output in outputs):
        with contextlib.suppress(TypeError, ValueError):  # entries that are not numbers
            return read_ragged(outputs)
        return read_records([{"length": len(output), **dict(enumerate(output))} for output in outputs], _read)
    return read_categories(outputs)


def _read_features(outputs: Sequence[Any], features: Features) -> tuple[list[str], Columns]:
    try:
        rows = np.asarray(features(outputs), dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("`features` must turn a list of outputs into rows of numbers, one for each") from None
    if rows.ndim == 0 or len(rows) != len(outputs):
        raise ParameterError(f"`features` gave {rows.size} rows for {len(outputs)} outputs; it must give one for each")
    columns = rows.reshape(len(rows), -1)
    return [f"feature {j}" for j in range(columns.shape[1])], columns
