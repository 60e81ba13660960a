r"""Graphs from files: the front door of all formats.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder, "friends.csv")
...     _ = file.write_text("ann,bob\nbob,cem\nbob,ann\ncem,cem\n")
...     read = read_with_report(file)
>>> print(read.report)
friends.csv: 3 people (as the file names them), 2 edges; 4 listed, 1 self-loop and 1 repeat dropped; directions ignored
>>> read.graph.labels.tolist()
['ann', 'bob', 'cem']
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.files.content import Content
from graphveil.graph.files.formats import EDGE_LIST_SUFFIXES, kind_of
from graphveil.graph.files.streams import check_readable


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What reading a file found and folded; for the curator's eyes, since it counts people and edges."""

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


def read_graph(
    path: str | os.PathLike[str],
    *,
    people: str | os.PathLike[str] | Iterable[int | str] | None = None,
    header: bool | None = None,
) -> Graph:
    """The graph in a file; its format follows from the file's name.

    `people` lists everybody, also those without edges: a file with one name per line, or the names themselves. `header`
    says whether the first line of an edge list is a header; if it is left out, one is known by its names of columns.
    """
    return read_with_report(path, people=people, header=header).graph


def read_with_report(
    path: str | os.PathLike[str],
    *,
    people: str | os.PathLike[str] | Iterable[int | str] | None = None,
    header: bool | None = None,
) -> Read:
    """The graph in a file, and a report of what was dropped or assumed on the way."""
    path = Path(path)
    # nobody may have an edge, which is private: where people are listed a list of edges without a byte is one
    check_readable(path, may_be_empty=people is not None and path.suffix.lower() in EDGE_LIST_SUFFIXES)
    kind = kind_of(path)
    if header is not None and kind.suffix not in EDGE_LIST_SUFFIXES:
        raise ParameterError(f"{path}: header= (--header, --no-header) is for edge lists; {kind.suffix} has no header")
    if people is None:
        return _fold(kind.format.read(path, replace(kind, header=header)), path)
    from graphveil.graph.files.people import enrol, read_people

    roster = read_people(people)
    content = kind.format.read(path, replace(kind, header=header, people=frozenset(roster.names)))
    return _fold(enrol(content, roster), path)


def _fold(content: Content, path: Path) -> Read:
    loops = int(np.count_nonzero(content.u == content.v))
    indptr, indices = rows_from_edges(content.u, content.v, content.n_nodes)
    graph = Graph(
        content.n_nodes,
        indptr,
        indices,
        content.labels,
        roster_declared=content.roster_declared,
        named=content.named,
        source=path.name,
    )
    if graph.n_edges == 0 and not graph.roster_declared:
        raise GraphFormatError(f"{path}: no edges in it; if nobody has any, list the people (people=, --people)")
    lines = len(content.u)
    report = ReadReport(
        file=path.name,
        lines=lines,
        nodes=graph.n_nodes,
        edges=graph.n_edges,
        self_loops=loops,
        repeated_edges=lines - loops - graph.n_edges,
        roster_declared=graph.roster_declared,
        notes=content.notes,
    )
    return Read(graph, report)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
