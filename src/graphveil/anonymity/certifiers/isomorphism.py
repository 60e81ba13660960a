"""Are two small graphs the same up to names? Exact, by colour refinement and search.

Colour refinement gives two people different colours once the colours of their friends differ. Colours are 64-bit sums
that do not depend on names, so different colours prove two people different. People of equal colour are distinguished
by singling one out in each graph and refining again. A match is accepted only after every edge was mapped to an edge,
so a clash of two hashes can cost time but never an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers, Words
from graphveil.errors import ParameterError
from graphveil.graph.mix import STRIDE, mix
from graphveil.kernels import kernel

Rows = tuple[AnyIntegers, AnyIntegers]
Colours = Words
DIFFERENT, SAME, UNDECIDED = 0, 1, 2
SEARCH_STEPS = 20_000
START = 1


def isomorphisms(
    first: Rows, second: Rows, forbidden: Bits | None = None, steps: int = SEARCH_STEPS
) -> Iterator[Integers]:
    """All maps of the first graph onto the second that keep edges, except those that map u to v with forbidden[u, v].

    Refuses to go on after `steps` steps: on very regular graphs there may be too many possibilities.
    """
    size = len(first[0]) - 1
    if size != len(second[0]) - 1 or len(first[1]) != len(second[1]):
        return
    start = np.full(size, START, dtype=np.uint64)
    pending = [(start, start.copy())]
    for _ in range(steps):
        if not pending:
            return
        colours, others = pending.pop()
        refine(*first, colours)
        refine(*second, others)
        order, other_order = np.argsort(colours, kind="stable"), np.argsort(others, kind="stable")
        if not np.array_equal(colours[order], others[other_order]):
            continue
        repeated = np.flatnonzero(colours[order][1:] == colours[order][:-1])
        if len(repeated) == 0:
            image = np.empty(size, dtype=np.int64)
            image[order] = other_order
            allowed = forbidden is None or not forbidden[np.arange(size), image].any()
            if allowed and keeps_edges(*first, *second, image):
                yield image
            continue
        chosen = order[repeated[0]]
        pending.extend(
            (_single_out(colours, chosen), _single_out(others, candidate))
            for candidate in np.flatnonzero(others == colours[chosen])[::-1]
            if forbidden is None or not forbidden[chosen, candidate]
        )
    raise ParameterError(
        f"a structure of {size:,} people is too regular to decide in {steps:,} steps; use a weaker notion"
    )


def _single_out(colours: Colours, node: int) -> Colours:
    single = colours.copy()
    single[node] = ~single[node]
    return single


@kernel
def match(indptr: Any, indices: Any, other_indptr: Any, other_indices: Any) -> Any:
    """SAME, DIFFERENT or, where singling out the first of equals at each step leads nowhere, UNDECIDED."""
    size = len(indptr) - 1
    if size != len(other_indptr) - 1 or len(indices) != len(other_indices):
        return DIFFERENT
    colours = np.full(size, np.uint64(START))
    others = np.full(size, np.uint64(START))
    image = np.empty(size, dtype=np.int64)
    failure = DIFFERENT
    while True:
        refine(indptr, indices, colours)
        refine(other_indptr, other_indices, others)
        order, other_order = np.argsort(colours), np.argsort(others)
        single = -1
        for i in range(size):
            if colours[order[i]] != others[other_order[i]]:
                return failure
            if single < 0 and i + 1 < size and colours[order[i]] == colours[order[i + 1]]:
                single = i
            image[order[i]] = other_order[i]
        if keeps_edges(indptr, indices, other_indptr, other_indices, image):
            return SAME
        if single < 0:
            return failure
        failure = UNDECIDED
        colours[order[single]] = ~colours[order[single]]
        others[other_order[single]] = ~others[other_order[single]]


@kernel
def keeps_edges(indptr: Any, indices: Any, other_indptr: Any, other_indices: Any, image: Any) -> Any:
    """Whether every edge is mapped to an edge; rows must be sorted."""
    for u in range(len(indptr) - 1):
        start, end = other_indptr[image[u]], other_indptr[image[u] + 1]
        for i in range(indptr[u], indptr[u + 1]):
            v = image[indices[i]]
            place = start + np.searchsorted(other_indices[start:end], v)
            if place == end or other_indices[place] != v:
                return False
    return True


@kernel
def refine(indptr: Any, indices: Any, colours: Any) -> Any:
    """Refine the colours in place until no more of them appear; returns how many there are."""
    size = len(colours)
    fresh = np.empty_like(colours)
    count = 0
    while True:
        rising = np.sort(colours)
        distinct = min(size, 1)
        for i in range(1, size):
            distinct += rising[i] != rising[i - 1]
        if distinct <= count or distinct == size:
            return distinct
        count = distinct
        for u in range(size):
            total = np.uint64(0)
            for i in range(indptr[u], indptr[u + 1]):
                total += mix(colours[indices[i]])
            fresh[u] = mix(colours[u] + STRIDE * total)
        colours[:] = fresh
