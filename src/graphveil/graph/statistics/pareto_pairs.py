"""Extremes over all pairs of nodes, found without looking at all pairs; nothing here is private.

How much one edge can change a count depends on the best pair of nodes to join or part. For triangles a pair matters by
its common neighbours a and by the nodes b that are neighbours of exactly one of the two; for stars by the degrees p and
q of the two, their own edge left out. Growing a or b (p or q) never lowers the effect, so only pairs that no other
pair beats in both numbers count: the front, a few dozen points.

The wedge pass takes nodes in falling degree and counts common neighbours with a counter per node. The pair of a node
of degree d and a later one has a <= d and 2a + b <= 2d; once the front beats every such (a, b) all remaining nodes are
skipped. Pairs of hubs are counted first. Most people of small degree cannot beat them, even together with the largest
hub, so only pairs among the other people are counted after that. Few wedges remain where hubs share many friends; all
remain where degrees are equal: O(wedges) time at worst, O(n + m) memory.

The heaviest pair of nodes, where a pair weighs by its degrees and by those of its common neighbours; not private.

The weight of a pair is at most the sum over all neighbours of one of its nodes, plus what its two ends can weigh. Nodes
are taken in falling order of that sum, so the wedge pass ends with the first node that cannot beat the best pair found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.degrees import neighbour_sums
from graphveil.kernels import light_kernel, light_kernel_of

Front = tuple[tuple[int, int], ...]
HUB_SHARE = 1 / 32  # of all places in rows, whose hubs are looked at first


def neighbour_front(graph: Graph) -> Front:
    """Pairs (common neighbours, neighbours of exactly one) that no pair of nodes beats in both; falling, rising.

    >>> neighbour_front(Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)]))
    ((1, 1), (0, 2))
    """
    if isinstance(graph, EdgeTable):
        return graph.neighbour_front()
    order = falling_degree(graph)
    degrees = graph.degrees[order]
    largest = int(degrees.max(initial=0))
    most_apart = np.full(largest + 1, -1, dtype=np.int64)
    done, hubs = 0, 2 + int(np.searchsorted(np.cumsum(degrees), len(graph.indices) * HUB_SHARE))
    while hubs > done:
        done = hubs
        among = np.zeros(graph.n_nodes, dtype=np.bool_)
        among[order[:hubs]] = True
        starts, rows = _rows_among(graph.indptr, graph.indices, among)
        _scan_common(graph.indptr, graph.indices, starts, rows, order[:hubs], most_apart)
        least = bisect_left(range(largest + 1), 1, key=lambda degree: int(can_matter(most_apart, degree, largest)))
        hubs = int(np.searchsorted(-degrees, -least, side="right"))
    return front_of_common(most_apart)


def front_of_common(most_apart: AnyIntegers) -> Front:
    """The front, from the most neighbours of exactly one for every number of common ones (-1 where no pair has it)."""
    return _front((shared, int(apart)) for shared, apart in enumerate(most_apart) if apart >= 0)


def star_front(graph: Graph) -> Front:
    """Pairs of degrees (larger, smaller), without the edge between the two, that no pair of nodes beats in both.

    >>> star_front(Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)]))
    ((2, 1),)
    """
    if isinstance(graph, EdgeTable):
        return _front(_pairs_of_classes(graph))
    pairs = _scan_degrees(graph.indptr, graph.indices, falling_degree(graph))
    return _front((int(large), int(small)) for large, small in pairs)


def falling_degree(graph: Graph) -> AnyIntegers:
    """All nodes, largest degree first."""
    return np.argsort(-graph.degrees, kind="stable")


def _front(points: Any) -> Front:
    """The points that no other one beats in both coordinates, by falling first coordinate."""
    front: list[tuple[int, int]] = []
    for first, second in sorted(points, reverse=True):
        if not front or second > front[-1][1]:
            front.append((first, second))
    return tuple(front)


def _pairs_of_classes(graph: Graph) -> Iterator[tuple[int, int]]:
    """For every degree, its pairs with others in falling order, down to the first with strangers among them.

    Two degrees have strangers if fewer edges join them than there are pairs; else their pairs are all joined.
    """
    degrees, people = (values[::-1].tolist() for values in np.unique(graph.degrees, return_counts=True))
    joined = exact_joint_degrees(graph).to_dict()
    for i, (large, many) in enumerate(zip(degrees, people, strict=True)):
        for small, others in zip(degrees[i:], people[i:], strict=True):
            n_pairs = many * (many - 1) // 2 if small == large else many * others
            n_joined = joined.get((small, large), 0)
            if n_joined < n_pairs:
                yield large, small
                break
            if n_joined:
                yield large - 1, small - 1


@light_kernel
def _rows_among(indptr: Any, indices: Any, among: Any) -> Any:
    """Everybody's neighbours who are among some: where rows begin, and rows."""
    starts = np.zeros(len(indptr), dtype=np.int64)
    for u in range(len(indptr) - 1):
        starts[u + 1] = starts[u]
        for k in range(indptr[u], indptr[u + 1]):
            starts[u + 1] += among[indices[k]]
    rows = np.empty(starts[-1], dtype=indices.dtype)
    kept = 0
    for k in range(indptr[-1]):
        if among[indices[k]]:
            rows[kept] = indices[k]
            kept += 1
    return starts, rows


def _steps_of_common(indptr: Any, _: Any, starts: Any, __: Any, order: Any, most_apart: Any) -> int:
    """Wedges whose ends are both looked at, and looks at the front for every node."""
    return int(np.diff(indptr) @ np.diff(starts)) + len(order) * len(most_apart)


