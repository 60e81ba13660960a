"""What our own files say about themselves, so that reading one gives back the graph that was written.

Formats differ in what they can say: an edge list cannot list people without edges, and no format tells the text "7"
from the number 7, people that were declared from people read off the edges, or names from positions. A remark does;
every other tool sees a comment or an attribute it does not know. Our edge lists begin with comment lines that also say
how many nodes and edges a complete copy has:

    # graphveil edge list: 4 nodes, 2 edges, integer labels, people declared, separated by space
    # alone: 17
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.files.layout import Layout
from graphveil.graph.labels import is_text

NAME = "graphveil"
ALONE = "# alone: "
BY_POSITION = " by position"
_REMARK = re.compile(r"(integer|text) labels( by position)?, people (declared|read off the edges)")
_SEPARATORS = {"space": " ", "tab": "\t", "comma": ","}
_FIRST = re.compile(r"# graphveil edge list: (\d{1,18}) nodes, (\d{1,18}) edges, (.*), separated by (space|tab|comma)")


@dataclass(frozen=True, slots=True)
class Remark:
    """Whether labels are text, whether the people were declared, and whether labels are no more than positions.

    As text it is what stands in the file.

    >>> print(Remark(text=False, declared=True))
    integer labels, people declared
    """

    text: bool
    declared: bool
    by_position: bool = False

    def __str__(self) -> str:
        people = "declared" if self.declared else "read off the edges"
        return f"{'text' if self.text else 'integer'} labels{BY_POSITION * self.by_position}, people {people}"


def remark_of(graph: Graph) -> Remark:
    """The remark to write into a file with this graph."""
    return Remark(text=is_text(graph.labels), declared=graph.roster_declared, by_position=not graph.named)


def find_remark(text: str) -> Remark | None:
    """The remark that stands in a piece of text, or None if there is none."""
    found = _REMARK.search(text)
    if found is None:
        return None
    return Remark(text=found[1] == "text", declared=found[3] == "declared", by_position=found[2] is not None)


@dataclass(frozen=True, slots=True)
class EdgeListHeader:
    """What the comment lines at the top of one of our edge lists say; `alone` are the people without edges."""

    remark: Remark
    n_nodes: int
    n_edges: int
    alone: list[str]
    layout: Layout


def header_lines(graph: Graph, separator: str) -> Iterator[str]:
    """The comment lines to put above the edges of a graph."""
    word = next(word for word, character in _SEPARATORS.items() if character == separator)
    counts = f"{graph.n_nodes} nodes, {graph.n_edges} edges"
    yield f"# graphveil edge list: {counts}, {remark_of(graph)}, separated by {word}"
    for node in np.flatnonzero(graph.degrees == 0):
        yield f"{ALONE}{graph.label_of(int(node))}"


def read_header(data: bytes) -> EdgeListHeader | None:
    """The comment lines at the top of an edge list, or None if it is not one of ours or they are incomplete."""
    lines = _comment_lines(data)
    first = _FIRST.fullmatch(next(lines, ""))
    remark = find_remark(first[3]) if first else None
    if first is None or remark is None:
        return None
    alone = [line.removeprefix(ALONE) for line in lines if line.startswith(ALONE)]
    layout = Layout(_SEPARATORS[first[4]], skip=len(alone) + 1, integers=not remark.text)
    return EdgeListHeader(remark, int(first[1]), int(first[2]), alone, layout)


def _comment_lines(data: bytes) -> Iterator[str]:
    begin = 0
    while data.startswith(b"#", begin):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        yield data[begin:end].removesuffix(b"\r").decode(errors="replace")
        begin = end + 1
