"""The order of many names, by the eight bytes that follow what all of them begin with.

Where these differ, their order as integers is that of the names, code point by code point; only names that agree in
them are compared as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.files.names import Names
from graphveil.kernels import kernel

if TYPE_CHECKING:
    import polars as pl

U = np.uint64


def sorted_order(names: Names, column: pl.Series) -> NDArray[np.int64]:
    """Positions of distinct names in rising order; `column` holds the same names."""
    keys = _keys(*names, _common_length(*names))
    order = np.argsort(keys)
    ordered = keys[order]
    same = ordered[1:] == ordered[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):  # all of them at once: names of other groups stand apart anyway
        order[tied] = order[tied][column.gather(order[tied]).arg_sort().to_numpy()]
    return order


@kernel
def _common_length(text: Any, starts: Any, ends: Any) -> Any:
    """How many bytes all names have in common at their beginning."""
    if len(starts) == 0:
        return 0
    length = ends[0] - starts[0]
    for i in range(1, len(starts)):
        length = min(length, ends[i] - starts[i])
        for k in range(length):
            if text[starts[i] + k] != text[starts[0] + k]:
                length = k
                break
    return length


@kernel
def _keys(text: Any, starts: Any, ends: Any, skip: Any) -> Any:
    keys = np.empty(len(starts), dtype=np.uint64)
    for i in range(len(starts)):
        key = U(0)
        for k in range(8):
            at = starts[i] + skip + k
            key = key << U(8) | (U(text[at]) if at < ends[i] else U(0))
        keys[i] = key
    return keys
