"""What a graph file says, before it is folded into a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from graphveil.arrays import AnyIntegers, Integers
from graphveil.errors import GraphFormatError
from graphveil.graph.files.remark import find_remark
from graphveil.graph.labels import Labels, parse_labels


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """People, and the pairs of them that the file names, in its order.

    `u` and `v` are positions among the people; `place(i)` says where in the file pair i stands, for messages. `named`
    says whether the file knows people by names that stay with them, or by their position in it.
    """

    u: AnyIntegers
    v: AnyIntegers
    n_nodes: int
    labels: Labels
    roster_declared: bool
    place: Callable[[int], str]
    notes: tuple[str, ...] = ()
    named: bool = True
    weights: Integers | None = None  # of every pair, where a column of them was asked for


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

    def content(self, names: Sequence[str | None] | None, *, ids_are_names: bool) -> Content:
        """The same with positions in place of ids.

        Nodes are named by `names`, each by one of its own, or if there are none by their ids, which may be no more than
        their positions. Which of the two is never decided by who else is in the file.
        """
        position: dict[str, int] = {}
        for i, identity in enumerate(self.ids):
            if position.setdefault(identity, i) != i:
                raise GraphFormatError(f"{self.node_place(i)}: two nodes have the same id; every node is listed once")
        for row, edge in enumerate(self.edges):
            if edge[0] not in position or edge[1] not in position:
                raise GraphFormatError(f"{self.place(row)}: this edge names a node that is not listed")
        remark = find_remark(self.remark)
        return Content(
            u=np.array([position[source] for source, _ in self.edges], dtype=np.int32),
            v=np.array([position[target] for _, target in self.edges], dtype=np.int32),
            n_nodes=len(self.ids),
            labels=parse_labels(
                self.ids if names is None else self._own_names(names), keep_text=bool(remark and remark.text)
            ),
            roster_declared=remark is not None and remark.declared,
            place=self.place,
            named=not remark.by_position if remark else ids_are_names or names is not None,
        )

    def _own_names(self, names: Sequence[str | None]) -> list[str]:
        """The names, if every node has one and no two the same; a name is private and not shown."""
        own: dict[str, int] = {}
        for row, name in enumerate(names):
            if name is None:
                raise GraphFormatError(f"{self.node_place(row)}: this node has no name though others have one")
            if own.setdefault(name, row) != row:
                raise GraphFormatError(
                    f"{self.node_place(row)}: two nodes have the same name; give each one of its own"
                )
        return list(own)

    def place(self, row: int) -> str:
        """Where an edge stands in the file, for messages."""
        return f"{self.path}, line {self.edge_lines[row]}"

    def node_place(self, row: int) -> str:
        """Where a node stands in the file, for messages."""
        return f"{self.path}, line {self.id_lines[row]}"
