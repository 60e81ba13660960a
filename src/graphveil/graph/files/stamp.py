"""The remark our own files carry, so that reading one gives back the graph that was written.

Formats differ in what they can say: an edge list cannot list people without edges, and none tells the text "7"
from the number 7, or a list of people that was declared from one read off the edges. The remark does; every other tool
sees a comment or an attribute it does not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphveil.graph.core import Graph
from graphveil.graph.labels import is_text

NAME = "graphveil"
_REMARK = re.compile(r"(integer|text) labels, people (declared|read off the edges)")


@dataclass(frozen=True, slots=True)
class Stamp:
    """How labels are meant, and whether the people were declared.

    >>> print(Stamp(text=False, declared=True))
    integer labels, people declared
    """

    text: bool
    declared: bool

    def __str__(self) -> str:
        people = "declared" if self.declared else "read off the edges"
        return f"{'text' if self.text else 'integer'} labels, people {people}"


def stamp_of(graph: Graph) -> Stamp:
    """The remark that belongs to a graph."""
    return Stamp(text=is_text(graph.labels), declared=graph.roster_declared)


def find_stamp(remark: str) -> Stamp | None:
    """The remark in a piece of text, if it is there."""
    found = _REMARK.search(remark)
    return None if found is None else Stamp(text=found[1] == "text", declared=found[2] == "declared")
