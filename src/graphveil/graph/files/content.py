"""What a graph file says, before it is folded into a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphFormatError
from graphveil.graph.files.stamp import find_stamp
from graphveil.graph.labels import Labels, parse_labels

IntArray = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """People, and the pairs of them that the file names, in its order.

    `u` and `v` are positions among the people; `place(i)` says where in the file pair i stands, for messages.
    """

    u: IntArray
    v: IntArray
    n_nodes: int
    labels: Labels
    roster_declared: bool
    place: Callable[[int], str]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Listing:
    """Nodes and edges as a format that lists both gives them, gathered while reading."""

    path: Path
    ids: list[str]
    edges: list[tuple[str, str]]
    edge_lines: list[int]
    remark: str = ""  # our own, if the file has one

    def content(self, names: Sequence[str] | None = None) -> Content:
        """The same with positions in place of ids; nodes are named by `names` or else by their ids."""
        position = {identity: i for i, identity in enumerate(self.ids)}
        if len(position) < len(self.ids):
            raise GraphFormatError(f"{self.path}: two nodes have the same id; every node is listed once")
        stamp = find_stamp(self.remark)
        for row, edge in enumerate(self.edges):
            if edge[0] not in position or edge[1] not in position:
                raise GraphFormatError(f"{self.place(row)}: this edge names a node that is not listed")
        return Content(
            u=np.array([position[source] for source, _ in self.edges], dtype=np.int32),
            v=np.array([position[target] for _, target in self.edges], dtype=np.int32),
            n_nodes=len(self.ids),
            labels=parse_labels(names or self.ids, origin=str(self.path), keep_text=bool(stamp and stamp.text)),
            roster_declared=stamp is None or stamp.declared,
            place=self.place,
        )

    def place(self, row: int) -> str:
        """Where an edge stands in the file."""
        return f"{self.path}, line {self.edge_lines[row]}"
