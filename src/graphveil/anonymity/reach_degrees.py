"""Realise wanted degrees on a graph: all the steps of `edge_edits`, cheapest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.edge_edits import (
    absorb_fall,
    absorb_rise,
    edge_table,
    edges_in,
    lacking,
    move,
    part,
)
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
    absorb_rise(table, *rows, wanted, final, crowd, k, rng.permutation(np.flatnonzero(members)), apart)
    absorb_fall(table, *rows, wanted, final, crowd, k, members)
    if not apart:
        _even_out(wanted, final, crowd, k)
        switch(rng, table, *rows, wanted, graph.edges())
    return None if wanted.any() else edges_in(table)


def _even_out(
    wanted: NDArray[np.int64],
    targets: NDArray[np.int64],
    crowd: NDArray[np.int64],
    k: int,
) -> None:
    """Where one unit would be left over, let somebody of a crowded degree want the same: switches serve two."""
    sign = int(np.sign(wanted.sum()))
    if wanted.sum() % 2 == 0:
        return
    neighbour = np.clip(targets + sign, 0, None)
    ready = np.flatnonzero((wanted == 0) & (crowd[targets] > k) & (crowd[neighbour] >= k) & (neighbour != targets))
    if len(ready):
        chosen = ready[targets[ready].argmax()]  # somebody with many friends, so that a switch is soon found
        wanted[chosen] += sign
        crowd[targets[chosen]] -= 1
        crowd[neighbour[chosen]] += 1
