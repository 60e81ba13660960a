"""Exact clustering coefficients; nothing here is private.

The local clustering of a node of degree d in T triangles is T / C(d, 2), the share of its pairs of friends who are
friends, and 0 where d < 2. Its mean is taken over all nodes, those with d < 2 included (as networkx does; igraph
leaves them out unless told otherwise). Transitivity is the share over all such pairs: 3 triangles / 2-stars, and 0
where there are no 2-stars.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph, IntArray
from graphveil.graph.stars import exact_k_stars
from graphveil.graph.triangles import exact_triangles, exact_triangles_per_node


def exact_local_clustering(graph: Graph) -> NDArray[np.float64]:
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


def clustering_of(triangles: NDArray[np.int64], degrees: IntArray) -> NDArray[np.float64]:
    """Local clustering from triangles per node and degrees."""
    pairs = degrees.astype(np.float64) * (degrees - 1) / 2
    return np.divide(triangles, pairs, out=np.zeros(len(pairs)), where=pairs > 0)


def mean_clustering(local: NDArray[np.float64]) -> float:
    """Mean over all nodes, 0 without nodes."""
    return float(local.mean()) if len(local) else 0.0


def transitivity_of(triangles: int, two_stars: int) -> float:
    """Transitivity from the two counts."""
    return 3 * triangles / two_stars if two_stars else 0.0
