"""What an engine can answer, found out on a toy before anything is spent.

An engine that keeps the edges of a graph elsewhere offers some statistics and no rows (`graph.edge_table`). Whether an
algorithm gets by with them is not written down anywhere: it is run on a public toy graph whose rows are hidden, and
refused if it reaches for them. So the list of what an engine answers cannot be out of date, and plug-ins are on it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial

from graphveil.errors import GraphveilError, UnsupportedByEngine
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.hidden_rows import HiddenRows
from graphveil.mechanisms.noise.source import Noise, SeededNoise
from graphveil.privacy.unit import Unit
from graphveil.registry import Job, Row, rows
from graphveil.release.draw import run

Run = Callable[[Graph, Noise], object]


def check_query(graph: Graph, query: str, unit: Unit, run: Run) -> None:
    """Refuse a query that the engine of this graph cannot answer, and say which it can."""
    if isinstance(graph, EdgeTable) and not _gets_by(run):
        methods = methods_without_rows(query, unit.kind)
        if methods:
            raise UnsupportedByEngine(
                f"{query} by its default method needs all edges in one process; on the {graph.engine} engine ask for "
                f"method {' or '.join(methods)}, or leave out --engine where the graph fits in memory"
            )
        raise _refusal(graph, query, ", ".join(answerable_queries(unit.kind)))


def check_method(graph: Graph, method: str, run: Run) -> None:
    """Refuse a synthesizer that the engine of this graph cannot measure for, and say for which it can."""
    if isinstance(graph, EdgeTable) and (refusal := _refused(run)) is not None:
        if method in answerable_methods():  # but not with these options
            raise refusal
        raise _refusal(graph, f"synthesis by {method}", f"synthesis by {', '.join(answerable_methods())}")


def answerable_queries(kind: str) -> tuple[str, ...]:
    """The queries that need no rows."""
    return tuple(dict.fromkeys(row.query for row in _without_rows(kind)))


def methods_without_rows(query: str, kind: str) -> tuple[str, ...]:
    """The methods that answer a query without rows, the default first if it is one of them."""
    return tuple(row.name for row in _without_rows(kind) if row.query == query)


@lru_cache
def _without_rows(kind: str) -> tuple[Row, ...]:
    """The algorithms of a unit that need neither rows nor options."""
    plain = (row for row in rows(Job.RELEASE) if row.unit == kind and not row.needs)
    return tuple(row for row in plain if _gets_by(partial(run, row.build(Fraction(1), {}))))


@lru_cache
def answerable_methods() -> tuple[str, ...]:
    """The synthesizers that need no rows."""
    sound = (row for row in rows(Job.SYNTHESIZE) if not row.refuted)
    return tuple(row.name for row in sound if _gets_by(partial(run, row.build(Fraction(1)))))


def _refusal(graph: EdgeTable, what: str, others: str) -> UnsupportedByEngine:
    return UnsupportedByEngine(
        f"{what} needs all edges in one process; the {graph.engine} engine answers {others}; leave out --engine where "
        "the graph fits in memory"
    )


def _gets_by(run: Run) -> bool:
    return _refused(run) is None


def _refused(run: Run) -> UnsupportedByEngine | None:
    """Why the toy will not do, if it will not."""
    try:
        run(_toy(), SeededNoise(0))
    except UnsupportedByEngine as refusal:
        return refusal
    except GraphveilError:  # a parameter that does not suit a toy says nothing about rows
        return None
    return None


def _toy() -> HiddenRows:
    """Two triangles with a person in common, and one apart."""
    return HiddenRows(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)], n_nodes=6))
