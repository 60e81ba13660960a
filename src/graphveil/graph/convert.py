"""Any graph in: a file, a graph of networkx or igraph, a sparse matrix, a table of edges, or pairs of names.

>>> friends = as_graph([("ann", "bob"), ("bob", "cem"), ("bob", "ann")])
>>> friends, friends.labels.tolist()
(Graph(n_nodes=3, n_edges=2), ['ann', 'bob', 'cem'])
>>> friends.reading.lines, friends.reading.repeated_edges
(3, 1)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.files.content import Content
from graphveil.graph.files.fold import Kept, fold
from graphveil.graph.files.layout import chosen_column, chosen_columns, named_columns, numbered_columns
from graphveil.graph.files.numbering import number_people
from graphveil.graph.files.people import enrol, read_people
from graphveil.graph.files.read import NOT_BOTH, read_graph
from graphveil.graph.files.remark import NAME
from graphveil.graph.files.table import content_of_table
from graphveil.graph.files.weights import whole_weights
from graphveil.graph.interop import NO_DIRECTIONS, Weighted, from_igraph, from_networkx, from_scipy
from graphveil.graph.weighted import WeightedGraph

NO_WEIGHTS = (
    "this graph has no weights to keep: take them where it is made, with weighted= of a file, a table with a column of "
    "weights, a graph of networkx or igraph, or a sparse matrix"
)
PathLike = str | os.PathLike[str]
ACCEPTED = (
    "a path to a graph file, a graphveil Graph, a networkx or igraph graph, a scipy sparse matrix, a pandas, polars or "
    "pyarrow table with two columns of ids, or pairs of ids (numpy array, list)"
)


def as_graph(
    source: Any,
    *,
    people: PathLike | Iterable[int | str] | None = None,
    columns: Sequence[str | int] | None = None,
    directed: bool = False,
    weighted: Weighted = None,
) -> Graph:
    """The graph that a file or an object of another library holds; a `Graph` is returned as it is.

    `people` lists everybody, also those without edges, by the names that edges use; node privacy needs it. `columns`
    are the two of a table that hold the ends of edges, by name or by place counted from 1. Ids are integers or text, of
    any size. Repeats, self-loops and directions are dropped, but `directed` keeps directions: the first of a pair
    points at the second (a `DirectedGraph`), and `weighted` keeps weights (a `WeightedGraph`): it is the column of a
    file or a table that holds them, by name or by place, or the attribute of edges in networkx and igraph. True is the
    attribute `weight` there, and the entries of a sparse matrix. `graph.reading` says what was read.
    """
    if directed and weighted:
        raise ParameterError(NOT_BOTH)
    if isinstance(source, str | os.PathLike):
        return read_graph(source, people=people, columns=columns, directed=directed, weighted=_column_of(weighted))
    if columns is not None and not _is_table(source):
        raise ParameterError(f"columns= is for files and tables of edges, not for {_name(source)}")
    if isinstance(source, Graph) and directed and not isinstance(source, DirectedGraph):
        raise ParameterError(NO_DIRECTIONS)
    if isinstance(source, Graph) and weighted and not isinstance(source, WeightedGraph):
        raise ParameterError(NO_WEIGHTS)
    graph = source if isinstance(source, Graph) else _converted(source, columns, directed=directed, weighted=weighted)
    return graph if people is None else declare_people(graph, people)


def from_table(
    table: Any, *, columns: Sequence[str | int] | None = None, directed: bool = False, weighted: str | int | None = None
) -> Graph:
    """The graph of a pandas, polars or pyarrow table with one edge per row.

    The ends are in two columns: those of `columns`, or those whose names say so, such as source and target, or the only
    two. Nothing is guessed among several. `weighted` is the column that holds weights.
    """
    frame = _polars(table)
    names = frame.columns
    first, second = _ends(names, columns)
    third = None if weighted is None else chosen_column(names, str(weighted), "(weighted=)")
    if third in (first, second):
        raise ParameterError(f"column {weighted} holds a person; weights stand in a column of their own")
    notes: tuple[str, ...] = ()
    if len(names) > 2 and third is None:
        notes = (f"columns {names[first]} and {names[second]} of {len(names)} were read, the others left out",)
    origin = f"{_name(table)} table"
    remark = (getattr(getattr(table, "schema", None), "metadata", None) or {}).get(NAME.encode(), b"")  # pyarrow's
    content = content_of_table(frame[:, [first, second]], origin, notes, remark=remark.decode(errors="replace"))
    if third is None:
        return fold(content, origin, may_be_empty=True, kept=Kept(directed)).graph
    where = f"column {names[third]}"
    content = replace(content, weights=whole_weights(frame[:, third].to_list(), f"{origin}, {where}"))
    return fold(content, origin, may_be_empty=True, kept=Kept(weighted=where)).graph


def from_pairs(pairs: Any, *, directed: bool = False) -> Graph:
    """The graph whose edges are these pairs of ids, integers of any size or text; an id is a name, not a position."""
    import polars as pl

    try:
        listed = np.asarray(pairs if isinstance(pairs, np.ndarray) else list(pairs))
    except ValueError:
        raise TypeError(f"not all entries are pairs of ids: each must have two; give {ACCEPTED}") from None
    if listed.size == 0:
        listed = np.empty((0, 2), dtype=np.int64)
    if listed.ndim != 2 or listed.shape[1] != 2:
        raise TypeError(
            f"an array of shape {listed.shape} holds no pairs; give {ACCEPTED}. Of a full matrix make a sparse one: "
            "scipy.sparse.csr_array(matrix)"
        )
    u, v = (_series(listed[:, side]) for side in (0, 1))
    text = u.dtype == pl.String
    numbers = number_people((u, v, u.clear()), keep_text=text)
    content = Content(*numbers, roster_declared=False, place=lambda row: f"pair {row + 1}")
    origin = "array of pairs" if isinstance(pairs, np.ndarray) else f"{type(pairs).__name__} of pairs"
    return fold(content, origin, may_be_empty=True, kept=Kept(directed)).graph


def declare_people(graph: Graph, people: PathLike | Iterable[int | str]) -> Graph:
    """The same edges among everybody on a list, which must name all who have one; directions and weights stay."""
    ends = graph.arcs if isinstance(graph, DirectedGraph) else graph.edges()
    origin = graph.source or "graph"
    content = Content(
        ends[:, 0],
        ends[:, 1],
        graph.n_nodes,
        graph.labels,
        roster_declared=False,
        place=lambda row: f"edge {row + 1}",
        named=bool(graph.named),
        weights=graph.weights if isinstance(graph, WeightedGraph) else None,
    )
    kept = Kept(isinstance(graph, DirectedGraph), "the graph" if isinstance(graph, WeightedGraph) else None)
    return fold(enrol(content, read_people(people)), origin, source=graph.source, kept=kept).graph


def _column_of(weighted: Weighted) -> str | int | None:
    """The column of weights; files and tables have no column that weights must stand in."""
    if weighted is True:
        raise ParameterError(
            "weighted=True is for graphs of networkx and igraph and for sparse matrices; of a file or a table name the "
            "column that holds the weights, such as weighted='messages'"
        )
    return weighted or None


def _converted(source: Any, columns: Sequence[str | int] | None, *, directed: bool, weighted: Weighted) -> Graph:
    library = _library(source)
    if library == "networkx" and hasattr(source, "nodes"):
        return from_networkx(source, directed=directed, weighted=weighted)
    if library == "igraph" and hasattr(source, "vs"):
        return from_igraph(source, directed=directed, weighted=weighted)
    if hasattr(source, "tocoo"):
        return from_scipy(source, directed=directed, weighted=bool(weighted))
    if _is_table(source):
        return from_table(source, columns=columns, directed=directed, weighted=_column_of(weighted))
    if isinstance(source, np.ndarray | list | tuple | set | frozenset):
        if weighted:
            raise ParameterError(NO_WEIGHTS)
        return from_pairs(source, directed=directed)
    raise TypeError(f"no graph can be made of {_name(source)}; give {ACCEPTED}")


def _series(ids: AnyArray) -> Any:
    """One end of all pairs, as integers or text; anything else is no id."""
    import polars as pl

    if np.issubdtype(ids.dtype, np.integer):
        return pl.Series(ids)
    entries = ids.tolist()
    if not all(isinstance(entry, str | int) and not isinstance(entry, bool) for entry in entries):
        raise TypeError("ids must be integers or text; an array of pairs holds something else")
    return pl.Series([str(entry) for entry in entries], dtype=pl.String)


def _is_table(source: Any) -> bool:
    return hasattr(source, "__arrow_c_stream__") or (_library(source) == "pandas" and hasattr(source, "columns"))


def _polars(table: Any) -> Any:
    """A table as one of polars; an index of pandas is left out."""
    import polars as pl

    try:
        if _library(table) == "pandas":
            return pl.DataFrame([_column(str(name), values) for name, values in table.items()])
        return pl.DataFrame(table)
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"this {_name(table)} cannot be read as a table of edges: give two columns, each all integers or all text"
        ) from None


def _column(name: str, values: Any) -> Any:
    """A column of pandas, whose missing entries become None."""
    import polars as pl

    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return pl.Series(name, values.to_numpy())
    return pl.Series(name, values.astype(object).where(values.notna(), None).to_list(), strict=True)


def _ends(names: list[str], columns: Sequence[str | int] | None) -> tuple[int, int]:
    if columns is not None:
        if len(columns) != 2:
            raise ParameterError("columns must be two, such as ('from', 'to') or (1, 3)")
        return chosen_columns(names, (str(columns[0]), str(columns[1])))
    found = named_columns(names) or numbered_columns(names)
    if found is None and len(names) == 2:
        return 0, 1
    if found is None:
        raise ParameterError(
            f"which two of the {len(names)} columns hold the ends of edges? There are {', '.join(names) or 'none'}: "
            f"select two of them, such as table[{names[:2]}], or make the graph with gv.as_graph(table, columns=...)"
        )
    return found


def _library(source: Any) -> str:
    """The library that an object's class, or one that it inherits from, comes from."""
    known = ("networkx", "igraph", "pandas")
    found = (kind.__module__.partition(".")[0] for kind in type(source).__mro__)
    return next((library for library in found if library in known), "")


def _name(source: Any) -> str:
    kind = type(source)
    library = kind.__module__.partition(".")[0]
    return kind.__qualname__ if library == "builtins" else f"{library} {kind.__qualname__}"
