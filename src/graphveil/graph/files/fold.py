"""From the pairs that a file or an object lists to a graph, with a report of what was read and left out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.content import Content


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What reading found and folded; for the curator's eyes, since it counts people and edges."""

    file: str
    lines: int
    nodes: int
    edges: int
    self_loops: int
    repeated_edges: int
    roster_declared: bool
    notes: tuple[str, ...] = ()

    def without_counts(self) -> str:
        """What was read and left out, in one line that counts nothing: for beside a release, where logs are kept."""
        people = "people as declared" if self.roster_declared else "people as the file names them"
        parts = [people, "directions, repeats and self-loops are folded", *self.notes]
        counts = "`graphveil stats` counts repeats and self-loops: exact counts, for the curator only"
        return f"read {self.file}: {'; '.join(parts)}; {counts}"

    def __str__(self) -> str:
        origin = "declared" if self.roster_declared else "as the file names them"
        people = f"{_count(self.nodes, 'person', 'people')} ({origin})"
        dropped = f"{_count(self.self_loops, 'self-loop')} and {_count(self.repeated_edges, 'repeat')} dropped"
        parts = [
            f"{people}, {_count(self.edges, 'edge')}",
            f"{self.lines:,} listed, {dropped}",
            "directions ignored",
            *self.notes,
        ]
        return f"{self.file}: {'; '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)


class Read(NamedTuple):
    """A graph and how it was read."""

    graph: Graph
    report: ReadReport


def fold(content: Content, origin: str, *, source: str | None = None, may_be_empty: bool = False) -> Read:
    """The simple graph of a content; directions, repeats and self-loops are dropped and counted.

    `origin` is what messages and the report call it, `source` the name of the file if there is one. Without an edge
    and without a list of people nothing says who there is: refused, unless the caller knows that it may be.
    """
    loops = int(np.count_nonzero(content.u == content.v))
    indptr, indices = rows_from_edges(content.u, content.v, content.n_nodes)
    edges, lines = len(indices) // 2, len(content.u)
    if edges == 0 and not (content.roster_declared or may_be_empty):
        raise GraphFormatError(f"{origin}: no edges in it; if nobody has any, list the people (people=, --people)")
    report = ReadReport(
        file=origin if source is None else source,
        lines=lines,
        nodes=content.n_nodes,
        edges=edges,
        self_loops=loops,
        repeated_edges=lines - loops - edges,
        roster_declared=content.roster_declared,
        notes=content.notes,
    )
    graph = Graph(
        content.n_nodes,
        indptr,
        indices,
        content.labels,
        roster_declared=content.roster_declared,
        named=content.named,
        source=source,
        reading=report,
    )
    return Read(graph, report)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
