"""Reading outputs made of different things: several kinds in turn, records, rows that hold more than numbers.

Each part is read as if it were all there is, and put back in its place; where an output has no such part, its columns
are missing (NaN). A part in which no two values are alike tells nothing and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from numbers import Number
from typing import Any, TypeAlias

import numpy as np

from graphveil.audit.engine.binning import Columns
from graphveil.graph.core import Graph

Named: TypeAlias = tuple[list[str], Columns]
Read: TypeAlias = Callable[[Sequence[Any]], Named]


def kind_of(output: Any) -> str:
    """What an output is read as."""
    if isinstance(output, Graph) or (hasattr(output, "nodes") and hasattr(output, "edges")):
        return "graph"
    if isinstance(output, (Number, Decimal, np.generic)) and not isinstance(output, (np.str_, np.bytes_)):
        return "number"
    for kind, types in (("set", AbstractSet), ("record", Mapping), ("row", (tuple, list, np.ndarray))):
        if isinstance(output, types):
            return kind
    return type(output).__name__


def read_kinds(outputs: Sequence[Any], kinds: Sequence[str], read: Read) -> Named:
    """Outputs of several kinds: which kind, then those of each kind apart."""
    present = sorted(set(kinds))
    names, parts = ["the kind of output"], [np.array([float(present.index(kind)) for kind in kinds])[:, None]]
    for kind in present:
        mine = [i for i, other in enumerate(kinds) if other == kind]
        part_names, columns = read([outputs[i] for i in mine])
        spread = np.full((len(outputs), columns.shape[1]), np.nan)
        spread[mine] = columns
        names += [f"{name} of a {kind}" for name in part_names]
        parts.append(spread)
    return names, np.hstack(parts)


def read_records(outputs: Sequence[Mapping[Any, Any]], read: Read) -> Named:
    """Records: entry by entry, a missing one counting as a value of its own."""
    keys = sorted({key for output in outputs for key in output}, key=repr)
    names, parts = [], [np.empty((len(outputs), 0))]
    for key in keys:
        part_names, columns = read([output.get(key) for output in outputs])
        names += [f"{key!r}: {name}" for name in part_names]
        parts.append(columns)
    return names, np.hstack(parts)
