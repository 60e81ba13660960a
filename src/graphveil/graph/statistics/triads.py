"""Exact counts of directed patterns of three people, and how many of them one further arc could close.

transitive triples  a -> b -> c with a -> c
cyclic triples      a -> b -> c -> a
2-paths             a -> b -> c with a and c two people

Patterns are counted wherever their arcs are, whatever else joins the three. Nothing here is private. Counts of one
person fit into 64 bits; their sums are Python's own integers.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.directed import DirectedGraph
from graphveil.kernels import kernel


def out_rows(graph: DirectedGraph) -> tuple[Integers, Integers]:
    """Whom each person points at, as compressed rows."""
    starts = np.concatenate(([0], np.cumsum(graph.out_degrees)))
    return starts.astype(np.int64), np.ascontiguousarray(graph.arcs[:, 1], dtype=np.int64)


def in_rows(graph: DirectedGraph) -> tuple[Integers, Integers]:
    """Who points at each person, as compressed rows."""
    starts = np.concatenate(([0], np.cumsum(graph.in_degrees)))
    order = np.argsort(graph.arcs[:, 1], kind="stable")
    return starts.astype(np.int64), np.ascontiguousarray(graph.arcs[order, 0], dtype=np.int64)


def exact_transitive_triples(graph: DirectedGraph) -> int:
    """How many arcs a -> c have a person b between them, a -> b -> c, each counted.

    >>> exact_transitive_triples(DirectedGraph.from_arcs([(0, 1), (1, 2), (0, 2)]))
    1
    """
    return int(sum(_count_closed(*out_rows(graph), *out_rows(graph)).tolist()))


def exact_cyclic_triples(graph: DirectedGraph) -> int:
    """How many triples of people point at each other in a circle.

    >>> exact_cyclic_triples(DirectedGraph.from_arcs([(0, 1), (1, 2), (2, 0)]))
    1
    """
    return int(sum(_count_closed(*out_rows(graph), *in_rows(graph)).tolist())) // 3


def exact_two_paths(graph: DirectedGraph) -> int:
    """How many times one person points at a second, who points at a third.

    >>> exact_two_paths(DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2)]))
    1
    """
    through = int((graph.in_degrees.astype(object) * graph.out_degrees).sum()) if graph.n_nodes else 0
    return through - 2 * (len(graph.arcs) - graph.n_edges)  # there and back is no path between two people


def most_transitive_triples(graph: DirectedGraph) -> int:
    """The most transitive triples that one arc makes or would make: its people c by where their two arcs point."""
    return _most(partial(_scan_pairs, and_sides=True), graph, 2 * graph.out_degrees + graph.in_degrees)


def most_cyclic_triples(graph: DirectedGraph) -> int:
    """The most cyclic triples that one arc closes or would close: paths back from its end to its start."""
    return _most(partial(_scan_pairs, and_sides=False), graph, graph.out_degrees)


def most_two_paths(graph: DirectedGraph) -> int:
    """The most 2-paths that one arc makes or would make: arcs into its start and out of its end."""
    into, out = graph.in_degrees, graph.out_degrees
    by_in, by_out = np.argsort(-into, kind="stable"), np.argsort(-out, kind="stable")
    return int(_scan_ends(*in_rows(graph), into, out, by_in, by_out))


def _most(scan: Any, graph: DirectedGraph, limits: Integers) -> int:
    """The best of all pairs, beginning with people whose arcs allow most."""
    order = np.argsort(-limits, kind="stable")
    return int(scan(*out_rows(graph), *in_rows(graph), order, limits))


@kernel
def _count_closed(starts: Any, ends: Any, closing_starts: Any, closing: Any) -> Any:
    """For every person a, the paths a -> b -> c whose c is in the closing row of a."""
    n_nodes = len(starts) - 1
    counts = np.zeros(n_nodes, dtype=np.int64)
    marks = np.zeros(n_nodes, dtype=np.uint8)
    for a in range(n_nodes):
        for i in range(closing_starts[a], closing_starts[a + 1]):
            marks[closing[i]] = 1
        for i in range(starts[a], starts[a + 1]):
            b = ends[i]
            for j in range(starts[b], starts[b + 1]):
                counts[a] += marks[ends[j]]
        for i in range(closing_starts[a], closing_starts[a + 1]):
            marks[closing[i]] = 0
    return counts


@kernel
def _scan_pairs(
    starts: Any,
    ends: Any,
    in_starts: Any,
    in_ends: Any,
    order: Any,
    limits: Any,
    and_sides: bool,  # noqa: FBT001
) -> Any:
    """The most people c with a -> c -> b over pairs; with sides, also those with a -> c <- b and a <- c -> b.

    A person a has at most `limits[a]` with anybody, so the scan ends where that is no more than the best.
    """
    n_nodes = len(starts) - 1
    between = np.zeros(n_nodes, dtype=np.int64)
    best = np.int64(0)
    for place in range(n_nodes):
        a = order[place]
        if limits[a] <= best:
            break
        for i in range(starts[a], starts[a + 1]):
            c = ends[i]
            for j in range(starts[c], starts[c + 1]):
                between[ends[j]] += 1
            if and_sides:
                for j in range(in_starts[c], in_starts[c + 1]):
                    between[in_ends[j]] += 1
        if and_sides:
            for i in range(in_starts[a], in_starts[a + 1]):
                c = in_ends[i]
                for j in range(starts[c], starts[c + 1]):
                    between[ends[j]] += 1
        between[a] = 0
        for b in range(n_nodes):
            best = max(best, between[b])
            between[b] = 0
    return best


@kernel
def _scan_ends(in_starts: Any, in_ends: Any, into: Any, out: Any, by_in: Any, by_out: Any) -> Any:
    """The most of in(a) + out(b), less 2 where b points at a, over two people a and b."""
    n_nodes = len(in_starts) - 1
    back = np.zeros(n_nodes, dtype=np.uint8)
    best = np.int64(0)
    for place in range(n_nodes):
        a = by_in[place]
        if into[a] + out[by_out[0]] <= best:
            break
        for i in range(in_starts[a], in_starts[a + 1]):
            back[in_ends[i]] = 1
        for other in range(n_nodes):
            b = by_out[other]
            if into[a] + out[b] <= best:
                break
            if b != a:
                best = max(best, into[a] + out[b] - 2 * back[b])
        for i in range(in_starts[a], in_starts[a + 1]):
            back[in_ends[i]] = 0
    return best
