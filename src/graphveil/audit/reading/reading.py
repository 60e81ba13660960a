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

Where outputs hold several kinds of things, records, or rows of more than numbers, each part is read as if it were all
there is, and put back in its place; where an output has no such part, its columns are missing (NaN). A part in which no
two values are alike can teach nothing and is left out.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from numbers import Number
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats
from graphveil.audit.reading.numbers import numeric_rows, read_numbers, read_ragged, varying
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.interop import from_networkx

Named: TypeAlias = tuple[list[str], Floats]
Read: TypeAlias = Callable[[Sequence[Any]], Named]
Features: TypeAlias = Callable[[Sequence[Any]], ArrayLike]

MAX_COLUMNS = 2_000
MAX_ELEMENTS = 256
MANY = 100  # outputs of which at least two should be alike
MAX_PAIR_NODES = 40  # graphs with more nodes are read by their counts alone


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


@dataclass(frozen=True, slots=True)
class Reading:
    """Outputs as rows of numbers; `names` says what each column is."""

    names: tuple[str, ...]
    columns: Floats


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


def _read(outputs: Any) -> tuple[list[str], Floats]:
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


def _read_plain(outputs: Any) -> tuple[list[str], Floats]:
    """Numbers, rows of them, rows of anything, or values that can only be told apart."""
    rows = numeric_rows(outputs)
    if rows is not None:
        return read_numbers(rows)
    if all(isinstance(output, (tuple, list, np.ndarray)) for output in outputs):
        with contextlib.suppress(TypeError, ValueError):  # entries that are not numbers
            return read_ragged(outputs)
        return read_records([{"length": len(output), **dict(enumerate(output))} for output in outputs], _read)
    return read_categories(outputs)


def _read_features(outputs: Sequence[Any], features: Features) -> tuple[list[str], Floats]:
    try:
        rows = np.asarray(features(outputs), dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("`features` must turn a list of outputs into rows of numbers, one for each") from None
    if rows.ndim == 0 or len(rows) != len(outputs):
        raise ParameterError(f"`features` gave {rows.size} rows for {len(outputs)} outputs; it must give one for each")
    columns = rows.reshape(len(rows), -1)
    return [f"feature {j}" for j in range(columns.shape[1])], columns


def read_sets(outputs: Sequence[AbstractSet[Any]]) -> tuple[list[str], Floats]:
    """One bit for each of the commonest elements, the size, and how many elements were not among those."""
    counts = Counter(element for output in outputs for element in output)
    elements = sorted((element for element, _ in counts.most_common(MAX_ELEMENTS)), key=repr)
    place = {element: j for j, element in enumerate(elements)}
    columns = np.zeros((len(outputs), len(elements) + 2))
    for i, output in enumerate(outputs):
        known = [place[element] for element in output if element in place]
        columns[i, known] = 1
        columns[i, -2:] = len(output), len(output) - len(known)
    names = [f"whether it contains {element!r}" for element in elements]
    return [*names, "the number of elements", "the number of rare elements"], columns


def read_networkx(outputs: Sequence[Any]) -> tuple[list[str], Floats]:
    """Graphs of networkx, ours perhaps among them: what is read of ours, and by name everything they publish."""
    names, columns = read_graphs([one if isinstance(one, Graph) else from_networkx(one) for one in outputs])
    parts, more = read_sets([_published(output) for output in outputs])
    return [*names, *parts], np.hstack((columns, more))


def _published(graph: Any) -> set[str]:
    """People and edges as words, with direction, attributes and how often an edge occurs."""
    if isinstance(graph, Graph):
        return {f"edge {u} {v}, 1 times" for u, v in graph.edges().tolist()}
    edges: Counter[str] = Counter()
    for u, v, data in graph.edges(data=True):
        ends = (u, v) if graph.is_directed() else sorted((u, v), key=repr)
        edges[" ".join(map(repr, (*ends, *sorted(data.items(), key=repr))))] += 1
    people = {" ".join(map(repr, (node, *sorted(data.items(), key=repr)))) for node, data in graph.nodes(data=True)}
    return {f"person {person}" for person in people} | {f"edge {edge}, {count} times" for edge, count in edges.items()}


def read_graphs(outputs: Sequence[Graph]) -> tuple[list[str], Floats]:
    """One bit a pair of nodes (of small graphs), the degrees in falling order, the numbers of nodes and edges."""
    n_nodes = max(graph.n_nodes for graph in outputs)
    pairs = np.triu_indices(n_nodes if n_nodes <= MAX_PAIR_NODES else 0, 1)
    n_pairs = len(pairs[0])
    ranks = min(n_nodes, MAX_ELEMENTS)
    columns = np.zeros((len(outputs), n_pairs + ranks + 2))
    for i, graph in enumerate(outputs):
        if n_pairs:
            u, v = graph.edges().T
            columns[i, u * n_nodes - u * (u + 1) // 2 + v - u - 1] = 1
        degrees = np.sort(graph.degrees)[::-1][:ranks]
        columns[i, n_pairs : n_pairs + len(degrees)] = degrees
        columns[i, -2:] = graph.n_nodes, graph.n_edges
    names = [f"edge {u}-{v}" for u, v in zip(*pairs, strict=True)] + [f"degree of rank {j}" for j in range(ranks)]
    return [*names, "the number of nodes", "the number of edges"], columns


def read_categories(outputs: Sequence[Any]) -> tuple[list[str], Floats]:
    """Outputs that can only be told apart, numbered by how often they came up; nothing where no two are alike."""
    texts = [repr(output) for output in outputs]
    if len(set(texts)) == len(texts) >= MANY:
        return [], np.empty((len(texts), 0))
    place = {text: float(i) for i, (text, _) in enumerate(Counter(texts).most_common())}
    return ["the output"], np.array([place[text] for text in texts])[:, None]
