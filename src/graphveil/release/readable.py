"""Whether a graph holds what a query reads: plain edges always, directions or weights only if they were kept."""

from __future__ import annotations

from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.weighted import WeightedGraph

_HOLDERS: dict[str, type[Graph]] = {"directions": DirectedGraph, "weights": WeightedGraph}
_HOW = {
    "directions": "read the graph with directed=True (--directed)",
    "weights": "read the graph with weighted= (--weighted COLUMN)",
}


def check_reads(query: Any, graph: Graph) -> None:
    """Refuse a query about directions or weights of a graph that was read without them."""
    check_kept(query.query, query.reads, isinstance(graph, _HOLDERS.get(query.reads, Graph)))


def check_kept(name: str, reads: str, kept: bool) -> None:  # noqa: FBT001 - a fact, no switch
    """Refuse a query that reads what was not kept, and say how to keep it."""
    if reads != "edges" and not kept:
        raise ParameterError(f"{name} needs {reads}: {_HOW[reads]}; nothing was spent")