@light_kernel_of(_steps_of_common)
def _scan_common(indptr: Any, indices: Any, starts: Any, rows: Any, order: Any, most_apart: Any) -> None:
    """Raise, for every number of common neighbours, the most neighbours of exactly one (-1 where no pair has it).

    Pairs are those of `order`; `rows` hold nobody else.
    """
    n_nodes = len(indptr) - 1
    shared = np.zeros(n_nodes, dtype=np.int32)
    friend = np.zeros(n_nodes, dtype=np.uint8)
    seen = np.empty(n_nodes, dtype=np.int64)
    for u in order:
        row = indices[indptr[u] : indptr[u + 1]]
        if not can_matter(most_apart, len(row), len(row)):
            break
        n_seen = 0
        for w in row:
            friend[w] = 1
            for k in range(starts[w], starts[w + 1]):
                v = rows[k]
                if shared[v] == 0:
                    seen[n_seen] = v
                    n_seen += 1
                shared[v] += 1
        for k in range(n_seen):
            v = seen[k]
            if v != u:
                apart = len(row) + indptr[v + 1] - indptr[v] - 2 * (shared[v] + friend[v])
                most_apart[shared[v]] = max(most_apart[shared[v]], apart)
        _meet_strangers(most_apart, indptr, order, u, shared, friend)
        for k in range(n_seen):
            shared[seen[k]] = 0
        for w in row:
            friend[w] = 0


@light_kernel
def can_matter(most_apart: Any, small: Any, large: Any) -> Any:
    """Whether a pair of nodes of at most these degrees could still beat the front."""
    best = np.int64(-1)
    for shared in range(len(most_apart) - 1, -1, -1):
        best = max(best, most_apart[shared])
        if shared <= small and small + large - 2 * shared > best:
            return True
    return False


@light_kernel
def _meet_strangers(most_apart: Any, indptr: Any, order: Any, u: Any, shared: Any, friend: Any) -> None:
    """Pairs of u without common neighbours: only the best stranger counts, met in falling degree.

    Every partner passed over has a wedge or an edge to u, so the walk costs no more than the counting before it.
    """
    degree = indptr[u + 1] - indptr[u]
    best = most_apart.max()
    for v in order:
        apart = degree + indptr[v + 1] - indptr[v]
        if apart <= best:
            break
        if v != u and shared[v] == 0:
            best = max(best, apart - 2 * friend[v])
            most_apart[0] = max(most_apart[0], best)


@light_kernel
def _scan_degrees(indptr: Any, indices: Any, order: Any) -> Any:
    """For every node, its pairs with the first friend and with the first stranger in falling degree.

    A pair that keeps the largest degree whole beats all pairs of nodes whose degrees do not pass its smaller one.
    """
    n_nodes = len(indptr) - 1
    pairs = np.empty((2 * n_nodes, 2), dtype=np.int64)
    friend = np.zeros(n_nodes, dtype=np.uint8)
    n_pairs = 0
    beaten = -1
    for u in order:
        degree = indptr[u + 1] - indptr[u]
        if degree <= beaten:
            break
        for k in range(indptr[u], indptr[u + 1]):
            friend[indices[k]] = 1
        met_friend = False
        for v in order:
            if v == u or (friend[v] and met_friend):
                continue
            met_friend = met_friend or friend[v] == 1
            other = indptr[v + 1] - indptr[v]
            large = max(degree, other) - friend[v]
            small = min(degree, other) - friend[v]
            pairs[n_pairs, 0] = large
            pairs[n_pairs, 1] = small
            n_pairs += 1
            if not friend[v]:
                if large == indptr[order[0] + 1] - indptr[order[0]]:
                    beaten = max(beaten, small)
                break
        for k in range(indptr[u], indptr[u + 1]):
            friend[indices[k]] = 0
    return pairs[:n_pairs]


def heaviest_pair(graph: Graph, end: Integers, common: Integers) -> int:
    """The largest end[p] + end[q] + (sum of common[d] over common neighbours) over pairs that have one; 0 without any.

    p and q are the degrees of the two without their own edge, d the degree of a common neighbour; weights are not
    negative.

    >>> flat = np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])
    >>> heaviest_pair(Graph.from_edges([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]), *flat)
    2
    """
    if isinstance(graph, EdgeTable):
        return graph.heaviest_pair(end, common)
    reach = neighbour_sums(graph, common)
    return int(_scan_pairs(graph.indptr, graph.indices, np.argsort(-reach), reach, end, common))


def _wedges(indptr: Any, *_: Any) -> int:
    degrees = np.diff(indptr)
    return int(degrees @ degrees)


@light_kernel_of(_wedges)
def _scan_pairs(indptr: Any, indices: Any, order: Any, reach: Any, end: Any, common: Any) -> Any:
    n_nodes = len(indptr) - 1
    weight = np.zeros(n_nodes, dtype=np.int64)
    friend = np.zeros(n_nodes, dtype=np.uint8)
    best = np.int64(0)
    heaviest_ends = 2 * end.max()
    for u in order:
        if reach[u] + heaviest_ends <= best:
            break
        row, degree = indices[indptr[u] : indptr[u + 1]], indptr[u + 1] - indptr[u]
        for w in row:
            friend[w] = 1
            for k in range(indptr[w], indptr[w + 1]):
                weight[indices[k]] += common[indptr[w + 1] - indptr[w]]
        for w in row:
            for k in range(indptr[w], indptr[w + 1]):
                v = indices[k]
                if weight[v] > 0 and v != u:
                    ends = end[degree - friend[v]] + end[indptr[v + 1] - indptr[v] - friend[v]]
                    best = max(best, weight[v] + ends)
                weight[v] = 0
        for w in row:
            friend[w] = 0
    return best
