"""Whoever takes part in a comparison, each at the epsilon that makes the comparison fair.

Two losses can be made equal. That of a *friendship* is what all observers together learn about one edge: epsilon of a
release, and in the local model the sum of what both ends report about it. That of an *entry* is what one report tells
about one entry of a list (unit edge) or about the whole list (unit node); it is the epsilon that protocols are named
by. At equal entry epsilon a protocol in which both ends answer for a pair gives away up to twice as much of a
friendship as one in which only one of them does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from graphveil.central.query import Query
from graphveil.errors import ParameterError, unknown_name
from graphveil.local.protocol import LocalProtocol
from graphveil.privacy.guarantee import Guarantee
from graphveil.registry import Job, Row, rows
from graphveil.synthetic.synthesizer import Synthesizer

EqualLoss = Literal["friendship", "entry"]
LOSSES: tuple[EqualLoss, ...] = ("friendship", "entry")
HALVINGS = 40  # of the range in which the epsilon is searched where a loss is not proportional to it


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRow(Row):
    """An algorithm that was handed over as a class and stands in no table."""

    given: type[Any] = field(repr=False)

    @property
    def cls(self) -> type[Any]:
        """The class as it was given."""
        return self.given


def row_of(algorithm: type[Any]) -> Row:
    """The row of a query, protocol or synthesizer that is given as a class; it has the name of the class.

    >>> from graphveil.central.edge.edges import EdgeCount
    >>> row_of(EdgeCount).query, row_of(EdgeCount).job.value
    ('edges', 'release')
    """
    kinds = {Query: Job.RELEASE, LocalProtocol: Job.COLLECT, Synthesizer: Job.SYNTHESIZE}
    job = next(
        (job for base, job in kinds.items() if isinstance(algorithm, type) and issubclass(algorithm, base)), None
    )
    if job is None:
        raise ParameterError(f"also holds {algorithm!r}; give classes of queries, protocols or synthesizers")
    about: Any = algorithm
    query = {Job.RELEASE: "query", Job.COLLECT: "statistic"}.get(job)
    return GivenRow(
        job=job,
        name=about.__name__,
        query="graph" if query is None else getattr(about, query),
        unit=str(getattr(about, "unit", "edge")),
        location=f"{about.__module__}:{about.__qualname__}",
        home="",
        given=algorithm,
    )


def contenders(query: str, unit: str, also: tuple[Row, ...] = ()) -> list[Row]:
    """Whatever answers a query or collects a statistic under a unit; says what there is instead."""
    everything = [*(row for job in Job for row in rows(job)), *also]
    by_unit = [row for row in everything if row.unit == unit]
    if not by_unit:
        raise unknown_name("unit", unit, (row.unit for row in everything), where="for a comparison")
    found = [row for row in by_unit if row.query == query]
    if not found:
        raise unknown_name("query", query, (row.query for row in by_unit), where=f"under {unit} privacy")
    if strangers := [row.name for row in also if row not in found]:
        raise ParameterError(f"{strangers[0]} does not answer {query} under {unit} privacy")
    return found


def equal_loss(name: str) -> EqualLoss:
    """The loss of that name, which a comparison makes equal."""
    for loss in LOSSES:
        if loss == name:
            return loss
    raise unknown_name("loss", name, LOSSES, where="to make equal")


def check_options(taking_part: Sequence[Row], options: Mapping[str, Any]) -> None:
    """Refuse an option that no algorithm of a comparison has."""
    known = {option for row in taking_part for option in row.options}
    for option in options:
        if option not in known:
            raise unknown_name("option", option, known, where="of the algorithms that take part")


def build_fairly(
    row: Row, epsilon: Fraction, equal: str, n_people: int, options: Mapping[str, Any] | None = None
) -> Any:
    """The algorithm at the largest epsilon at which the chosen loss is at most the one given; `options` are its own.

    A loss is proportional to epsilon almost everywhere, so one division finds it exactly; elsewhere it is searched.
    """
    equal_loss(equal)
    own = {name: value for name, value in (options or {}).items() if name in row.options}
    built = _build(row, epsilon, n_people, own)
    if equal == "entry" or friendship_epsilon(built) == epsilon:
        return built
    scaled = _build(row, epsilon * epsilon / friendship_epsilon(built), n_people, own)
    if friendship_epsilon(scaled) == epsilon:
        return scaled
    low, high = epsilon / 4, epsilon  # both ends of a friendship send what an entry costs at most: twice is the most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        fits = friendship_epsilon(_build(row, middle, n_people, own)) <= epsilon
        low, high = (middle, high) if fits else (low, middle)
    return _build(row, low, n_people, own)


def friendship_epsilon(built: Any) -> Fraction:
    """What one friendship loses to all reports or to the release."""
    guarantee: Guarantee = built.guarantee
    assert guarantee.relationship_epsilon is not None
    return guarantee.relationship_epsilon


def _build(row: Row, epsilon: Fraction, n_people: int, options: Mapping[str, Any]) -> Any:
    if row.job is not Job.COLLECT:
        return row.build(epsilon, options)
    built = row.build(epsilon, options, n_people=n_people)
    built.check_messages()
    return built
