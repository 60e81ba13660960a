"""Change a graph's clustering towards a target while its joint degrees stay as they are (2.5K).

After Gjoka, Kurant, Markopoulou 2013. Two edges ab and cd, with a and c of the same degree, may swap ends to ad and cb:
every edge still joins the same two degrees, so the whole 2K table stays exact. A swap is kept if the triangles at each
degree come closer to what is asked, or stay as close. To find swaps that add triangles, one of the new edges closes a
wedge: d is a friend of a friend of a; others are drawn at random.

Cost: a try takes time in proportion to the degrees of the four people.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.pairs import add_pair, discard_pair, has_pair, new_pair_set
from graphveil.graph.statistics.dk_series import triangle_ends_by_degree
from graphveil.kernels import kernel


def target_clustering(graph: Graph, triangle_ends: Integers, *, tries: int, seed: int) -> Graph:
    """A graph with the same joint degrees, and as nearly as found `triangle_ends[d]` triangles at degree d.

    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> from graphveil.graph.statistics.triangles import exact_triangles
    >>> loose, dense = power_law_cluster(300, 4, 0.0, seed=1), power_law_cluster(300, 4, 0.9, seed=1)
    >>> wanted = 2 * triangle_ends_by_degree(loose)
    >>> exact_triangles(target_clustering(loose, wanted, tries=20_000, seed=1)) / exact_triangles(loose) > 1.8
    True
    """
    if tries < 0:
        raise ParameterError(f"tries is {tries}; give at least 0")
    if graph.n_edges == 0:
        return graph
    has = triangle_ends_by_degree(graph)
    size = max(len(has), len(triangle_ends))
    missing = np.pad(triangle_ends.astype(np.int64), (0, size - len(triangle_ends))) - np.pad(has, (0, size - len(has)))
    rows, pairs = graph.indices.astype(np.int64), new_pair_set(graph.n_edges)
    people = np.argsort(graph.degrees, kind="stable")
    first = np.searchsorted(graph.degrees[people], np.arange(size + 1))
    _swap_many(np.random.default_rng(seed), graph.indptr, rows, pairs, people, first, missing, tries)
    owners = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return Graph.from_edges(np.stack((owners, rows), axis=1)[owners < rows], n_nodes=graph.n_nodes, labels=graph.labels)


@kernel
def _swap_many(rng: Any, indptr: Any, rows: Any, pairs: Any, people: Any, first: Any, missing: Any, tries: Any) -> None:
    for u in range(len(indptr) - 1):
        for k in range(indptr[u], indptr[u + 1]):
            if u < rows[k]:
                add_pair(pairs, u, rows[k])
    change, touched = np.zeros_like(missing), np.empty_like(missing)
    for _ in range(tries):
        place = int(rng.random() * len(rows))
        a, b = np.searchsorted(indptr, place, side="right") - 1, rows[place]
        degree = indptr[a + 1] - indptr[a]
        if rng.random() < 0.5:  # close a wedge: d is a friend of a friend of a
            d = _friend(rng, indptr, rows, _friend(rng, indptr, rows, a))
            c = _friend(rng, indptr, rows, d)
        else:
            c = people[first[degree] + int(rng.random() * (first[degree + 1] - first[degree]))]
            d = _friend(rng, indptr, rows, c)
        if indptr[c + 1] - indptr[c] != degree or a in (c, d) or b in (c, d):
            continue
        if has_pair(pairs, a, d) or has_pair(pairs, c, b):
            continue
        if _comes_closer(indptr, rows, pairs, (a, b, c, d), missing, change, touched):
            for person, old, new in ((a, b, d), (b, a, c), (c, d, b), (d, c, a)):
                _replace(indptr, rows, person, old, new)
            discard_pair(pairs, a, b)
            discard_pair(pairs, c, d)
            add_pair(pairs, a, d)
            add_pair(pairs, c, b)


@kernel
def _friend(rng: Any, indptr: Any, rows: Any, u: Any) -> Any:
    return rows[indptr[u] + int(rng.random() * (indptr[u + 1] - indptr[u]))]


@kernel
def _replace(indptr: Any, rows: Any, u: Any, old: Any, new: Any) -> None:
    k = indptr[u]
    while rows[k] != old:
        k += 1
    rows[k] = new


@kernel
def _comes_closer(indptr: Any, rows: Any, pairs: Any, ends: Any, missing: Any, change: Any, touched: Any) -> Any:
    """Whether ad, cb for ab, cd bring the triangles by degree no further from the target; if so, notes the change."""
    a, b, c, d = ends
    n = _count(indptr, rows, pairs, (a, b, a, b), -1, change, touched, 0)
    n = _count(indptr, rows, pairs, (c, d, c, d), -1, change, touched, n)
    n = _count(indptr, rows, pairs, (a, d, b, c), 1, change, touched, n)
    n = _count(indptr, rows, pairs, (c, b, d, a), 1, change, touched, n)
    further = 0
    for degree in touched[:n]:
        further += abs(missing[degree] - change[degree]) - abs(missing[degree])
    for degree in touched[:n]:
        if further <= 0:
            missing[degree] -= change[degree]
        change[degree] = 0
    return further <= 0


@kernel
def _count(indptr: Any, rows: Any, pairs: Any, edge: Any, sign: Any, change: Any, touched: Any, n_touched: Any) -> Any:
    """Count the triangles on the edge uv by the degrees of their people, without u's edge to x and v's to y.

    `touched` lists the degrees at which `change` was counted, `n_touched` of them; returns their new number.
    """
    u, v, x, y = edge
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v, x, y = v, u, y, x
    for k in range(indptr[u], indptr[u + 1]):
        w = rows[k]
        if w in (v, x, y) or not has_pair(pairs, v, w):
            continue
        for person in (u, v, w):
            degree = indptr[person + 1] - indptr[person]
            new = True
            for i in range(n_touched):
                new = new and touched[i] != degree
            if new:
                touched[n_touched] = degree
                n_touched += 1
            change[degree] += sign
    return n_touched
