"""How much a publication disturbs the degrees of people's neighbours: a distortion score, not a privacy measure.

Huang, Wang, Tang, Zhang 2019, Algorithm 5: list for every person the degrees of their neighbours; of the 2 m entries,
m the larger number of edges of the two graphs, the share that the two graphs do not have in common is the score. The
paper calls it the degree of privacy. It is none: it grows with any noise, a graph of random edges has the highest
score, and compared by id so does a relabelled copy of the original, which protects nothing.

The paper compares people by id. A 2K generator makes people by degree and has no ids, so people are compared in the
order of their degrees, which gives the smallest distortion that degrees alone allow.
"""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph


def neighbour_degree_distortion(original: Graph, published: Graph) -> float:
    """The share of neighbours' degrees that changed, from 0 to 1.

    >>> ring, path = Graph.from_edges([(0, 1), (1, 2), (0, 2)]), Graph.from_edges([(0, 1), (1, 2)])
    >>> neighbour_degree_distortion(ring, ring), round(neighbour_degree_distortion(ring, path), 3)
    (0.0, 0.667)
    """
    most = max(original.n_edges, published.n_edges)
    if most == 0:
        return 0.0
    base = 1 + int(max(original.degrees.max(initial=0), published.degrees.max(initial=0)))
    (keys, counts), (other_keys, other_counts) = _entries(original, base), _entries(published, base)
    _, here, there = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    shared = int(np.minimum(counts[here], other_counts[there]).sum())
    return 1 - shared / (2 * most)


def _entries(graph: Graph, base: int) -> tuple[Integers, Integers]:
    """Keys (rank of a person by falling degree, degree of a neighbour), and how often each occurs."""
    rank = np.empty(graph.n_nodes, dtype=np.int64)
    rank[np.argsort(-graph.degrees, kind="stable")] = np.arange(graph.n_nodes)
    keys = np.repeat(rank, graph.degrees) * base + graph.degrees[graph.indices]
    distinct, counts = np.unique(keys, return_counts=True)
    return distinct, counts
