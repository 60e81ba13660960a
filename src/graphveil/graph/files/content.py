"""What a graph file says, before it is folded into a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from graphveil.arrays import AnyIntegers
from graphveil.errors import GraphFormatError
from graphveil.graph.files.remark import find_remark
from graphveil.graph.labels import Labels, parse_labels


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """People, and the pairs of them that the file names, in its order.

    `u` and `v` are positions among the people; `place(i)` says where in the file pair i stands, for messages.
    """

    u: AnyIntegers
    v: AnyIntegers
    n_nodes: int
    labels: Labels
    roster_declared: bool
    place: Callable[[int], str]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Listing:
    """Nodes and edges as a format that lists both gives them, gathered while reading."""

    path: Path
    ids: list[str] = field(default_factory=list)
    id_lines: list[int] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    edge_lines: list[int] = field(default_factory=list)
    remark: str = ""  # our own, if the file has one

    def add_node(self, identity: str, line: int) -> None:
        """Note a node that is listed on this line."""
        self.ids.append(identity)
        self.id_lines.append(line)

    def add_edge(self, source: str, target: str, line: int) -> None:
        """Note an edge that is listed on this line."""
        self.edges.append((source, target))
        self.edge_lines.append(line)

    def content(self, names: Sequence[str] | None = None) -> Content:
        """The same with positions in place of ids; nodes are named by `names` or else by their ids."""
        position: dict[str, int] = {}
        for i, identity in enumerate(self.ids):
            if position.setdefault(identity, i) != i:
                raise GraphFormatError(f"{self.node_place(i)}: two nodes have the same id; every node is listed once")
        remark = find_remark(self.remark)
        for row, edge in enumerate(self.edges):
            if edge[0] not in position or edge[1] not in position:
                raise GraphFormatError(f"{self.place(row)}: this edge names a node that is not listed")
        return Content(
            u=np.array([position[source] for source, _ in self.edges], dtype=np.int32),
            v=np.array([position[target] for _, target in self.edges], dtype=np.int32),
            n_nodes=len(self.ids),
            labels=parse_labels(names or self.ids, self.node_place, keep_text=bool(remark and remark.text)),
            roster_declared=remark is None or remark.declared,
            place=self.place,
        )

    def place(self, row: int) -> str:
        """Where an edge stands in the file, for messages."""
        return f"{self.path}, line {self.edge_lines[row]}"

    def node_place(self, row: int) -> str:
        """Where a node stands in the file, for messages."""
        return f"{self.path}, line {self.id_lines[row]}"
