"""Pairs of neighbouring inputs, in words a reader can follow, and small graphs and friend lists to make them from.

Graphs are tried with all their small changes. Changes that look alike (same degrees at both ends and around them, as
many common neighbours) are tried once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from typing import Any

import numpy as np

from graphveil.arrays import Bits
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs that the guarantee promises to keep apart no better than e^epsilon."""

    first: Any
    second: Any
    words: str = ""

    def __post_init__(self) -> None:
        if not self.words:
            object.__setattr__(self, "words", f"{_short(self.first)} or {_short(self.second)}")


def as_pair(pair: Pair | tuple[Any, Any]) -> Pair:
    """A pair given as such, or as two inputs."""
    if isinstance(pair, Pair):
        return pair
    try:
        first, second = pair
    except (TypeError, ValueError):
        raise ParameterError(f"a pair holds two neighbouring inputs, not {_short(pair)}") from None
    if first is second:
        raise ParameterError(f"a pair holds two inputs that differ; {_short(first)} is in one twice")
    return Pair(first, second)


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@cache
def seed_graphs() -> Mapping[str, Graph]:
    """Small graphs with hubs, leaves, two people without friends, many triangles and none."""
    star = [*((0, i) for i in range(1, 6)), (1, 2), (6, 7), (7, 8)]
    stars = [*((0, i) for i in range(2, 6)), *((1, i) for i in range(6, 10))]
    clique = [*combinations(range(5), 2), (4, 5), (5, 6)]
    return {
        "a star and a path": Graph.from_edges(star, n_nodes=10),
        "two stars": Graph.from_edges(stars, n_nodes=10),
        "a clique with a tail": Graph.from_edges(clique, n_nodes=9),
    }


def edge_toggles(graphs: Mapping[str, Graph]) -> list[Pair]:
    """Each graph against itself with one edge more or less."""
    return [
        Pair(graph, toggle_edge(graph, u, v), f"{name}, edge {u}-{v} there or not")
        for name, graph in graphs.items()
        for u, v in _once(combinations(range(graph.n_nodes), 2), partial(_look_of_pair, graph))
    ]


def node_removals(graphs: Mapping[str, Graph]) -> list[Pair]:
    """Each graph against itself without one of its people."""
    return [
        Pair(graph, remove_node(graph, v), f"{name}, person {v} there or not")
        for name, graph in graphs.items()
        for v in _once(range(graph.n_nodes), partial(_look_of_node, graph))
    ]


def toggle_edge(graph: Graph, u: int, v: int) -> Graph:
    """The graph with the edge uv taken out or put in."""
    edges = graph.edges()
    kept = edges[~((edges == (u, v)).all(axis=1))] if graph.has_edge(u, v) else np.vstack((edges, (u, v)))
    return Graph.from_edges(kept, n_nodes=graph.n_nodes, labels=graph.labels)


def remove_node(graph: Graph, node: int) -> Graph:
    """The graph without one person; the others keep their names."""
    edges = graph.edges()
    kept = edges[(edges != node).all(axis=1)]
    names = np.delete(np.arange(graph.n_nodes) if graph.labels is None else graph.labels, node)
    return Graph.from_edges(kept - (kept > node), n_nodes=graph.n_nodes - 1, labels=names)


def friend_list(n_others: int, friends: Iterable[int]) -> Bits:
    """One person's list as bits."""
    return np.isin(np.arange(n_others), list(friends))


def _look_of_node(graph: Graph, v: int) -> tuple[Any, ...]:
    return len(graph.neighbors(v)), tuple(sorted(graph.degrees[graph.neighbors(v)].tolist()))


def _look_of_pair(graph: Graph, ends: tuple[int, int]) -> tuple[Any, ...]:
    u, v = ends
    common = np.intersect1d(graph.neighbors(u), graph.neighbors(v))
    return graph.has_edge(u, v), len(common), *sorted((_look_of_node(graph, u), _look_of_node(graph, v)))


def _once(items: Iterable[Any], look: Callable[[Any], Any]) -> list[Any]:
    """One item of each look, in order."""
    return list({look(item): item for item in reversed(list(items))}.values())[::-1]
