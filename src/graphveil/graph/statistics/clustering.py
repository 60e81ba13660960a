"""Exact clustering coefficients; nothing here is private.

The local clustering of a node of degree d in T triangles is T / C(d, 2), the share of its pairs of friends who are
friends, and 0 where d < 2. Its mean is taken over all nodes, those with d < 2 included (as networkx does; igraph
leaves them out by default). Transitivity is the share over all such pairs: 3 triangles / 2-stars, and 0 where there
are no 2-stars.

What the common neighbours of every edge weigh, class by class and capped; nothing here is private.

A node of degree d belongs to class k[d] with weight low[d] and to the next class with weight high[d]; degrees beyond
the tables are read as their last entry. An edge collects these weights from the common neighbours of its ends; each
class of it counts up to a cap, and classes are added up over all edges. Each edge is handled from its end of larger
degree, whose row is marked, through the other, shorter row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles, exact_triangles_per_node
from graphveil.kernels import kernel, light_kernel


def exact_local_clustering(graph: Graph) -> Floats:
    """Clustering coefficient of every node."""
    return clustering_of(exact_triangles_per_node(graph), graph.degrees)


def exact_average_clustering(graph: Graph) -> float:
    """Mean local clustering over all nodes (0 for a graph without nodes).

    >>> exact_average_clustering(Graph.from_edges([(0, 1), (1, 2), (0, 2)], n_nodes=4))
    0.75
    """
    return mean_clustering(exact_local_clustering(graph))


def exact_transitivity(graph: Graph) -> float:
    """Share of the pairs of friends of one person who are friends."""
    return transitivity_of(exact_triangles(graph), exact_k_stars(graph, 2))


def clustering_of(triangles: Integers, degrees: AnyIntegers) -> Floats:
    """Local clustering from triangles per node and degrees."""
    pairs = degrees.astype(np.float64) * (degrees - 1) / 2
    return np.divide(triangles, pairs, out=np.zeros(len(pairs)), where=pairs > 0)


def mean_clustering(local: Floats) -> float:
    """Mean over all nodes, 0 without nodes."""
    return float(local.mean()) if len(local) else 0.0


def transitivity_of(triangles: int, two_stars: int) -> float:
    """Transitivity from the two counts."""
    return 3 * triangles / two_stars if two_stars else 0.0


def capped_class_sums(graph: Graph, k: Integers, low: Integers, high: Integers, caps: Integers) -> Integers:
    """For every class, the sum over edges of min(cap, weight of the common neighbours in the class)."""
    if isinstance(graph, EdgeTable):
        return graph.capped_class_sums(k, low, high, caps)
    sums: Integers = _scan_edges(graph.indptr, graph.indices, k, low, high, caps)
    return sums


def weigh_edges(
    graph: Graph, degrees: Integers, k: Integers, low: Integers, high: Integers
) -> tuple[Integers, Integers, Integers]:
    """For edges with common neighbours (pairs u < v): their classes and what they weigh there, an entry for each class.

    Here `degrees` are given, as those of a part of a graph say too little.
    """
    weighed: tuple[Integers, Integers, Integers] = _weigh_edges(graph.indptr, graph.indices, degrees, k, low, high)
    return weighed


@kernel
def _weigh_edges(indptr: Any, indices: Any, degrees: Any, k: Any, low: Any, high: Any) -> Any:
    n_nodes, n_classes = len(indptr) - 1, k.max() + 2
    marked = np.zeros(n_nodes, dtype=np.uint8)
    weights = np.zeros(n_classes, dtype=np.int64)
    room = len(indices) // 2 + n_classes
    pairs = np.empty((room, 2), dtype=np.int64)
    classes = np.empty(room, dtype=np.int64)
    found = np.empty(room, dtype=np.int64)
    n_found = 0
    for x in range(n_nodes):
        row = indices[indptr[x] : indptr[x + 1]]
        for v in row:
            marked[v] = 1
        for y in row:
            size = indptr[y + 1] - indptr[y]
            if size > len(row) or (size == len(row) and y > x):
                continue
            weights[:] = 0
            for i in range(indptr[y], indptr[y + 1]):
                v = indices[i]
                if marked[v]:
                    d = min(degrees[v], len(k) - 1)
                    weights[k[d]] += low[d]
                    weights[k[d] + 1] += high[d]
            if n_found + n_classes > len(pairs):
                pairs = np.concatenate((pairs, np.empty_like(pairs)))
                classes = np.concatenate((classes, np.empty_like(classes)))
                found = np.concatenate((found, np.empty_like(found)))
            for c in range(n_classes):
                if weights[c] != 0:
                    pairs[n_found, 0], pairs[n_found, 1] = min(x, y), max(x, y)
                    classes[n_found], found[n_found] = c, weights[c]
                    n_found += 1
        for v in row:
            marked[v] = 0
    return pairs[:n_found], classes[:n_found], found[:n_found]


@light_kernel
def _scan_edges(indptr: Any, indices: Any, k: Any, low: Any, high: Any, caps: Any) -> Any:
    n_nodes = len(indptr) - 1
    marked = np.zeros(n_nodes, dtype=np.uint8)
    sums = np.zeros(len(caps), dtype=np.int64)
    weights = np.zeros(len(caps), dtype=np.int64)
    for x in range(n_nodes):
        row = indices[indptr[x] : indptr[x + 1]]
        for v in row:
            marked[v] = 1
        for y in row:
            degree = indptr[y + 1] - indptr[y]
            if degree > len(row) or (degree == len(row) and y > x):
                continue
            weights[:] = 0
            for i in range(indptr[y], indptr[y + 1]):
                v = indices[i]
                if marked[v]:
                    d = min(indptr[v + 1] - indptr[v], len(k) - 1)
                    weights[k[d]] += low[d]
                    weights[k[d] + 1] += high[d]
            for c in range(len(caps)):
                sums[c] += min(caps[c], weights[c])
        for v in row:
            marked[v] = 0
    return sums
