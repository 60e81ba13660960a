"""The part of a graph among some of its people.

The same graph with its nodes numbered in another order.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.labels import label_list


def induced_subgraph(graph: Graph, chosen: Bits) -> Graph:
    """The people marked in `chosen`, with their names, and the edges between them.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)], n_nodes=4)
    >>> part = induced_subgraph(graph, np.array([True, True, False, True]))
    >>> part, part.labels.tolist()
    (Graph(n_nodes=3, n_edges=1), [0, 1, 3])
    """
    nodes = np.flatnonzero(chosen)
    number = np.full(graph.n_nodes, -1, dtype=np.int64)
    number[nodes] = np.arange(len(nodes))
    edges = number[graph.edges()]
    inside = edges[(edges >= 0).all(axis=1)]
    labels = nodes if graph.labels is None else graph.labels[nodes]
    return Graph.from_edges(
        inside, n_nodes=len(nodes), labels=labels, roster_declared=graph.roster_declared, named=graph.named
    )


def split_people(graph: Graph, group_of: Mapping[Any, Hashable]) -> dict[Hashable, Graph]:
    """One graph for each group, by people's names; who is in no group is in no part, nor are edges between groups."""
    names = label_list(graph.labels, graph.n_nodes)
    known = set(names)
    stranger = next((name for name in group_of if name not in known), None)
    if stranger is not None:
        raise ParameterError(f"{stranger!r} is put into a group but is not among the people of the graph")
    own = np.array([group_of.get(name) for name in names], dtype=object)
    return {group: induced_subgraph(graph, own == group) for group in sorted(set(group_of.values()), key=str)}


SHUFFLE = 0x5F


def shuffle_people(graph: Graph, *, seed: int, group: Integers | None = None) -> Graph:
    """The graph with its nodes in random order and without their names; given everybody's group, group by group.

    Whoever knows the seed can undo the order.

    >>> shuffled = shuffle_people(Graph.from_edges([(0, 1), (0, 2), (0, 3)]), seed=1)
    >>> sorted(shuffled.degrees.tolist()), shuffled.labels
    ([1, 1, 1, 3], None)
    """
    own_stream = np.random.default_rng((seed, SHUFFLE))  # apart from what a generator drew with the same seed
    number = own_stream.permutation(graph.n_nodes)
    return renumber(graph, number if group is None else np.argsort(np.lexsort((number, group))))


def renumber(graph: Graph, number: Integers) -> Graph:
    """Node u becomes node `number[u]`; names are dropped."""
    return Graph.from_edges(number[graph.edges()], n_nodes=graph.n_nodes)
