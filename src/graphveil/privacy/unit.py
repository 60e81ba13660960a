"""What a guarantee protects, and whom one has to trust for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from graphveil.errors import ParameterError


class Trust(StrEnum):
    """Who sees the raw data."""

    CENTRAL = "central"  # a curator holds the graph and adds noise
    LOCAL = "local"  # nobody but each person sees that person's friend list
    TWO_SERVERS = "two-servers"  # nobody, unless two servers that are kept apart put together what they hold


class Kind(StrEnum):
    """What may differ between two neighbouring graphs."""

    EDGE = "edge"
    NODE = "node"
    RECORD = "record"  # one person's edges, label and features; the list of people is public


class Adjacency(StrEnum):
    """How two neighbouring inputs differ."""

    ADD_REMOVE = "add-remove"  # one record more or less; the number of records is private
    REPLACE_ONE = "replace-one"  # one record changed; the number of records is public


@dataclass(frozen=True, slots=True)
class Unit:
    """What may differ between two neighbouring graphs: one edge, `edges` edges, or one node with all its edges.

    Under edge units the set of people is public; under the node unit it is private. Under the record unit, which only
    learning has, one person's record is blanked (no edges, no label, no features) and the list of people is public; a
    node release would cost twice its epsilon there, so the two have separate budgets. In the local model it is one
    person's list that differs: in one entry, `edges` entries, or in whatever way; the lists of others stay as they are.

    >>> str(Unit.parse("edge")), str(Unit.parse("3-edge")), str(Unit.parse("node"))
    ('edge', '3-edge', 'node')
    """

    kind: Kind
    edges: int = 1

    def __post_init__(self) -> None:
        if self.edges < 1 or (self.kind is not Kind.EDGE and self.edges != 1):
            raise ParameterError(f"a unit of {self.edges} x {self.kind} does not exist")

    @classmethod
    def parse(cls, text: str | Unit) -> Unit:
        """Read `edge`, `node`, `K-edge` or `record`."""
        if isinstance(text, Unit):
            return text
        if text == Kind.RECORD:
            return RECORD
        match = re.fullmatch(r"(?:([1-9][0-9]{0,8})-)?edge|(node)", text)
        if not match:
            raise ParameterError(f"unknown unit {text!r}; allowed: edge, node, or K-edge such as 5-edge")
        return NODE if match[2] else cls(Kind.EDGE, int(match[1] or 1))

    def __str__(self) -> str:
        return self.kind.value if self.edges == 1 else f"{self.edges}-{self.kind}"


EDGE = Unit(Kind.EDGE)
NODE = Unit(Kind.NODE)
RECORD = Unit(Kind.RECORD)
