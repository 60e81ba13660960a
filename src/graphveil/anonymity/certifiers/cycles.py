"""Look for one automorphism that moves everybody in a cycle of at least k.

A person of the smallest colour class is sent to another one of it; refinement then forces most of the rest, and where a
choice is left, each person is sent to the next of equal colour, so that cycles come out long. People with exactly the
same friends can be exchanged freely: a cycle of such classes is run through as one long cycle of all their members.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.certifiers.isomorphism import START, Colours, keeps_edges, refine
from graphveil.anonymity.certifiers.twins import twin_classes
from graphveil.graph.core import Graph
from graphveil.kernels import kernel

UNSETTLED = -1
STEPS = 2_000


def long_cycled_automorphism(graph: Graph, k: int, steps: int = STEPS) -> NDArray[np.int64] | None:
    """An automorphism all of whose cycles have k or more members, if one is found in so many steps."""
    rows, twins = (graph.indptr, graph.indices), twin_classes(graph)
    colours = np.full(graph.n_nodes, START, dtype=np.uint64)
    refine(*rows, colours)
    exchanged = _run_through_twins(np.arange(graph.n_nodes), twins)
    if shortest_cycle(exchanged) >= k:
        return exchanged
    pending = [iter([(colours, colours)])]
    for _ in range(steps):
        if not pending:
            return None
        choice = next(pending[-1], None)
        if choice is None:
            pending.pop()
            continue
        image = _run_through_twins(_next_of_equals(*choice), twins)
        if shortest_cycle(image) >= k and keeps_edges(*rows, *rows, image):
            return image
        pending.append(_ways_to_send_one(graph, k, *choice))
    return None


def shortest_cycle(image: NDArray[np.int64]) -> int:
    """The length of the shortest cycle of the permutation."""
    return int(np.unique(cycles_of(image), return_counts=True)[1].min(initial=len(image)))


def cycles_of(image: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every node the first node of its cycle under the permutation."""
    cycles: NDArray[np.int64] = _label_cycles(image.astype(np.int64))
    return cycles


def _ways_to_send_one(graph: Graph, k: int, colours: Colours, images: Colours) -> Iterator[tuple[Colours, Colours]]:
    """Send one person of the smallest open class to another, where refinement allows it and closes no short cycle."""
    classes, sizes = np.unique(colours, return_counts=True)
    if sizes.max() == 1:
        return
    smallest = classes[sizes > 1][sizes[sizes > 1].argmin()]
    node = int(np.flatnonzero(colours == smallest)[0])
    candidates = np.flatnonzero(images == smallest)
    sent = _single_out(graph, colours, node)
    for target in np.roll(candidates, -int(np.searchsorted(candidates, node, side="right"))):
        met = _single_out(graph, images, int(target))
        if np.array_equal(np.sort(sent), np.sort(met)) and not _closes_short_cycle(sent, met, k):
            yield sent, met


def _single_out(graph: Graph, colours: Colours, node: int) -> Colours:
    single = colours.copy()
    single[node] = ~single[node]
    refine(graph.indptr, graph.indices, single)
    return single


def _closes_short_cycle(colours: Colours, images: Colours, k: int) -> bool:
    """Whether people whose image is settled already run in a cycle of fewer than k."""
    classes, first, sizes = np.unique(colours, return_index=True, return_counts=True)
    settled = np.flatnonzero(sizes == 1)
    image = np.full(len(colours), UNSETTLED)
    image[first[settled]] = np.argsort(images)[np.searchsorted(np.sort(images), classes[settled])]
    return bool(_has_short_cycle(image, k))


def _next_of_equals(colours: Colours, images: Colours) -> NDArray[np.int64]:
    """The map that sends everybody to the next person of their colour, whoever is settled to their image."""
    order, other_order = np.argsort(colours, kind="stable"), np.argsort(images, kind="stable")
    ends = np.flatnonzero(np.append(colours[order][1:] != colours[order][:-1], True))
    following = np.arange(1, len(order) + 1)
    following[ends] = np.append(0, ends[:-1] + 1)
    image = np.empty(len(order), dtype=np.int64)
    image[order] = other_order[following]
    return image


def _run_through_twins(image: NDArray[np.int64], twins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same map of twin classes, each cycle of classes run through as one cycle of their members."""
    members: dict[int, list[int]] = {}
    for node, first in enumerate(twins.tolist()):
        members.setdefault(first, []).append(node)
    joined = image.copy()
    served: set[int] = set()
    for first in members:
        ring, current = [], first
        while current not in served:
            served.add(current)
            ring.append(members[current])
            current = int(twins[image[current]])
        if not ring:
            continue
        if len({len(row) for row in ring}) > 1:
            return image  # no map of twin classes: such an image is no automorphism
        walk = [node for row in zip(*ring, strict=True) for node in row]
        joined[walk] = walk[1:] + walk[:1]
    return joined


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
def _has_short_cycle(image: Any, k: Any) -> Any:
    for start in range(len(image)):
        node = image[start]
        for _ in range(k - 2):
            if node in (UNSETTLED, start):
                break
            node = image[node]
        if node == start:
            return True
    return False
