"""Communities: groups of people with many edges inside; nothing here is private.

Louvain (Blondel, Guillaume, Lambiotte and Lefebvre 2008): everybody moves to the neighbouring community that raises
modularity most until nobody gains, then communities become the nodes of a smaller weighted graph, and so on. The result
is a good partition, not the best one, and depends on the order, which the seed draws.

Modularity (Newman and Girvan 2004) of a partition is the share of edges inside communities minus what it would be if
edges were drawn at random with the same degrees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel


def find_communities(graph: Graph, *, seed: int = 0) -> Integers:
    """The community of every node, numbered from 0.

    >>> two_triangles = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)])
    >>> find_communities(two_triangles).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    return find_weighted_communities(
        graph.indptr, graph.indices, np.ones(len(graph.indices)), np.zeros(graph.n_nodes), seed=seed
    )


def find_weighted_communities(indptr: Any, indices: Any, weights: Any, loops: Any, *, seed: int = 0) -> Integers:
    """The same in a graph with weights on its edges, given in rows, and on ends of edges within a node, `loops`."""
    rng = np.random.default_rng(seed)
    community = np.arange(len(loops))
    while True:
        n_nodes = len(loops)
        moved = _move(indptr, indices, weights, loops, rng.permutation(n_nodes))
        labels = np.unique(moved, return_inverse=True)[1]
        community = labels[community]
        if len(labels) == 0 or labels.max() + 1 == n_nodes:
            return _by_first_member(community)
        indptr, indices, weights, loops = _merge(indptr, indices, weights, loops, labels)


def exact_modularity(graph: Graph, labels: Integers) -> float:
    """Modularity of a partition given by labels, 0 without edges.

    >>> path = Graph.from_edges([(0, 1), (2, 3)])
    >>> exact_modularity(path, np.array([0, 0, 1, 1]))
    0.5
    """
    if graph.n_edges == 0:
        return 0.0
    edges = graph.edges()
    inside = np.count_nonzero(labels[edges[:, 0]] == labels[edges[:, 1]])
    ends = np.bincount(np.unique(labels, return_inverse=True)[1], weights=graph.degrees)
    return float(inside / graph.n_edges - (ends / (2 * graph.n_edges)) @ (ends / (2 * graph.n_edges)))


def _by_first_member(community: Integers) -> Integers:
    """The same communities, numbered in the order of their first members."""
    _, first, labels = np.unique(community, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[labels].astype(np.int64)


def _merge(indptr: Any, indices: Any, weights: Any, loops: Any, labels: Integers) -> tuple[Any, Any, Any, Any]:
    """The weighted graph of communities; a loop counts the ends of edges inside."""
    size = int(labels.max()) + 1
    pairs, place = np.unique(
        labels[np.repeat(np.arange(len(loops)), np.diff(indptr))] * size + labels[indices], return_inverse=True
    )
    total = np.bincount(place, weights=weights, minlength=len(pairs))
    first, second = pairs // size, pairs % size
    inside = np.bincount(first[first == second], weights=total[first == second], minlength=size)
    between = first != second
    starts = np.concatenate(([0], np.cumsum(np.bincount(first[between], minlength=size))))
    return starts, second[between], total[between], inside + np.bincount(labels, weights=loops, minlength=size)


@kernel
def _move(indptr: Any, indices: Any, weights: Any, loops: Any, order: Any) -> Any:
    """Move nodes to the best neighbouring community until nobody gains."""
    n_nodes = len(loops)
    label = np.arange(n_nodes)
    strength = loops.copy()
    for u in range(n_nodes):
        strength[u] += weights[indptr[u] : indptr[u + 1]].sum()
    total = strength.copy()
    everything = strength.sum()
    towards = np.zeros(n_nodes)
    met = np.empty(n_nodes, dtype=np.int64)
    moving = everything > 0
    while moving:
        moving = False
        for u in order:
            own, n_met = label[u], 0
            total[own] -= strength[u]
            for i in range(indptr[u], indptr[u + 1]):
                other = label[indices[i]]
                if towards[other] == 0:
                    met[n_met] = other
                    n_met += 1
                towards[other] += weights[i]
            best, gain = own, towards[own] - strength[u] * total[own] / everything
            for i in range(n_met):
                there = towards[met[i]] - strength[u] * total[met[i]] / everything
                if there > gain + 1e-9:
                    best, gain = met[i], there
            for i in range(n_met):
                towards[met[i]] = 0
            total[best] += strength[u]
            if best != own:
                label[u] = best
                moving = True
    return label
