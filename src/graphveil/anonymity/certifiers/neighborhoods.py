"""k-neighbourhood anonymity, checked: whose friends are joined to each other in the same way.

The neighbourhood of u is the graph of u's friends and the edges among them (Zhou and Pei 2008). People are first sorted
by an invariant of it, the colours of its refinement; neighbourhoods with different invariants differ for certain. Where
every such group has k people, equal invariants prove nothing yet: each neighbourhood is compared exactly with one
representative of every kind in its group.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.anonymity.certificate import Certificate, certificate_of_classes
from graphveil.anonymity.certifiers.isomorphism import SAME, START, UNDECIDED, isomorphisms, match, refine
from graphveil.arrays import AnyIntegers, Integers, Words
from graphveil.graph.core import Graph
from graphveil.graph.mix import STRIDE, mix
from graphveil.kernels import kernel


def certify_k_neighborhood(graph: Graph, k: int) -> Certificate:
    """Whether everybody's neighbourhood is isomorphic to those of at least k - 1 others.

    >>> bowtie = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)])
    >>> certify_k_neighborhood(bowtie, 2).worst_class.members
    (2,)
    """
    classes, basis = candidate_groups(graph), "exact: an invariant of neighbourhoods tells them apart"
    if np.unique(classes, return_counts=True)[1].min(initial=k) >= k:
        classes, basis = neighborhood_classes(graph, classes), "exact: neighbourhoods compared by isomorphism"
    return certificate_of_classes(
        graph, classes, method="k-neighbourhood", k=k, shared="a neighbourhood of {degree} people", basis=basis
    )


def candidate_groups(graph: Graph) -> Integers:
    """For every node a number that isomorphic neighbourhoods share (and, as good as always, no others)."""
    return np.unique(neighborhood_invariants(graph), return_inverse=True)[1].astype(np.int64)


def neighborhood_invariants(graph: Graph) -> Words:
    """A number made from every node's neighbourhood that does not depend on names, and is the same for all graphs."""
    invariants: Words = _invariants(graph.indptr, graph.indices)
    return invariants


def neighborhood_classes(graph: Graph, group_of: Integers) -> Integers:
    """For every node the representative whose neighbourhood is isomorphic to its own."""
    order = np.argsort(group_of, kind="stable")
    classes: Integers = _compare_within(graph.indptr, graph.indices, order, group_of)
    for node in np.flatnonzero(classes < 0):
        known = np.unique(classes[(group_of == group_of[node]) & (classes >= 0)])
        own = neighborhood(graph, int(node))
        same = (other for other in known if any(True for _ in isomorphisms(own, neighborhood(graph, int(other)))))
        classes[node] = next(same, node)
    return classes


def neighborhood(graph: Graph, node: int) -> tuple[AnyIntegers, AnyIntegers]:
    """The graph among the friends of a node, in rows, friends numbered in rising order."""
    place = np.full(graph.n_nodes, -1, dtype=np.int64)
    rows: tuple[AnyIntegers, AnyIntegers] = _rows_among_friends(graph.indptr, graph.indices, node, place)
    return rows


@kernel
def _rows_among_friends(indptr: Any, indices: Any, node: Any, place: Any) -> Any:
    """`place` is scratch: -1 everywhere, and again afterwards."""
    friends = indices[indptr[node] : indptr[node + 1]]
    for i in range(len(friends)):
        place[friends[i]] = i
    starts = np.zeros(len(friends) + 1, dtype=np.int64)
    for i in range(len(friends)):
        for j in range(indptr[friends[i]], indptr[friends[i] + 1]):
            starts[i + 1] += place[indices[j]] >= 0
        starts[i + 1] += starts[i]
    inside = np.empty(starts[-1], dtype=np.int64)
    write = 0
    for friend in friends:
        for j in range(indptr[friend], indptr[friend + 1]):
            if place[indices[j]] >= 0:
                inside[write] = place[indices[j]]
                write += 1
    for friend in friends:
        place[friend] = -1
    return starts, inside


@kernel
def _invariants(indptr: Any, indices: Any) -> Any:
    n_nodes = len(indptr) - 1
    invariants = np.empty(n_nodes, dtype=np.uint64)
    place = np.full(n_nodes, -1)
    for u in range(n_nodes):
        starts, inside = _rows_among_friends(indptr, indices, u, place)
        colours = np.full(len(starts) - 1, np.uint64(START))
        refine(starts, inside, colours)
        total = np.uint64(len(colours))
        for colour in colours:
            total += mix(colour)
        invariants[u] = mix(total + np.uint64(len(inside)) * STRIDE)
    return invariants


@kernel
def _compare_within(indptr: Any, indices: Any, order: Any, group_of: Any) -> Any:
    """The representative of every node's class, or -1 where the quick comparison cannot tell."""
    classes = np.full(len(order), -1)
    place = np.full(len(order), -1)
    representatives = np.empty(len(order), dtype=np.int64)
    n_representatives = 0
    for position in range(len(order)):
        u = order[position]
        if position == 0 or group_of[order[position - 1]] != group_of[u]:
            n_representatives = 0
        own_starts, own_inside = _rows_among_friends(indptr, indices, u, place)
        undecided = False
        for i in range(n_representatives):
            starts, inside = _rows_among_friends(indptr, indices, representatives[i], place)
            verdict = match(starts, inside, own_starts, own_inside)
            if verdict == SAME:
                classes[u] = representatives[i]
                break
            undecided |= verdict == UNDECIDED
        if classes[u] < 0 and not undecided:
            classes[u] = u
            representatives[n_representatives] = u
            n_representatives += 1
    return classes
