"""Exact degree assortativity; not private.

Pearson's correlation of the degrees at the two ends of an edge, each edge taken in both directions (Newman 2002):

    r = (2m · 2 Σ_uv d_u d_v - (Σ d²)²) / (2m · Σ d³ - (Σ d²)²)

with sums over edges uv and over nodes. All sums are integers of any size, so nothing cancels. Where all edge ends have
the same degree, or there are no edges, the correlation is undefined; the value is then 0: degrees say nothing about
each other.
"""

from __future__ import annotations

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_degree_products


def exact_assortativity(graph: Graph) -> float:
    """Degree assortativity, 0 where it is undefined.

    >>> exact_assortativity(Graph.from_edges([(0, 1), (0, 2), (0, 3)]))
    -1.0
    """
    people = [int(count) for count in np.bincount(graph.degrees)]
    squares = sum(count * degree**2 for degree, count in enumerate(people))
    cubes = sum(count * degree**3 for degree, count in enumerate(people))
    products = 2 * exact_degree_products(graph)
    ends = 2 * graph.n_edges
    spread = ends * cubes - squares**2
    return (ends * products - squares**2) / spread if spread else 0.0
