"""Exact counts of 4-cycles and of cliques of four and five, and how many of them one pair of people could close.

Cliques are found once, from their first person in the order of (degree, number): every later neighbour v of u, the
later neighbours that both share, and the edges (for 4-cliques) or triangles (for 5-cliques) among these. 4-cycles are
counted by their two diagonals: every pair with c common neighbours is the diagonal of C(c, 2) of them.

Nothing here is private. Counts of one node fit into 64 bits; their sums are Python's own integers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.statistics.pareto_pairs import falling_degree
from graphveil.graph.statistics.triangles import oriented_rows
from graphveil.kernels import kernel


def exact_cliques(graph: Graph, size: int) -> int:
    """The number of cliques of four or five people.

    >>> from itertools import combinations
    >>> six = Graph.from_edges(list(combinations(range(6), 2)))
    >>> exact_cliques(six, 4), exact_cliques(six, 5)
    (15, 6)
    """
    return int(sum(_count_cliques(*oriented_rows(graph), size).tolist()))


def exact_four_cycles(graph: Graph) -> int:
    """The number of cycles of four people, with or without further edges between them.

    >>> exact_four_cycles(Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]))
    1
    """
    return int(sum(_count_diagonals(graph.indptr, graph.indices).tolist())) // 2


def most_cliques_of_a_pair(graph: Graph, size: int) -> int:
    """The most cliques of this size that an edge between two people makes or would make.

    Joining two people makes as many as there are cliques of two people less among their common neighbours.
    """
    order = falling_degree(graph)
    return int(_scan_pairs(graph.indptr, graph.indices, *oriented_rows(graph), order, size))


def most_three_paths_of_a_pair(graph: Graph) -> int:
    """The most paths of three edges between two people, which is how many 4-cycles an edge between them closes."""
    return int(_scan_paths(graph.indptr, graph.indices, falling_degree(graph)))


def most_cliques(n_nodes: int, size: int) -> int:
    """The cliques of this size in a complete graph that hold one given pair."""
    return math.comb(max(0, n_nodes - 2), size - 2)


@kernel
def _cliques_among(people: Any, count: int, indptr: Any, later: Any, marks: Any, second: Any, size: int) -> Any:
    """Edges (size 2) or triangles (size 3) among the first `count` of these people; `marks` and `second` are 0."""
    for i in range(count):
        marks[people[i]] = 1
    found = np.int64(0)
    for i in range(count):
        w = people[i]
        if size == 2:
            for k in range(indptr[w], indptr[w + 1]):
                found += marks[later[k]]
            continue
        for k in range(indptr[w], indptr[w + 1]):
            second[later[k]] = marks[later[k]]
        for k in range(indptr[w], indptr[w + 1]):
            x = later[k]
            if second[x]:
                for j in range(indptr[x], indptr[x + 1]):
                    found += second[later[j]]
        for k in range(indptr[w], indptr[w + 1]):
            second[later[k]] = 0
    for i in range(count):
        marks[people[i]] = 0
    return found


@kernel
def _count_cliques(indptr: Any, later: Any, size: int) -> Any:
    n_nodes = len(indptr) - 1
    counts = np.zeros(n_nodes, dtype=np.int64)
    marks, second = np.zeros(n_nodes, dtype=np.uint8), np.zeros(n_nodes, dtype=np.uint8)
    of_first = np.zeros(n_nodes, dtype=np.uint8)
    common = np.empty(n_nodes, dtype=np.int64)
    for u in range(n_nodes):
        for i in range(indptr[u], indptr[u + 1]):
            of_first[later[i]] = 1
        for i in range(indptr[u], indptr[u + 1]):
            v = later[i]
            shared = 0
            for j in range(indptr[v], indptr[v + 1]):
                if of_first[later[j]]:
                    common[shared] = later[j]
                    shared += 1
            if shared >= size - 2:
                counts[u] += _cliques_among(common, shared, indptr, later, marks, second, size - 2)
        for i in range(indptr[u], indptr[u + 1]):
            of_first[later[i]] = 0
    return counts


@kernel
def _count_diagonals(indptr: Any, indices: Any) -> Any:
    """For every node, the sum over nodes of smaller number of C(common neighbours, 2)."""
    n_nodes = len(indptr) - 1
    sums = np.zeros(n_nodes, dtype=np.int64)
    shared = np.zeros(n_nodes, dtype=np.int64)
    for x in range(n_nodes):
        for i in range(indptr[x], indptr[x + 1]):
            a = indices[i]
            for j in range(indptr[a], indptr[a + 1]):
                y = indices[j]
                if y >= x:
                    break
                sums[x] += shared[y]  # C(c, 2) grows by c with each further common neighbour
                shared[y] += 1
        for i in range(indptr[x], indptr[x + 1]):
            a = indices[i]
            for j in range(indptr[a], indptr[a + 1]):
                if indices[j] >= x:
                    break
                shared[indices[j]] = 0
    return sums


@kernel
def _at_most(common: Any, size: int) -> Any:
    """C(common, size), for sizes 2 and 3, as a float."""
    c = float(common)
    return c * (c - 1) / 2 if size == 2 else c * (c - 1) * (c - 2) / 6


@kernel
def _scan_pairs(indptr: Any, indices: Any, later_indptr: Any, later: Any, order: Any, size: int) -> Any:
    """The most (size - 2)-cliques among common neighbours of a pair; pairs that cannot beat the best are skipped."""
    n_nodes = len(indptr) - 1
    shared = np.zeros(n_nodes, dtype=np.int64)
    marks, second = np.zeros(n_nodes, dtype=np.uint8), np.zeros(n_nodes, dtype=np.uint8)
    of_first = np.zeros(n_nodes, dtype=np.uint8)
    met, common = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    best = np.int64(0)
    for place in range(n_nodes):
        x = order[place]
        if _at_most(indptr[x + 1] - indptr[x], size - 2) <= best:
            break
        count = 0
        for i in range(indptr[x], indptr[x + 1]):
            a = indices[i]
            of_first[a] = 1
            for j in range(indptr[a], indptr[a + 1]):
                y = indices[j]
                if y != x:
                    if shared[y] == 0:
                        met[count] = y
                        count += 1
                    shared[y] += 1
        candidates = np.argsort(-shared[met[:count]])
        for c in range(count):
            y = met[candidates[c]]
            if _at_most(shared[y], size - 2) <= best:
                break
            n_common = 0
            for j in range(indptr[y], indptr[y + 1]):
                if of_first[indices[j]]:
                    common[n_common] = indices[j]
                    n_common += 1
            found = _cliques_among(common, n_common, later_indptr, later, marks, second, size - 2)
            best = max(best, found)
        for c in range(count):
            shared[met[c]] = 0
        for i in range(indptr[x], indptr[x + 1]):
            of_first[indices[i]] = 0
    return best


@kernel
def _scan_paths(indptr: Any, indices: Any, order: Any) -> Any:
    """The most paths x-a-b-y over pairs; a pair has at most min(degrees) times the most common neighbours of y."""
    n_nodes = len(indptr) - 1
    shared, paths = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    joined = np.zeros(n_nodes, dtype=np.uint8)
    best = np.int64(0)
    for place in range(n_nodes):
        y = order[place]
        degree = indptr[y + 1] - indptr[y]
        if degree * degree <= best:  # common neighbours are at most the degree
            break
        most = np.int64(0)
        for i in range(indptr[y], indptr[y + 1]):
            b = indices[i]
            joined[b] = 1
            for j in range(indptr[b], indptr[b + 1]):
                a = indices[j]
                if a != y:
                    shared[a] += 1
                    most = max(most, shared[a])
        if degree * most > best:
            for a in range(n_nodes):
                if shared[a]:
                    for k in range(indptr[a], indptr[a + 1]):
                        x = indices[k]
                        # a path may not pass x twice: where x and y are joined, x is one of the common neighbours
                        paths[x] += shared[a] - joined[x]
            paths[y] = 0
            for x in range(n_nodes):
                if paths[x] > best and indptr[x + 1] - indptr[x] <= degree:
                    best = paths[x]
                paths[x] = 0
        for a in range(n_nodes):
            shared[a] = 0
        for i in range(indptr[y], indptr[y + 1]):
            joined[indices[i]] = 0
    return best
