"""Realise wanted degrees on a graph: all the steps of `edge_edits`, cheapest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.absorbing import absorb
from graphveil.anonymity.edge_edits import edge_table, edges_in, lacking, move, part
from graphveil.anonymity.edge_switches import switch
from graphveil.anonymity.joining import join
from graphveil.graph.core import Graph


def reach_degrees(
    graph: Graph,
    targets: NDArray[np.int64],
    k: int,
    rng: np.random.Generator,
    *,
    members: NDArray[np.bool_],
    apart: bool = False,
) -> NDArray[np.int64] | None:
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


def _recruit(
    wanted: NDArray[np.int64],
    targets: NDArray[np.int64],
    crowd: NDArray[np.int64],
    k: int,
    order: NDArray[np.int64],
    count: int,
) -> NDArray[np.int64]:
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
