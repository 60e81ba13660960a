"""What a stream promises, fixed when it is opened: the queries, how each is answered, its epsilon and the horizon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.tree import Tree
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.over_time.counts import COUNTS

LONGEST = 100_000  # periods
TREE, FRESH, NEW = "tree", "fresh", "new"
METHODS = (TREE, FRESH, NEW)


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """One query of a stream: what it may lose over all periods, and how its answers are drawn.

    `tree`: noise on blocks of periods, drawn once each. `fresh`: a new answer every period at a part of epsilon. `new`:
    an answer about the friendships first seen in the period, each at all of epsilon: a friendship is first seen once.
    """

    name: str
    epsilon: Fraction
    method: str
    radix: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tree(self) -> Tree:
        """The blocks of periods that get noise, as a tree."""
        return Tree(self.radix)

    def to_json(self) -> dict[str, Any]:
        """As plain data, epsilon as an exact text."""
        return {**asdict(self), "epsilon": str(self.epsilon), "radix": list(self.radix), "options": dict(self.options)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> StreamQuery:
        """Return what `to_json` wrote, with exact numbers."""
        known = {**document, "epsilon": Fraction(document["epsilon"]), "radix": tuple(document["radix"])}
        return cls(**known)


@dataclass(frozen=True, slots=True)
class StreamSpec:
    """The public terms of a stream.

    `changes` is how often one friendship may appear or disappear in what is counted; later changes are ignored. With
    `ever`, a friendship stays once it was seen, which is one change. `horizon` is the number of periods paid for.
    """

    id: str
    dataset: str
    unit: Unit
    per_friendship: bool
    changes: int
    horizon: int
    queries: tuple[StreamQuery, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= LONGEST:
            raise ParameterError(f"a horizon is a number of periods from 1 to {LONGEST:,}, not {self.horizon}")
        if not 1 <= self.changes <= 100:
            raise ParameterError(f"a friendship may change 1 to 100 times in what is counted, not {self.changes}")

    @property
    def losses(self) -> tuple[Pure, ...]:
        """What the stream costs, query by query, for all its periods together."""
        return tuple(Pure(query.epsilon) for query in self.queries)

    def rate(self, query: StreamQuery) -> Fraction:
        """The rate of the noise of every block: epsilon over the levels and over what one unit moves on each."""
        return query.epsilon / (self.unit.edges * query.tree.height * self.sensitivity(query))

    def sensitivity(self, query: StreamQuery) -> int:
        """By how much one event, or one friendship with all its changes, moves the changes of the count in all."""
        one_event = COUNTS[query.name].sensitivity(query.options)
        return one_event * self.changes if self.per_friendship else one_event

    def guarantee(self, query: StreamQuery) -> Guarantee:
        """What all answers of a query by blocks promise together."""
        event = query.epsilon / self.changes if self.per_friendship else query.epsilon
        by_edge = self.unit.kind is Kind.EDGE
        words = (
            f"all answers to {query.name} over all periods together lose epsilon",
            self.unit_words,
            *(("the set of people of every period is public",) if by_edge else ()),
            "periods are published on a public calendar, and how often does not depend on the data",
        )
        return Guarantee(
            self.unit,
            Trust.CENTRAL,
            query.epsilon,
            relationship_epsilon=event * self.changes / self.unit.edges if by_edge else None,
            assumes=words,
            proof="mechanisms.tree",
        )

    @property
    def unit_words(self) -> str:
        """What is protected, in words."""
        if self.unit.kind is Kind.NODE:
            return "the unit is one person over all time: once named, they stay in what is counted"
        if self.changes == 1:
            return "the unit is one friendship over all time: once seen, it stays in what is counted"
        if self.per_friendship:
            return f"the unit is one friendship over all time: changes of it after {self.changes} are ignored"
        return (
            "the unit is one edge event: that a friendship appears, or that it disappears; a friendship over all time "
            f"loses {self.changes} epsilon, since changes of it after {self.changes} are ignored"
        )

    @property
    def what(self) -> str:
        """What the ledger shows for the stream."""
        queries = ", ".join(f"{query.name} ({query.method})" for query in self.queries)
        text = f"stream {self.id}: {queries}, {self.horizon} periods"
        by_event = self.changes > 1 and not self.per_friendship and any(query.method == TREE for query in self.queries)
        return f"{text}; a friendship that comes and goes loses up to {self.changes} times this" if by_event else text

    def to_json(self) -> dict[str, Any]:
        """The terms as plain data, epsilons as exact texts."""
        return {
            "id": self.id,
            "dataset": self.dataset,
            "unit": str(self.unit),
            "per_friendship": self.per_friendship,
            "changes": self.changes,
            "horizon": self.horizon,
            "queries": [query.to_json() for query in self.queries],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> StreamSpec:
        """Return what `to_json` wrote, with exact numbers."""
        queries = tuple(StreamQuery.from_json(query) for query in document["queries"])
        return cls(**{**document, "unit": Unit.parse(document["unit"]), "queries": queries})
