"""The linear program that keeps as many patterns as it can while nobody is part of more than `tau` of them.

A pattern is a set of people: the two ends of an edge, the three people of a 2-star or of a triangle. With x_t the part
of pattern t that is kept,

    F_tau(G) = max sum_t x_t   where   0 <= x_t <= 1   and   sum of x_t over the patterns of any person <= tau.

Sensitivity: a person who joins raises F_tau by an amount in [0, tau]. What was kept may still be kept, with nothing of
the new patterns; and from what is kept with the new person, leaving out their patterns loses at most tau.

Collapse: a person with at most tau patterns in all can never reach tau, so only the others, the *heavy* people, need a
constraint. Patterns with the same heavy people are then alike: they are one column, whose variable lies between 0 and
their number. Patterns without heavy people are kept whole. At the bounds that matter a few hundred people are heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers, SmallIntegers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import exact_triangles_per_node, oriented_rows
from graphveil.kernels import kernel


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A collapsed program: max sum x, 0 <= x <= sizes, and every heavy person within `tau`.

    A row of `members` names the heavy people of a column, numbered from 1 on; 0 stands for nobody. `free` patterns have
    no heavy people.
    """

    tau: int
    n_heavy: int
    members: SmallIntegers  # three to a column
    sizes: Integers
    free: int

    @property
    def total(self) -> int:
        """The number of all patterns."""
        return self.free + int(self.sizes.sum())


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of pattern: everybody's number of them, and the columns that hold heavy people."""

    name: str
    size: int  # people in one pattern
    loads: Callable[[Graph], Integers]
    columns: Callable[[Graph, Integers, int], tuple[SmallIntegers, Integers]]

    def program(self, graph: Graph, loads: Integers, tau: int) -> Program:
        """The collapsed program at one bound; `loads` are those of the graph."""
        n_nodes = len(graph.indptr) - 1  # an engine without rows is refused here, whatever the bound is
        heavy = np.flatnonzero(loads > tau)
        if not len(heavy):
            none = np.zeros((0, 3), dtype=np.int32)
            return Program(tau, 0, none, np.zeros(0, dtype=np.int64), count_patterns(self, loads))
        numbers = np.zeros(n_nodes, dtype=np.int64)
        numbers[heavy] = np.arange(1, len(heavy) + 1)
        members, sizes = self.columns(graph, numbers, len(heavy))
        return Program(tau, len(heavy), members, sizes, count_patterns(self, loads) - int(sizes.sum()))


def count_patterns(pattern: Pattern, loads: Integers) -> int:
    """The number of patterns: every one is counted by each of its people."""
    return int(sum(loads.tolist())) // pattern.size


def _edge_columns(graph: Graph, numbers: Integers, n_heavy: int) -> tuple[SmallIntegers, Integers]:
    ends = numbers[graph.edges()]
    return _merge(np.column_stack((np.zeros(len(ends), dtype=np.int64), ends)), None, n_heavy)


def _two_star_loads(graph: Graph) -> Integers:
    """As the middle, a pair of friends; as an end, a friend and another friend of theirs."""
    degrees = graph.degrees.astype(np.int64)
    ends: Integers = np.zeros(graph.n_nodes, dtype=np.int64)
    edges = graph.edges()
    for one, other in ((0, 1), (1, 0)):
        np.add.at(ends, edges[:, one], degrees[edges[:, other]] - 1)
    return degrees * (degrees - 1) // 2 + ends


def _two_star_columns(graph: Graph, numbers: Integers, n_heavy: int) -> tuple[SmallIntegers, Integers]:
    rows = _list_two_stars(graph.indptr, graph.indices, numbers)
    rows = rows[rows[:, 3] > 0]
    return _merge(rows[:, :3], rows[:, 3], n_heavy)


def _triangle_columns(graph: Graph, numbers: Integers, n_heavy: int) -> tuple[SmallIntegers, Integers]:
    return _merge(_list_triangles(*oriented_rows(graph), numbers), None, n_heavy)


def _merge(rows: Integers, sizes: Integers | None, n_heavy: int) -> tuple[SmallIntegers, Integers]:
    """One column for all rows with the same heavy people; rows without any are left out."""
    rows = np.sort(rows, axis=1)
    base = n_heavy + 1
    keys = (rows[:, 0] * base + rows[:, 1]) * base + rows[:, 2]
    if sizes is None:
        keys, counts = np.unique(keys[keys > 0], return_counts=True)
    else:
        sizes = sizes[keys > 0]
        keys, where = np.unique(keys[keys > 0], return_inverse=True)
        counts = np.zeros(len(keys), dtype=np.int64)
        np.add.at(counts, where, sizes)
    members = np.column_stack((keys // base**2, keys // base % base, keys % base)).astype(np.int32)
    return members, counts.astype(np.int64)


@kernel
def _list_triangles(indptr: Any, later: Any, numbers: Any) -> Any:
    """The numbers of the people of every triangle that has a heavy person, a row each."""
    n_nodes = len(indptr) - 1
    marked = np.zeros(n_nodes, dtype=np.uint8)
    rows = np.empty((1024, 3), dtype=np.int64)
    found = 0
    for u in range(n_nodes):
        first, end = indptr[u], indptr[u + 1]
        for i in range(first, end):
            marked[later[i]] = 1
        for i in range(first, end):
            v = later[i]
            for j in range(indptr[v], indptr[v + 1]):
                w = later[j]
                if marked[w] and numbers[u] + numbers[v] + numbers[w] > 0:
                    if found == len(rows):
                        longer = np.empty((2 * found, 3), dtype=np.int64)
                        longer[:found] = rows
                        rows = longer
                    rows[found, 0], rows[found, 1], rows[found, 2] = numbers[u], numbers[v], numbers[w]
                    found += 1
        for i in range(first, end):
            marked[later[i]] = 0
    return rows[:found]


@kernel
def _list_two_stars(indptr: Any, indices: Any, numbers: Any) -> Any:
    """For every middle, the 2-stars with a heavy person by their heavy people, and how many: a row each."""
    rows = np.empty((1024, 4), dtype=np.int64)
    found = 0
    for middle in range(len(indptr) - 1):
        own = numbers[middle]
        heavy = 0
        for i in range(indptr[middle], indptr[middle + 1]):
            heavy += numbers[indices[i]] > 0
        light = indptr[middle + 1] - indptr[middle] - heavy
        needed = found + heavy * (heavy - 1) // 2 + heavy + 1
        if needed > len(rows):
            longer = np.empty((2 * needed, 4), dtype=np.int64)
            longer[:found] = rows[:found]
            rows = longer
        rows[found, 0], rows[found, 1], rows[found, 2], rows[found, 3] = 0, 0, own, light * (light - 1) // 2
        found += 1
        for i in range(indptr[middle], indptr[middle + 1]):
            one = numbers[indices[i]]
            if one == 0:
                continue
            rows[found, 0], rows[found, 1], rows[found, 2], rows[found, 3] = 0, one, own, light
            found += 1
            for j in range(indptr[middle], i):
                other = numbers[indices[j]]
                if other > 0:
                    rows[found, 0], rows[found, 1], rows[found, 2], rows[found, 3] = one, other, own, 1
                    found += 1
    return rows[:found]


EDGES = Pattern("edges", 2, lambda graph: graph.degrees.astype(np.int64), _edge_columns)
TWO_STARS = Pattern("2-stars", 3, _two_star_loads, _two_star_columns)
TRIANGLES = Pattern("triangles", 3, exact_triangles_per_node, _triangle_columns)
