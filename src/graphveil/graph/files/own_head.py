"""The comment lines with which our own edge lists begin.

They say what lines of edges cannot: which people have no edges, whether the people were declared, that the label
"7" is text, and how many edges a complete copy of the file has.

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
from graphveil.graph.files.stamp import Stamp, find_stamp, stamp_of

_SEPARATORS = {"space": " ", "tab": "\t", "comma": ","}
_FIRST = re.compile(r"# graphveil edge list: (\d{1,18}) nodes, (\d{1,18}) edges, (.*), separated by (space|tab|comma)")
_ALONE = "# alone: "


@dataclass(frozen=True, slots=True)
class Head:
    """What the first lines of our own edge list say."""

    stamp: Stamp
    n_nodes: int
    n_edges: int
    alone: list[str]
    layout: Layout


def head_lines(graph: Graph, separator: str) -> Iterator[str]:
    """The first lines of a graph's edge list."""
    word = next(word for word, character in _SEPARATORS.items() if character == separator)
    yield f"# graphveil edge list: {graph.n_nodes} nodes, {graph.n_edges} edges, {stamp_of(graph)}, separated by {word}"
    for node in np.flatnonzero(graph.degrees == 0):
        yield f"{_ALONE}{graph.label_of(int(node))}"


def read_head(data: bytes) -> Head | None:
    """The first lines of an edge list, if it is one of ours and they are whole."""
    lines = _comment_lines(data)
    first = _FIRST.fullmatch(next(lines, ""))
    stamp = find_stamp(first[3]) if first else None
    if first is None or stamp is None:
        return None
    alone = [line.removeprefix(_ALONE) for line in lines if line.startswith(_ALONE)]
    layout = Layout(_SEPARATORS[first[4]], skip=len(alone) + 1, width=2, integers=not stamp.text)
    return Head(stamp, int(first[1]), int(first[2]), alone, layout)


def _comment_lines(data: bytes) -> Iterator[str]:
    begin = 0
    while data.startswith(b"#", begin):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        yield data[begin:end].removesuffix(b"\r").decode(errors="replace")
        begin = end + 1
