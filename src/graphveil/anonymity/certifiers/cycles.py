"""Look for one automorphism that moves everybody in a cycle of at least k.

People with exactly the same friends can be exchanged freely, so the search is for a map of their classes, and a cycle
of classes is then run through as one long cycle of all members. A class is sent to another one of its colour;
refinement forces most of the rest, and where a choice is left, each class is sent to the next of equal colour, so that
cycles come out long. A choice that closes a cycle of fewer than k people is given up for the next. The next choice is
made where the last one had an effect, so that one part of the graph is finished before another is begun, and a dead end
does not undo what is unrelated to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.anonymity.certifiers.equivalence import equivalence_classes
from graphveil.anonymity.certifiers.isomorphism import Colours, keeps_edges, refine
from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

UNSETTLED = -1
STEPS = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Colours of the nodes and of their images: equal ones may be mapped. `touched` is when each one's cell was cut."""

    colours: Colours
    images: Colours
    touched: Integers


@dataclass(frozen=True, slots=True, eq=False)
class _Classes:
    """The graph of twin classes: `members[c]` are the nodes of class c, and `kind[c]` says how many and if joined."""

    graph: Graph
    members: list[Integers]
    kind: Colours

    @property
    def sizes(self) -> Integers:
        return np.array([len(nodes) for nodes in self.members], dtype=np.int64)


def long_cycled_automorphism(graph: Graph, k: int, steps: int = STEPS) -> Integers | None:
    """An automorphism all of whose cycles have k or more members, if one is found in so many steps."""
    classes = _collect(graph)
    sizes, rows = classes.sizes, (graph.indptr, graph.indices)
    colours = _refined(classes.graph, classes.kind)
    pending = [iter([_State(colours, colours, np.zeros(len(sizes), dtype=np.int64))])]
    image = np.arange(len(sizes))
    for _ in range(steps):
        if not _has_short_cycle(image, sizes, k):
            lifted = _run_through(image, classes.members, graph.n_nodes)
            if keeps_edges(*rows, *rows, lifted):
                return lifted
        while (state := next(pending[-1], None)) is None:
            pending.pop()
            if not pending:
                return None
        image = _next_of_equals(state)
        pending.append(_ways_to_send_one(classes.graph, sizes, k, state))
    return None


def cycles_of(image: Integers) -> Integers:
    """For every node the first node of its cycle under the permutation."""
    cycles: Integers = _label_cycles(image.astype(np.int64))
    return cycles


def _collect(graph: Graph) -> _Classes:
    firsts, class_of, sizes = np.unique(equivalence_classes(graph), return_inverse=True, return_counts=True)
    members = np.split(np.argsort(class_of, kind="stable"), np.cumsum(sizes)[:-1])
    edges = class_of[graph.edges()]
    joined = np.isin(np.arange(len(firsts)), edges[edges[:, 0] == edges[:, 1], 0])
    kind = (2 * sizes + joined + 1).astype(np.uint64)
    return _Classes(Graph.from_edges(edges, n_nodes=len(firsts)), members, kind)


def _refined(graph: Graph, colours: Colours, single: int | None = None) -> Colours:
    """The colours, one node singled out, refined."""
    fresh = colours.copy()
    if single is not None:
        fresh[single] = ~fresh[single]
    refine(graph.indptr, graph.indices, fresh)
    return fresh


def _ways_to_send_one(graph: Graph, sizes: Integers, k: int, state: _State) -> Iterator[_State]:
    """Send one node of an open cell to another, where refinement allows it and closes no short cycle."""
    alike = _cell_sizes(state.colours)
    if alike.max(initial=1) == 1:
        return
    node = int(np.lexsort((alike, -state.touched, alike == 1))[0])
    candidates = np.flatnonzero(state.images == state.colours[node])
    sent = _refined(graph, state.colours, node)
    touched = np.where(_cell_sizes(sent) < alike, state.touched.max() + 1, state.touched)
    for target in np.roll(candidates, -int(np.searchsorted(candidates, node, side="right"))):
        met = _refined(graph, state.images, int(target))
        settled = _settled(sent, met)
        if settled is not None and not _has_short_cycle(settled, sizes, k):
            yield _State(sent, met, touched)


def _cell_sizes(colours: Colours) -> Integers:
    """For every node how many have its colour."""
    _, cell, counts = np.unique(colours, return_inverse=True, return_counts=True)
    return counts[cell].astype(np.int64)


def _settled(colours: Colours, images: Colours) -> Integers | None:
    """The image of everybody who has a colour alone, else UNSETTLED; None if the two do not fit."""
    order, other_order = np.argsort(colours, kind="stable"), np.argsort(images, kind="stable")
    if not np.array_equal(colours[order], images[other_order]):
        return None
    _, first, counts = np.unique(colours[order], return_index=True, return_counts=True)
    image = np.full(len(order), UNSETTLED)
    image[order[first[counts == 1]]] = other_order[first[counts == 1]]
    return image


def _next_of_equals(state: _State) -> Integers:
    """The map that sends everybody to the next node of their colour, whoever is settled to their image."""
    order, other_order = np.argsort(state.colours, kind="stable"), np.argsort(state.images, kind="stable")
    _, starts, counts = np.unique(state.colours[order], return_index=True, return_counts=True)
    following = np.arange(1, len(order) + 1)
    following[starts + counts - 1] = starts
    image = np.empty(len(order), dtype=np.int64)
    image[order] = other_order[following]
    return image


def _run_through(image: Integers, members: list[Integers], n_nodes: int) -> Integers:
    """Each cycle of classes as one cycle of their members; classes of unequal sizes, no automorphism, as they are."""
    lifted = np.arange(n_nodes)
    cycles = cycles_of(image)
    for start in np.unique(cycles).tolist():
        ring, current = [members[start]], int(image[start])
        while current != start:
            ring.append(members[current])
            current = int(image[current])
        if len({len(nodes) for nodes in ring}) == 1:
            walk = np.column_stack(ring).ravel()
            lifted[walk] = np.roll(walk, -1)
    return lifted


@kernel
def _label_cycles(image: Any) -> Any:
    cycles = np.full(len(image), -1)
    for start in range(len(image)):
        node = start
        while cycles[node] < 0:
            cycles[node] = start
            node = image[node]
    return cycles


@kernel
def _has_short_cycle(image: Any, sizes: Any, k: Any) -> Any:
    """Whether a cycle of the (partial) map has fewer than k people."""
    for start in range(len(image)):
        node, people = image[start], sizes[start]
        while people < k and node not in (UNSETTLED, start):
            people += sizes[node]
            node = image[node]
        if node == start and people < k:
            return True
    return False
