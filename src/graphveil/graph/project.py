"""Degree-bounding projections for node privacy, with what one person's joining can change.

Both walk through the edges in the public order of `order.py`. Let G' be G plus one person v with v's edges; all
other edges keep their relative order. Deg and deg' are degrees after projection.

`project_bounded_degree`, A_θ (Day, Li and Lyu 2016): keep an edge if both ends have fewer than θ kept edges so far.
    Proved: Σ_{u≠v} |deg'(u) - deg(u)| ≤ deg'(v) ≤ θ, so the number of kept edges grows by 0 to θ, and the sum over all
    people of a c-Lipschitz function of the degree changes by at most cθ plus v's own value.
    Proof: run both scans side by side, with δ(u) = deg'(u) - deg(u). An edge xy kept by G alone has an end, say x,
    that is full in G', so δ(x) > 0: keeping it lowers |δ(x)| by one and raises |δ(y)| by at most one. The same holds
    with the roles of G and G' exchanged. Only a kept edge of v raises Σ|δ|, by one, as it raises deg'(v).
    Not true: a bound on the number of *changed* edges (a path with θ = 1 can change everywhere) and hence any bound on
    triangles that is a function of θ alone.

`project_first_edges`, B_D (Blocki, Blum, Datta and Sheffet 2013): keep an edge if it is among the first D edges of both
ends, whether or not the earlier ones were kept.
    Proved: only edges of v appear, at most D; each neighbour of v with at least D edges in G loses at most one edge;
    nothing else changes. Proof: v enters the lists of its neighbours only and moves later entries back by one, so a
    list loses at most the entry at place D.
    Not true: a constant bound on the number of lost edges, since v may have many neighbours with full lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.order import edge_order
from graphveil.kernels import kernel


def project_bounded_degree(graph: Graph, max_degree: int, *, order: int = 0) -> Graph:
    """A_θ: the kept edges of a scan that takes each edge while both of its ends have room.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> project_bounded_degree(star, 2)
    Graph(n_nodes=4, n_edges=2)
    """
    return _project(graph, max_degree, order, count_dropped=False)


def project_first_edges(graph: Graph, max_degree: int, *, order: int = 0) -> Graph:
    """B_D: the edges that are among the first D of both ends.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> project_first_edges(square, 2) == square
    True
    """
    return _project(graph, max_degree, order, count_dropped=True)


def _project(graph: Graph, max_degree: int, order: int, *, count_dropped: bool) -> Graph:
    if max_degree < 0:
        raise ParameterError(f"max_degree is {max_degree}; give a whole number of at least 0")
    if isinstance(graph, EdgeTable):
        return graph.project(max_degree, order, count_dropped=count_dropped)
    edges = graph.edges()
    places_taken = np.zeros(graph.n_nodes, dtype=np.int64)
    kept = edges[scan(edges, edge_order(graph, edges, order), places_taken, max_degree, count_dropped)]
    indptr, indices = rows_from_edges(kept[:, 0], kept[:, 1], graph.n_nodes)
    return Graph(graph.n_nodes, indptr, indices, graph.labels, roster_declared=graph.roster_declared, named=graph.named)


@kernel
def scan(edges: Any, order: Any, places_taken: Any, max_degree: Any, count_dropped: Any) -> Any:
    """Which edges are kept; `places_taken` of every person goes on from what earlier edges took."""
    keep = np.zeros(len(edges), dtype=np.bool_)
    for e in order:
        u, v = edges[e]
        keep[e] = places_taken[u] < max_degree and places_taken[v] < max_degree
        if keep[e] or count_dropped:
            places_taken[u] += 1
            places_taken[v] += 1
    return keep
