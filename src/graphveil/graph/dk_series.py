"""The dK series of a graph (Mahadevan, Krioukov, Fall, Vahdat 2006): ever finer descriptions by degrees; not private.

0K is the average degree, 1K how many people have each degree, 2K how many edges join each two degrees, 3K how many
open wedges and triangles join each three. 2.5K (Gjoka, Kurant, Markopoulou 2013) is 2K with the mean clustering of
each degree. Each determines the ones before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.degree_triples import DegreeTriples, exact_3k
from graphveil.graph.triangles import exact_triangles_per_node


@dataclass(frozen=True, slots=True)
class DkSeries:
    """Entry d of `degrees` is the number of people of degree d, of `triangle_ends` the triangles they are in."""

    average_degree: float
    degrees: NDArray[np.int64]
    joint_degrees: DegreeTable
    triangle_ends: NDArray[np.int64]
    triples: DegreeTriples

    @property
    def clustering_by_degree(self) -> NDArray[np.float64]:
        """Mean clustering of the people of each degree, 0 where there is nobody."""
        d = np.arange(len(self.degrees))
        wedges = self.degrees * d * (d - 1) / 2
        mean: NDArray[np.float64] = np.divide(self.triangle_ends, wedges, out=np.zeros(len(d)), where=wedges > 0)
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


def triangle_ends_by_degree(graph: Graph) -> NDArray[np.int64]:
    """For every degree, the number of pairs (person of that degree, triangle they are in)."""
    sums = np.zeros(int(graph.degrees.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(sums, graph.degrees, exact_triangles_per_node(graph))
    return sums
