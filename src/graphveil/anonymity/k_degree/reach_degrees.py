"""Realise wanted degrees on a graph: all the steps of `edits`, cheapest first.

People of crowded degrees absorb what others lack, or have too many of (`absorb`). Person w may change over from degree
d to d + 1 (or d - 1) if more than k people have d and at least k have the other: then both are still shared by k. Where
nobody has the other degree yet, k people of a degree with 2k or more may change over together. `crowd[d]` counts the
members with target d; it is 0 or at least k throughout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.anonymity.k_degree.edits import edge_table, edges_in, join, lacking, may_join, move, part, switch
from graphveil.arrays import Bits, Integers
from graphveil.graph.core import Graph
from graphveil.graph.pairs import add_pair, discard_pair, has_pair
from graphveil.kernels import kernel


@kernel
def absorb(
    table: Any,
    indptr: Any,
    indices: Any,
    wanted: Any,
    targets: Any,
    crowd: Any,
    k: Any,
    members: Any,
    order: Any,
    step: Any,
    apart: Any,
) -> None:
    """Join those who lack edges to members (step 1), or part those with too many from members who are friends (-1).

    `order` lists everybody in random order.
    """
    for u in order:
        if wanted[u] * step <= 0:
            continue
        helpers = _helpers(table, indptr, indices, wanted, members, order, u, step, apart)
        if not (apart and step > 0):  # there, joining one helper may rule out another, and k of them are needed
            _open_degree(table, wanted, targets, crowd, k, helpers, u, step)
        for w in helpers:
            old, new = targets[w], targets[w] + step
            if wanted[u] == 0 or new < 0 or has_pair(table, u, w) == (step > 0):
                continue
            if crowd[old] > k and crowd[new] >= k and (step < 0 or may_join(table, indptr, indices, u, w, apart)):
                _change_over(table, wanted, targets, crowd, u, w, step)


@kernel
def _helpers(
    table: Any, indptr: Any, indices: Any, wanted: Any, members: Any, order: Any, u: Any, step: Any, apart: Any
) -> Any:
    """Members who want nothing themselves and may be joined to u, or parted from u."""
    helpers = np.empty(len(order), dtype=np.int64)
    count = 0
    for w in order:
        if members[w] and wanted[w] == 0:
            fits = may_join(table, indptr, indices, u, w, apart) if step > 0 else has_pair(table, u, w)
            if fits:
                helpers[count] = w
                count += 1
    return helpers[:count]


@kernel
def _open_degree(table: Any, wanted: Any, targets: Any, crowd: Any, k: Any, helpers: Any, u: Any, step: Any) -> None:
    """Have k helpers of the degree with most of them change over to a degree that nobody has."""
    if abs(wanted[u]) < k:
        return
    ready = np.zeros(len(crowd), dtype=np.int64)
    for w in helpers:
        new = targets[w] + step
        if new >= 0 and crowd[new] == 0 and crowd[targets[w]] >= 2 * k:
            ready[targets[w]] += 1
    old = ready.argmax()
    if ready[old] < k:
        return
    missing = k
    for w in helpers:
        if missing > 0 and targets[w] == old:
            _change_over(table, wanted, targets, crowd, u, w, step)
            missing -= 1


@kernel
def _change_over(table: Any, wanted: Any, targets: Any, crowd: Any, u: Any, w: Any, step: Any) -> None:
    if step > 0:
        add_pair(table, u, w)
    else:
        discard_pair(table, u, w)
    wanted[u] -= step
    crowd[targets[w]] -= 1
    targets[w] += step
    crowd[targets[w]] += 1


def reach_degrees(
    graph: Graph, targets: Integers, k: int, rng: np.random.Generator, *, members: Bits, apart: bool = False
) -> Integers | None:
    """The edges after few changes, in which every member has a degree shared by k members; None if stuck.

    Members have their degree in `targets`, or another one that at least k of them have; others keep their degree. With
    `apart`, no triangle is made and everybody who is not a member keeps their number of friends outside triangles.
    """
    wanted = targets - graph.degrees
    wanted[~members] = 0
    room = int(np.abs(wanted).sum())
    table, rows = edge_table(graph.edges(), room), (graph.indptr, graph.indices)
    final = targets.copy()
    crowd = np.bincount(final[members], minlength=graph.n_nodes + 1)
    join(table, *rows, wanted, apart)
    part(table, *rows, wanted, lacking(-wanted))
    move(rng, table, *rows, wanted, lacking(wanted), lacking(-wanted), apart)
    order = rng.permutation(graph.n_nodes)
    for step in (1, -1):
        absorb(table, *rows, wanted, final, crowd, k, members, order, step, apart)
    left = int(wanted.sum())
    if apart:
        recruited = _recruit(wanted, final, crowd, k, order[members[order]], -left)
        move(rng, table, *rows, wanted, lacking(wanted), lacking(-wanted), apart)
        wanted[recruited[wanted[recruited] * left < 0]] = 0  # whoever was not needed stays at their degree
    else:
        by_degree = np.argsort(-final, kind="stable")  # somebody with many friends, so that a switch is soon found
        _recruit(wanted, final, crowd, k, by_degree, int(np.sign(left)) * (left % 2))
        switch(rng, table, *rows, wanted, graph.edges())
    return None if wanted.any() else edges_in(table)


def _recruit(wanted: Integers, targets: Integers, crowd: Integers, k: int, order: Integers, count: int) -> Integers:
    """Have up to |count| people of crowded degrees want one edge more (or less); the first in order who may."""
    step = 1 if count > 0 else -1
    recruited: list[int] = []
    for node in order[wanted[order] == 0].tolist():
        if len(recruited) == abs(count):
            break
        old, new = targets[node], targets[node] + step
        if new >= 0 and crowd[old] > k and crowd[new] >= k:
            wanted[node] = step
            crowd[old] -= 1
            crowd[new] += 1
            recruited.append(node)
    return np.array(recruited, dtype=np.int64)
