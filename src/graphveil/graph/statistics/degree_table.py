"""Counts of small subgraphs by the degrees of their nodes: the joint degrees (2K) and what 3K adds to them.

Mahadevan et al. 2006 describe a graph by a series: its degrees, the degrees at the two ends of its edges (2K), the
degrees at its wedges and triangles (3K). Each is a table of which only the entries above zero are held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable


@dataclass(frozen=True, slots=True, eq=False)
class DegreeTable:
    """Row i says that `counts[i]` subgraphs have the degrees `degrees[i]`; rows are sorted and none is zero."""

    degrees: Integers
    counts: Integers

    def __post_init__(self) -> None:
        if self.degrees.ndim != 2 or len(self.degrees) != len(self.counts):
            raise ParameterError(
                f"a degree table needs one row of degrees per count, not {self.degrees.shape} and {self.counts.shape}"
            )

    @classmethod
    def from_rows(cls, degrees: ArrayLike, counts: ArrayLike) -> DegreeTable:
        """Sort the rows, add up repeated ones, drop zeros."""
        rows = np.asarray(degrees, dtype=np.int64)
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        total = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(total, which.ravel(), np.asarray(counts, dtype=np.int64))
        return cls(distinct[total != 0], total[total != 0])

    @property
    def total(self) -> int:
        """Number of subgraphs in the table."""
        return int(self.counts.sum())

    def to_dict(self) -> dict[tuple[int, ...], int]:
        """The table as {degrees: count}."""
        return {tuple(row): count for row, count in zip(self.degrees.tolist(), self.counts.tolist(), strict=True)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DegreeTable):
            return NotImplemented
        return np.array_equal(self.degrees, other.degrees) and np.array_equal(self.counts, other.counts)

    __hash__: Any = None

    def __len__(self) -> int:
        return len(self.counts)


def exact_joint_degrees(graph: Graph) -> DegreeTable:
    """The 2K table: for degrees k <= l, the number of edges between a node of degree k and one of degree l.

    >>> exact_joint_degrees(Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])).to_dict()
    {(1, 3): 1, (2, 2): 1, (2, 3): 2}
    """
    if isinstance(graph, EdgeTable):
        return graph.joint_degrees()
    ends = graph.degrees[graph.edges()]
    base = int(graph.degrees.max(initial=0)) + 1
    keys, counts = np.unique(ends.min(axis=1) * base + ends.max(axis=1), return_counts=True)
    return DegreeTable(np.stack(np.divmod(keys, base), axis=1), counts)
