"""From the pairs that a file or an object lists to a graph, with a report of what was read and left out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph
from graphveil.graph.csr import rows_from_edges
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.files.content import Content
from graphveil.graph.labels import is_text
from graphveil.graph.weighted import WeightedGraph


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
    directed: bool = False
    weighted: str | None = None

    @property
    def kept(self) -> str:
        """What became of directions and weights, in words."""
        if self.directed:
            return "directions kept: the first name of a line points at the second"
        if self.weighted is not None:
            return f"weights read from {self.weighted}, rounded down to whole numbers; directions ignored"
        return "directions ignored"

    def without_counts(self) -> str:
        """What was read and left out, in one line that counts nothing: for beside a release, where logs are kept."""
        people = "the people are those on the list" if self.roster_declared else "the people are those with an edge"
        kept = "directions, repeated edges and self-loops dropped"
        if self.directed or self.weighted is not None:
            kept = f"{self.kept}; {'weights of repeated edges added up' if self.weighted else 'repeated edges dropped'}"
        return f"read {self.file}: {'; '.join([people, kept, *self.notes])} (exact counts: graphveil stats)"

    def __str__(self) -> str:
        origin = "everybody is listed" if self.roster_declared else "as the data names them"
        people = f"{_count(self.nodes, 'person', 'people')} ({origin})"
        dropped = f"{_count(self.self_loops, 'self-loop')} and {_count(self.repeated_edges, 'repeat')} dropped"
        parts = [f"{people}, {_count(self.edges, 'edge')}", f"{self.lines:,} listed, {dropped}", self.kept, *self.notes]
        return f"{self.file}: {'; '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)


NOT_KNOWN = "a person is called NA: if it means that nothing is known, leave those lines out"


class Read(NamedTuple):
    """A graph and how it was read."""

    graph: Graph
    report: ReadReport


class Kept(NamedTuple):
    """What is kept besides edges: directions, or weights, and where these come from in words."""

    directed: bool = False
    weighted: str | None = None


def _names_na(content: Content) -> bool:
    """Whether somebody is called NA, as tables write what is not known."""
    return content.labels is not None and is_text(content.labels) and bool((content.labels == "NA").any())


def fold(
    content: Content, origin: str, *, source: str | None = None, may_be_empty: bool = False, kept: Kept | None = None
) -> Read:
    """The simple graph of a content; repeats and self-loops are dropped and counted, and so are directions unless kept.

    `origin` is what messages and the report call it, `source` the name of the file if there is one. Without an edge
    and without a list of people nothing says who there is: refused, unless the caller knows that it may be.
    """
    loops = int(np.count_nonzero(content.u == content.v))
    kept = kept or Kept()
    notes = (*content.notes, *((NOT_KNOWN,) if _names_na(content) else ()))
    graph = _graph(content, source, directed=kept.directed)
    edges, lines = len(graph.arcs) if isinstance(graph, DirectedGraph) else graph.n_edges, len(content.u)
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
        notes=notes,
        directed=kept.directed,
        weighted=kept.weighted,
    )
    return Read(replace(graph, reading=report), report)


def _graph(content: Content, source: str | None, *, directed: bool) -> Graph:
    """The graph that a content makes: with directions or weights where these are kept."""
    facts: dict[str, Any] = {
        "labels": content.labels,
        "roster_declared": content.roster_declared,
        "named": content.named,
        "source": source,
    }
    if directed:
        return DirectedGraph.from_arcs(np.column_stack((content.u, content.v)), n_nodes=content.n_nodes, **facts)
    if content.weights is not None:
        pairs = np.column_stack((content.u, content.v))
        return WeightedGraph.from_ties(pairs, content.weights, n_nodes=content.n_nodes, **facts)
    return Graph(content.n_nodes, *rows_from_edges(content.u, content.v, content.n_nodes), **facts)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
