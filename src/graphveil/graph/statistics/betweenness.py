"""Edge betweenness, exact and from sampled sources that converge; nothing here is private.

The betweenness of an edge is the sum over all unordered pairs {s, t} of the share of shortest s-t paths that use it:
networkx's unnormalised value for undirected graphs. Floats are in the order of `graph.edges()`.

Brandes 2001 computes, for a source s, the sum over targets t of that share. Sampling sources and scaling up converges
badly for the edges that matter: half of the value of an edge uv can come from u and v themselves as sources. Here
each edge is summed in a form in which its own ends are never sources. With r_st the share for the pair {s, t},

    2 B(uv) = 2 r_uv + Σ_{s∉{u,v}} ( Σ_{t∉{u,v}} r_st  +  2 r_su  +  2 r_sv ),      r_uv = 1,

because a pair apart from u, v is met from both of its ends, and a pair with one end in {u, v} from its other end only,
so it counts twice. With all people as sources this is exact; a sample estimates the mean of the bracket over the
n - 2 people other than u, v, without bias, and the constant 2 needs no sample.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.parallel import sum_over_parts
from graphveil.kernels import kernel

PARTS = 8


def exact_edge_betweenness(graph: Graph, *, threads: int | None = None) -> Floats:
    """Betweenness of every edge, in O(n m).

    >>> exact_edge_betweenness(Graph.from_edges([(0, 1), (1, 2), (1, 3)])).tolist()
    [3.0, 3.0, 3.0]
    """
    return edge_betweenness(graph, threads=threads)


def edge_betweenness(graph: Graph, people: Integers | None = None, *, threads: int | None = None) -> Floats:
    """Betweenness of every edge, without bias from these people as sources; exact without them."""
    sources = np.arange(graph.n_nodes) if people is None else people
    brackets = sum_over_parts(
        partial(_sum_brackets, graph.indptr, graph.indices), sources, 1 + len(sources) // PARTS, threads
    )
    is_source = np.zeros(graph.n_nodes, dtype=np.bool_)
    is_source[sources] = True
    values: Floats = _halve(graph.indptr, graph.indices, brackets, is_source, len(sources))
    return values


@kernel
def _halve(indptr: Any, indices: Any, brackets: Any, is_source: Any, n_sources: Any) -> Any:
    """Join the two directions of each edge, scale up to the n - 2 people besides its ends, add 2, halve."""
    n_nodes = len(indptr) - 1
    values = np.empty(len(indices) // 2)
    cursor = indptr[:-1].copy()
    write = 0
    for u in range(n_nodes):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if v > u:
                both = brackets[k] + brackets[cursor[v]]
                cursor[v] += 1
                others = n_sources - is_source[u] - is_source[v]
                values[write] = 1 + both * ((n_nodes - 2) / others) / 2 if others > 0 else 1.0
                write += 1
    return values


@kernel
def _sum_brackets(indptr: Any, indices: Any, sources: Any) -> Any:
    """For each place in the rows, v's row and neighbour w: the bracket of vw over sources that reach w through v.

    Of the shortest paths from the source to a target, `through[w]` is the share that ends with one given path to w,
    summed over all targets from w on; `direct[w]` is that share for the target w alone.
    """
    n_nodes = len(indptr) - 1
    brackets = np.zeros(len(indices))
    distance = np.full(n_nodes, -1, dtype=np.int32)
    paths = np.zeros(n_nodes)
    through = np.zeros(n_nodes)
    direct = np.zeros(n_nodes)
    queue = np.empty(n_nodes, dtype=np.int32)
    steps = np.empty(len(indices) // 2 + 1, dtype=np.int64)
    steps_end = np.zeros(n_nodes + 1, dtype=np.int64)
    for source in sources:
        reached = _search(indptr, indices, source, distance, paths, queue, steps, steps_end)
        for i in range(reached - 1, 0, -1):
            v = queue[i]
            beyond = 0.0
            for j in range(steps_end[i], steps_end[i + 1]):
                w = indices[steps[j]]
                beyond += through[w]
                brackets[steps[j]] += paths[v] * (through[w] + direct[w])
            direct[v] = 1 / paths[v]
            through[v] = beyond + direct[v]
            distance[v] = -1
        distance[source] = -1
    return brackets


@kernel
def _search(
    indptr: Any, indices: Any, source: Any, distance: Any, paths: Any, queue: Any, steps: Any, steps_end: Any
) -> Any:
    """Breadth-first search that counts shortest paths; returns the number of nodes reached.

    `queue` lists the reached nodes by distance; `steps` lists, node by node in that order, the places in the rows
    that lead one step further away.
    """
    distance[source] = 0
    paths[source] = 1
    queue[0] = source
    head, tail, write = 0, 1, 0
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if distance[w] < 0:
                distance[w] = distance[v] + 1
                paths[w] = 0
                queue[tail] = w
                tail += 1
            # added without a branch: which neighbours lie further away is hard to predict
            further = distance[w] == distance[v] + 1
            steps[write] = k
            write += further
            paths[w] += paths[v] * further
        steps_end[head] = write
    return tail
