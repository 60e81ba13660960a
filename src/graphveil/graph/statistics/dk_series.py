"""The dK series of a graph (Mahadevan, Krioukov, Fall, Vahdat 2006): ever finer descriptions by degrees; not private.

0K is the average degree, 1K how many people have each degree, 2K how many edges join each two degrees, 3K how many
open wedges and triangles join each three. 2.5K (Gjoka, Kurant, Markopoulou 2013) is 2K with the mean clustering of
each degree. Each determines the ones before.

The exact 3K tables: open wedges and triangles by the degrees of their three nodes; not private.

Degrees are replaced by their rank among the D distinct degrees. Two-paths are counted for all centres of one degree
at a time, triangles for all lowest nodes of one degree, into a D×D table that is then emptied into the result: memory
is O(D²) plus the result, whatever the number of triangles. A centre adds, for each pair of degrees, the product of
how many of its neighbours have the one and the other. The two-paths that triangles close are taken off in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.statistics.triangles import exact_triangles_per_node, oriented_rows
from graphveil.kernels import kernel


@dataclass(frozen=True, slots=True)
class DegreeTriples:
    """`wedges` has rows (k1, centre, k3), k1 <= k3, ends not joined; `triangles` has rows k1 <= k2 <= k3."""

    wedges: DegreeTable
    triangles: DegreeTable


def exact_3k(graph: Graph) -> DegreeTriples:
    """Number of open wedges and of triangles for every triple of degrees.

    >>> triples = exact_3k(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    >>> triples.wedges.to_dict(), triples.triangles.to_dict()
    ({(1, 3, 2): 2}, {(2, 2, 3): 1})
    """
    degrees, ranks = np.unique(graph.degrees, return_inverse=True)
    path_keys, path_counts = _count_by_first(_add_paths, ranks, len(degrees), graph.indptr, graph.indices)
    keys, counts = _count_by_first(_add_triangles, ranks, len(degrees), *oriented_rows(graph))
    low, middle, high = _unpack(keys, len(degrees))
    for centre, end, other in ((low, middle, high), (middle, low, high), (high, low, middle)):
        np.subtract.at(path_counts, np.searchsorted(path_keys, _pack(centre, end, other, len(degrees))), counts)
    is_open = path_counts > 0
    centre, end, other = _unpack(path_keys[is_open], len(degrees))
    by_ends = np.argsort(_pack(end, centre, other, len(degrees)))
    return DegreeTriples(
        DegreeTable(degrees[np.stack((end, centre, other), axis=1)[by_ends]], path_counts[is_open][by_ends]),
        DegreeTable(degrees[np.stack((low, middle, high), axis=1)], counts),
    )


def _count_by_first(add: Any, ranks: Integers, n_ranks: int, indptr: Any, indices: Any) -> tuple[Integers, Integers]:
    """(keys, counts) of all triples, by rising rank of the node that `add` starts from."""
    table = np.zeros(n_ranks**2, dtype=np.int64)
    touched = np.empty(n_ranks * (n_ranks + 1) // 2, dtype=np.int64)
    nodes = np.argsort(ranks, kind="stable")
    starts = np.searchsorted(ranks[nodes], np.arange(n_ranks + 1))
    keys, counts = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for first in range(n_ranks):
        same_rank = nodes[starts[first] : starts[first + 1]]
        cells = np.sort(touched[: add(indptr, indices, ranks, same_rank, n_ranks, table, touched)])
        keys.append(first * n_ranks**2 + cells)
        counts.append(table[cells])
        table[cells] = 0
    return np.concatenate(keys), np.concatenate(counts)


def _pack(first: Integers, second: Integers, third: Integers, n_ranks: int) -> Integers:
    return (first * n_ranks + second) * n_ranks + third


def _unpack(keys: Integers, n_ranks: int) -> tuple[Integers, Integers, Integers]:
    pair, third = np.divmod(keys, n_ranks)
    first, second = np.divmod(pair, n_ranks)
    return first, second, third


@kernel
def _add_paths(indptr: Any, indices: Any, ranks: Any, centres: Any, n_ranks: Any, table: Any, touched: Any) -> Any:
    """Count the two-paths through these centres by the ranks of their ends; returns how many cells were touched."""
    n_touched = 0
    friends = np.zeros(n_ranks, dtype=np.int64)
    met = np.empty(n_ranks, dtype=np.int64)
    for centre in centres:
        n_met = 0
        for k in range(indptr[centre], indptr[centre + 1]):
            rank = ranks[indices[k]]
            if friends[rank] == 0:
                met[n_met] = rank
                n_met += 1
            friends[rank] += 1
        met[:n_met].sort()
        for i in range(n_met):
            alike = friends[met[i]] * (friends[met[i]] - 1) // 2
            n_touched = _add(table, touched, n_touched, met[i] * n_ranks + met[i], alike)
            for j in range(i + 1, n_met):
                pairs = friends[met[i]] * friends[met[j]]
                n_touched = _add(table, touched, n_touched, met[i] * n_ranks + met[j], pairs)
        for i in range(n_met):
            friends[met[i]] = 0
    return n_touched


@kernel
def _add_triangles(indptr: Any, later: Any, ranks: Any, lowest: Any, n_ranks: Any, table: Any, touched: Any) -> Any:
    """Count the triangles of these lowest nodes by the ranks of the other two."""
    n_touched = 0
    marked = np.zeros(len(ranks), dtype=np.bool_)
    for u in lowest:
        for i in range(indptr[u], indptr[u + 1]):
            marked[later[i]] = True
        for i in range(indptr[u], indptr[u + 1]):
            v = later[i]
            for j in range(indptr[v], indptr[v + 1]):
                if marked[later[j]]:
                    n_touched = _add(table, touched, n_touched, ranks[v] * n_ranks + ranks[later[j]], 1)
        for i in range(indptr[u], indptr[u + 1]):
            marked[later[i]] = False
    return n_touched


@kernel
def _add(table: Any, touched: Any, n_touched: Any, cell: Any, amount: Any) -> Any:
    if amount > 0 and table[cell] == 0:
        touched[n_touched] = cell
        n_touched += 1
    table[cell] += amount
    return n_touched


@dataclass(frozen=True, slots=True)
class DkSeries:
    """Entry d of `degrees` is the number of people of degree d, of `triangle_ends` the triangles they are in."""

    average_degree: float
    degrees: Integers
    joint_degrees: DegreeTable
    triangle_ends: Integers
    triples: DegreeTriples

    @property
    def clustering_by_degree(self) -> Floats:
        """Mean clustering of the people of each degree, 0 where there is nobody."""
        d = np.arange(len(self.degrees))
        wedges = self.degrees * d * (d - 1) / 2
        mean: Floats = np.divide(self.triangle_ends, wedges, out=np.zeros(len(d)), where=wedges > 0)
        return mean


def exact_dk_series(graph: Graph) -> DkSeries:
    """0K to 3K.

    >>> series = exact_dk_series(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    >>> series.average_degree, series.degrees.tolist(), series.joint_degrees.to_dict()
    (2.0, [0, 1, 2, 1], {(1, 3): 1, (2, 2): 1, (2, 3): 2})
    >>> series.clustering_by_degree.round(2).tolist(), series.triples.triangles.to_dict()
    ([0.0, 0.0, 1.0, 0.33], {(2, 2, 3): 1})
    """
    return DkSeries(
        average_degree=2 * graph.n_edges / max(1, graph.n_nodes),
        degrees=np.bincount(graph.degrees, minlength=1),
        joint_degrees=exact_joint_degrees(graph),
        triangle_ends=triangle_ends_by_degree(graph),
        triples=exact_3k(graph),
    )


def triangle_ends_by_degree(graph: Graph) -> Integers:
    """For every degree, the number of pairs (person of that degree, triangle they are in)."""
    sums = np.zeros(int(graph.degrees.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(sums, graph.degrees, exact_triangles_per_node(graph))
    return sums
