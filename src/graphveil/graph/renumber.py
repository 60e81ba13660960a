"""The same graph with its nodes numbered in another order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph

SHUFFLE = 0x5F


def shuffle_people(graph: Graph, *, seed: int) -> Graph:
    """The graph with its nodes in random order and without their names: who is who, nobody can tell.

    >>> shuffled = shuffle_people(Graph.from_edges([(0, 1), (0, 2), (0, 3)]), seed=1)
    >>> sorted(shuffled.degrees.tolist()), shuffled.labels
    ([1, 1, 1, 3], None)
    """
    own_stream = np.random.default_rng((seed, SHUFFLE))  # apart from what a generator drew with the same seed
    return renumber(graph, own_stream.permutation(graph.n_nodes))


def renumber(graph: Graph, number: NDArray[np.int64]) -> Graph:
    """Node u becomes node `number[u]`; names are dropped."""
    return Graph.from_edges(number[graph.edges()], n_nodes=graph.n_nodes)
