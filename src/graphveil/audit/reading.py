"""How outputs of any kind become rows of numbers, without knowing which input they came from.

Numbers and arrays keep their entries; sets turn into one bit an element; graphs (also networkx) into one bit a pair and
a few counts; rows of unequal length are padded; anything else is a category. Where noise may leave a trace that the
plain entries hide, derived columns are added: the lowest set bit of a floating-point number (Mironov 2012), differences
of entries (noise used twice), sums.

All outputs of a pair of inputs are read in one call, in shuffled order and without their labels; a user's own
`features` are called the same way. A featuriser that knew the input would make the auditor see leaks where there are
none, so it cannot be written. What the reading learns from the unlabelled outputs does no harm to the bound: given all
outputs, the label of each still follows its own output alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from graphveil.audit.binning import Columns
from graphveil.audit.reading_numbers import numeric_rows, read_numbers, read_ragged, varying
from graphveil.audit.reading_objects import read_categories, read_graphs, read_sets
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.interop import from_networkx

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
    kept = np.flatnonzero(varying(columns))
    names, columns = [names[j] for j in kept], columns[:, kept]
    if columns.shape[1] > MAX_COLUMNS:
        raise ParameterError(
            f"an output has {columns.shape[1]} numbers, at most {MAX_COLUMNS} are read: give `features` that pick some"
        )
    return Reading(tuple(names), columns)


def _read(outputs: Any) -> tuple[list[str], Columns]:
    if not isinstance(outputs, np.ndarray):
        if all(isinstance(output, Graph) for output in outputs):
            return read_graphs(outputs)
        if all(hasattr(output, "nodes") and hasattr(output, "edges") for output in outputs):
            return read_graphs([from_networkx(output) for output in outputs])
        if all(isinstance(output, AbstractSet) for output in outputs):
            return read_sets(outputs)
    rows = numeric_rows(outputs)
    if rows is not None:
        return read_numbers(rows)
    if all(isinstance(output, (tuple, list, np.ndarray)) for output in outputs):
        with contextlib.suppress(TypeError, ValueError):  # entries that are not numbers
            return read_ragged(outputs)
    return read_categories(outputs)


def _read_features(outputs: Sequence[Any], features: Features) -> tuple[list[str], Columns]:
    rows = np.asarray(features(outputs), dtype=np.float64)
    if rows.ndim == 0 or len(rows) != len(outputs):
        raise ParameterError(f"`features` gave {rows.size} rows for {len(outputs)} outputs; it must give one for each")
    columns = rows.reshape(len(rows), -1)
    return [f"feature {j}" for j in range(columns.shape[1])], columns
