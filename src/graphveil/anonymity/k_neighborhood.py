"""k-neighbourhood anonymity: everybody's friends are joined among themselves like those of k - 1 others.

Paper: Zhou and Pei 2008, "Preserving privacy in social networks against neighborhood attacks" (the notion).
Adversary: knows a person's friends and which of them are friends of each other.
Not protected: whoever knows more than the neighbourhood; links; what all k candidates share.
Steps: a person whose neighbourhood is rare loses the edges among their friends, one triangle after another, the edge in
    most such triangles first; this is repeated until every neighbourhood with edges is shared by k people. Those left
    without triangles differ by their number of friends alone, and are given shared numbers as in k-degree, by changes
    that make and break no triangle: such a change adds or takes a lone friend, and moving one leaves others alike.
Differs: the paper adds edges until neighbourhoods agree, which on clustered graphs runs away; cutting ends, since every
    round takes edges. Where k-automorphism, which implies this notion, keeps more of the old edges, it is made instead.

Cut all triangles that certain people are in, by few edges: always the edge that is in most of them.

Edges wait at the level of the triangles they were last seen in. A level is served from the top; an edge that is in
fewer triangles by then waits at its new level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.anonymity.certifiers.neighborhoods import candidate_groups, neighborhood_classes
from graphveil.anonymity.changes import count_kept
from graphveil.anonymity.k_degree.degree_sequence import anonymous_degrees
from graphveil.anonymity.k_degree.edits import edge_table, edges_in
from graphveil.anonymity.k_degree.reach_degrees import reach_degrees
from graphveil.anonymity.symmetry.k_automorphism import k_automorphism_edges
from graphveil.arrays import Bits, Integers
from graphveil.graph.core import Graph
from graphveil.graph.pairs import discard_pair, has_pair
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.kernels import kernel


def cut_triangles(graph: Graph, of_whom: Bits) -> Integers:
    """The edges left when nobody of those marked is in a triangle any more."""
    edges = graph.edges()
    table = edge_table(edges, 0)
    _cut(table, graph.indptr, graph.indices, edges, of_whom)
    return edges_in(table)


@kernel
def _cut(table: Any, indptr: Any, indices: Any, edges: Any, of_whom: Any) -> None:
    level_of = np.empty(len(edges), dtype=np.int64)
    for e in range(len(edges)):
        level_of[e] = _count_triangles(table, indptr, indices, edges[e, 0], edges[e, 1], of_whom)
    top = level_of.max() if len(edges) else 0
    for level in range(top, 0, -1):
        for e in range(len(edges)):
            if level_of[e] == level:
                u, v = edges[e]
                level_of[e] = _count_triangles(table, indptr, indices, u, v, of_whom)
                if level_of[e] == level:
                    discard_pair(table, u, v)
                    level_of[e] = 0


@kernel
def _count_triangles(table: Any, indptr: Any, indices: Any, u: Any, v: Any, of_whom: Any) -> Any:
    """Triangles on the edge uv with a marked person."""
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    marked = of_whom[u] or of_whom[v]
    count = 0
    for i in range(indptr[u], indptr[u + 1]):
        w = indices[i]
        if (marked or of_whom[w]) and has_pair(table, v, w) and has_pair(table, u, w):
            count += 1
    return count


ROUNDS = 50


def k_neighborhood_edges(graph: Graph, k: int, rng: np.random.Generator) -> tuple[Integers, Integers | None]:
    """The edges of a k-neighbourhood anonymous graph on the same people, by the way that keeps more of the old ones."""
    cut = k_neighborhood_cut(graph, k, rng)
    turned, automorphism = k_automorphism_edges(graph, k, rng)
    if cut is not None and count_kept(graph, cut) >= count_kept(graph, turned):
        return cut, None
    return turned, automorphism


def k_neighborhood_cut(graph: Graph, k: int, rng: np.random.Generator) -> Integers | None:
    """The edges of a k-neighbourhood anonymous graph on the same people; None if the rounds do not suffice."""
    current = graph
    for _ in range(ROUNDS):
        rare = _rare(current, k)
        if not rare.any():
            return current.edges()
        triangles = exact_triangles_per_node(current)
        plain = triangles == 0
        if not plain[rare].all():
            edges: Integers | None = cut_triangles(current, rare)
        elif plain.sum() < k:
            edges = cut_triangles(current, np.argsort(np.argsort(triangles, kind="stable")) < k)
        else:
            edges = _share_degrees(current, plain, k, rng)
        if edges is None:
            return None
        current = Graph.from_edges(edges, n_nodes=graph.n_nodes)
    return None


def _share_degrees(graph: Graph, plain: Bits, k: int, rng: np.random.Generator) -> Integers | None:
    """Edges with which those outside all triangles have degrees that k of them share.

    Few strangers to a person with very many friends have no friend in common with them, so where degrees cannot rise
    far enough, they are made to fall only.
    """
    degrees = graph.degrees[plain].astype(np.int64)
    nearest = anonymous_degrees(degrees, k, only_rise=False)
    below = graph.n_nodes - anonymous_degrees(graph.n_nodes - degrees, k, only_rise=True)
    for wanted in (nearest, below):
        targets = graph.degrees.astype(np.int64)
        targets[plain] = wanted
        edges = reach_degrees(graph, targets, k, rng, members=plain, apart=True)
        if edges is not None:
            return edges
    return None


def _rare(graph: Graph, k: int) -> Bits:
    """Whose neighbourhood is shared by fewer than k people."""
    classes = candidate_groups(graph)
    sizes = np.bincount(classes)
    if sizes.min(initial=k) >= k:
        classes = neighborhood_classes(graph, classes)
        sizes = np.bincount(classes)
    return sizes[classes] < k
