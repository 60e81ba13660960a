"""Random simple graphs with exactly given joint degrees (2K).

A table is realisable iff, for all degrees k and l: the edge ends in k's rows fill a whole number n_k of people of
degree k, J(k, l) <= n_k n_l for k < l, and J(k, k) <= C(n_k, 2) (Stanton and Pinar 2012).

Construction (Gjoka, Tillman and Markopoulou 2015): for every cell (k, l), as many times as it asks, pick an unjoined
pair v of degree k, w of degree l and join it. A v without a free place first hands over one of its neighbours to
some v' of the same degree that has one: v has more neighbours than v', so one of them is not yet a neighbour of v'.
This changes no cell, and as the ends of each degree suffice for all its cells, some v' has room: nothing gets stuck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.pairs import add_pair, discard_pair, has_pair, new_pair_set
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.kernels import kernel

FRESH_TRIES = 8


def people_by_degree(table: DegreeTable) -> dict[int, int]:
    """{degree: number of people}; refuses a table that no simple graph realises, and says why.

    >>> people_by_degree(DegreeTable.from_rows([[1, 3], [2, 2], [2, 3]], [1, 1, 2]))
    {1: 1, 2: 2, 3: 1}
    """
    if table.degrees.shape[1] != 2 or (table.counts < 0).any() or (table.degrees < 1).any():
        raise ParameterError("a joint degree table has rows of two degrees of at least 1 and counts of at least 0")
    if (table.degrees[:, 0] > table.degrees[:, 1]).any():
        raise ParameterError("a joint degree table lists each pair of degrees once, the smaller one first")
    known, places = np.unique(table.degrees, return_inverse=True)
    places = places.reshape(-1, 2)
    ends = np.zeros(len(known), dtype=np.int64)
    np.add.at(ends, places, table.counts[:, np.newaxis])
    if len(odd := np.flatnonzero(ends % known)):
        fault = f"{ends[odd[0]]} edge ends at degree {known[odd[0]]}"
        raise ParameterError(f"{fault} do not make whole people: change the table")
    people = ends // known
    low, high = people[places].T
    pairs = np.where(places[:, 0] == places[:, 1], low * (low - 1) // 2, low * high)
    if len(crowded := np.flatnonzero(table.counts > pairs)):
        row = crowded[0]
        fault = f"{table.counts[row]} edges between degrees {table.degrees[row, 0]} and {table.degrees[row, 1]}"
        raise ParameterError(f"{fault}, which have {pairs[row]} pairs of people")
    return dict(zip(known.tolist(), people.tolist(), strict=True))


def joint_degree_graph(table: DegreeTable, *, isolated: int = 0, seed: int) -> Graph:
    """A random simple graph with exactly these joint degrees, plus people without edges; nodes by rising degree.

    >>> from graphveil.graph.statistics.degree_table import exact_joint_degrees
    >>> table = DegreeTable.from_rows([[1, 3], [2, 2], [2, 3]], [1, 1, 2])
    >>> exact_joint_degrees(joint_degree_graph(table, seed=1)) == table
    True
    """
    if isolated < 0:
        raise ParameterError(f"isolated is {isolated}; give at least 0")
    people = people_by_degree(table)
    sizes = np.fromiter(people.values(), dtype=np.int64)
    groups = np.fromiter(people, dtype=np.int64)
    build = _empty_build(groups, sizes, table.total)
    _realise(np.random.default_rng(seed), np.searchsorted(groups, table.degrees), table.counts, build)
    ends = np.stack((np.repeat(np.arange(len(build.filled)), build.filled), build.rows), axis=1)
    return Graph.from_edges(ends[ends[:, 0] < ends[:, 1]] + isolated, n_nodes=len(build.filled) + isolated)


class _Build(NamedTuple):
    """A graph under construction; nodes are numbered by group, a group being the people of one degree.

    Node u's neighbours are `rows[indptr[u]:]`, `filled[u]` of them so far, and `pairs` holds all edges. `nodes` lists
    each group's nodes, the `n_open[group]` ones with a free place first; `place[u]` is where u stands in it.
    """

    indptr: Integers
    rows: Integers
    filled: Integers
    pairs: Integers
    group_of: Integers
    group_start: Integers
    n_open: Integers
    nodes: Integers
    place: Integers


def _empty_build(groups: Integers, sizes: Integers, n_edges: int) -> _Build:
    n_nodes = int(sizes.sum())
    return _Build(
        indptr=np.concatenate(([0], np.cumsum(np.repeat(groups, sizes)))),
        rows=np.empty(2 * n_edges, dtype=np.int64),
        filled=np.zeros(n_nodes, dtype=np.int64),
        pairs=new_pair_set(n_edges),
        group_of=np.repeat(np.arange(len(sizes)), sizes),
        group_start=np.concatenate(([0], np.cumsum(sizes))),
        n_open=sizes.copy(),
        nodes=np.arange(n_nodes),
        place=np.arange(n_nodes),
    )


@kernel
def _realise(rng: Any, cells: Any, counts: Any, build: Any) -> None:
    """Add all edges, cell by cell."""
    for cell in range(len(cells)):
        for _ in range(counts[cell]):
            v, w = _pick_pair(rng, cells[cell, 0], cells[cell, 1], build)
            if _is_full(v, build):
                _hand_over(rng, v, -1, build)
            if _is_full(w, build):
                # v keeps its last free place for w
                _hand_over(rng, w, v if _free_places(v, build) == 1 else -1, build)
            add_pair(build.pairs, v, w)
            _append(v, w, build)
            _append(w, v, build)


@kernel
def _pick_pair(rng: Any, group: Any, other_group: Any, build: Any) -> Any:
    """A random unjoined pair of two groups, at first among nodes with a free place."""
    tries = 0
    while True:
        fresh = tries < FRESH_TRIES
        tries += 1
        v = _pick_open(rng, group, build) if fresh else _pick_any(rng, group, build)
        w = _pick_open(rng, other_group, build) if fresh else _pick_any(rng, other_group, build)
        if v != w and not has_pair(build.pairs, v, w):
            return v, w


@kernel
def _pick_open(rng: Any, group: Any, build: Any) -> Any:
    return build.nodes[build.group_start[group] + int(rng.random() * build.n_open[group])]


@kernel
def _pick_any(rng: Any, group: Any, build: Any) -> Any:
    size = build.group_start[group + 1] - build.group_start[group]
    return build.nodes[build.group_start[group] + int(rng.random() * size)]


@kernel
def _hand_over(rng: Any, full: Any, never: Any, build: Any) -> None:
    """Free a place of `full` by giving one of its neighbours to another node of its group, but not to `never`."""
    heir = never
    while heir == never:
        heir = _pick_open(rng, build.group_of[full], build)
    first, end = build.indptr[full], build.indptr[full + 1]
    k = first + int(rng.random() * (end - first))
    while build.rows[k] == heir or has_pair(build.pairs, heir, build.rows[k]):
        k = k + 1 if k + 1 < end else first
    given = build.rows[k]
    discard_pair(build.pairs, full, given)
    add_pair(build.pairs, heir, given)
    build.rows[k] = build.rows[end - 1]
    build.filled[full] -= 1
    _move_in_group(full, build.n_open[build.group_of[full]], build)
    build.n_open[build.group_of[full]] += 1
    k = build.indptr[given]
    while build.rows[k] != full:
        k += 1
    build.rows[k] = heir
    _append(heir, given, build)


@kernel
def _append(u: Any, v: Any, build: Any) -> None:
    """Write v into u's row; a row that is full leaves the open part of its group."""
    build.rows[build.indptr[u] + build.filled[u]] = v
    build.filled[u] += 1
    if _is_full(u, build):
        build.n_open[build.group_of[u]] -= 1
        _move_in_group(u, build.n_open[build.group_of[u]], build)


@kernel
def _move_in_group(u: Any, rank: Any, build: Any) -> None:
    """Exchange u with the node at this rank of its group."""
    target = build.group_start[build.group_of[u]] + rank
    swapped = build.nodes[target]
    build.nodes[target], build.nodes[build.place[u]] = u, swapped
    build.place[swapped], build.place[u] = build.place[u], target


@kernel
def _free_places(u: Any, build: Any) -> Any:
    return build.indptr[u + 1] - build.indptr[u] - build.filled[u]


@kernel
def _is_full(u: Any, build: Any) -> Any:
    return _free_places(u, build) == 0
