"""Exact sums over degrees, star counts, the h-index and assortativity; nothing here is private.

The h-index with weight a is the largest x for which at least a x people have x neighbours or more. It tells where the
degrees of most people end, whatever the largest degree is.

Assortativity is Pearson's correlation of the degrees at the two ends of an edge, each edge taken in both directions
(Newman 2002):

    r = (2m · 2 Σ_uv d_u d_v - (Σ d²)²) / (2m · Σ d³ - (Σ d²)²)

with sums over edges uv and over nodes. All sums are integers of any size, so nothing cancels. Where all edge ends have
the same degree, or there are no edges, the correlation is undefined; the value is then 0: degrees say nothing about
each other.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.kernels import light_kernel


def neighbour_degree_sums(graph: Graph) -> Integers:
    """For every node, the sum of the degrees of its neighbours.

    >>> neighbour_degree_sums(Graph.from_edges([(0, 1), (0, 2)])).tolist()
    [2, 2, 2]
    """
    return neighbour_sums(graph, np.arange(int(graph.degrees.max(initial=0)) + 1))


def neighbour_sums(graph: Graph, of_degree: Integers) -> Integers:
    """For every node, the sum of `of_degree[d]` over the degrees d of its neighbours."""
    if isinstance(graph, EdgeTable):
        return graph.neighbour_sums(of_degree)
    sums: Integers = _sum_rows(graph.indptr, graph.indices, of_degree[graph.degrees])
    return sums


def exact_degree_products(graph: Graph) -> int:
    """The sum of d_u d_v over all edges uv."""
    if _cubes_fit(graph) and not isinstance(graph, EdgeTable):
        return int(_sum_products(graph.indptr, graph.indices, graph.degrees))
    totals = np.zeros(int(graph.degrees.max(initial=0)) + 1, dtype=np.int64)  # products may pass 2^63 together
    np.add.at(totals, graph.degrees, neighbour_degree_sums(graph))
    return sum(degree * total for degree, total in enumerate(totals.tolist())) // 2


def _cubes_fit(graph: Graph) -> bool:
    """Whether the cubes of all degrees add up to less than 2^63; products over edges do too, then."""
    return 2 * graph.n_edges * int(graph.degrees.max(initial=0)) ** 2 < 2**63


@light_kernel
def _sum_products(indptr: Any, indices: Any, degrees: Any) -> Any:
    """The sum over edges, each seen from its upper end."""
    products: Any = np.int64(0)
    for u in range(len(degrees)):
        total: Any = np.int64(0)
        k, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])  # unsigned: no index is asked for its sign
        while k < end and indices[k] < u:
            total += degrees[np.uint32(indices[k])]
            k += np.uint64(1)
        products += total * degrees[u]
    return products


def two_largest(values: Integers) -> tuple[int, int]:
    """The two largest entries, 0 where there are none."""
    first, second = np.sort(np.append(values, [0, 0]))[:-3:-1]
    return int(first), int(second)


@light_kernel
def _sum_rows(indptr: Any, indices: Any, values: Any) -> Any:
    sums = np.zeros(len(values), dtype=np.int64)
    for u in range(len(values)):
        total = 0
        for k in range(indptr[u], indptr[u + 1]):
            total += values[indices[k]]
        sums[u] = total
    return sums


def exact_k_stars(graph: Graph, k: int) -> int:
    """Number of stars with k leaves: the sum of C(degree, k) over all people, as an unbounded integer.

    A 1-star is an edge seen from one of its ends, so each edge counts twice.

    >>> exact_k_stars(Graph.from_edges([(0, 1), (0, 2), (0, 3)]), 2)
    3
    """
    if k < 1:
        raise ParameterError(f"k is {k}; a star has at least 1 leaf")
    return sum(int(people) * comb(degree, k) for degree, people in enumerate(np.bincount(graph.degrees)) if people)


def exact_h_index(degrees: AnyArray, weight: Fraction = Fraction(1)) -> int:
    """The largest x with #{v: d_v >= x} >= weight * x.

    >>> exact_h_index(np.array([5, 4, 4, 2, 1])), exact_h_index(np.array([5, 4, 4, 2, 1]), Fraction(2))
    (3, 2)
    """
    falling = np.sort(degrees)[::-1]
    people = np.arange(1, len(falling) + 1)
    bound = people * weight.denominator // weight.numerator  # the largest x that this many people can support
    return int(np.minimum(falling, bound).max(initial=0))


def exact_assortativity(graph: Graph) -> float:
    """Degree assortativity, 0 where it is undefined.

    >>> exact_assortativity(Graph.from_edges([(0, 1), (0, 2), (0, 3)]))
    -1.0
    """
    degrees: Any = graph.degrees.astype(np.int64 if _cubes_fit(graph) else object)  # Python's integers never overflow
    squares, cubes = int(degrees @ degrees), int((degrees * degrees) @ degrees)
    products = 2 * exact_degree_products(graph)
    ends = 2 * graph.n_edges
    spread = ends * cubes - squares**2
    return (ends * products - squares**2) / spread if spread else 0.0
