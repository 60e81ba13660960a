"""A release job: queries with their algorithms chosen and checked, ready to be paid, drawn and stored.

The command line and Python sessions prepare the same job. Everything that can be refused is refused while it is
prepared, when nothing has been spent.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np

from graphveil.central.query import Answer, Query
from graphveil.errors import ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import label_list
from graphveil.graph.subgraph import split_people
from graphveil.graph.weighted import WeightedGraph
from graphveil.mechanisms.algorithm import Algorithm
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.convert import group as changed_together
from graphveil.privacy.loss import Loss
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Job, Row, rows
from graphveil.release.draw import run
from graphveil.release.policy import check_worth, facts_for

LISTS = ("partitions", "people", "column")  # options that say something of everybody
_KEPT_BY: dict[str, type[Graph]] = {"directions": DirectedGraph, "weights": WeightedGraph}
_HOW_TO_KEEP = {
    "directions": "read the graph with directed=True (--directed)",
    "weights": "read the graph with weighted= (--weighted COLUMN)",
}


@dataclass(frozen=True, slots=True)
class Request:
    """One question and what it may cost."""

    query: str
    epsilon: Fraction
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    accept_noise: bool = False  # answer even where the forecast says that it is mostly noise

    def to_json(self, algorithm: Algorithm) -> dict[str, Any]:
        """The canonical form, by which the ledger knows a repeated request.

        Options are taken from the algorithm that was built for it, so that 0.5, "0.5" and 1/2 have one text.
        """
        options = {name: str(_whole(getattr(algorithm, name))) for name in sorted(self.options)}
        return {"query": self.query, "epsilon": str(self.epsilon), "method": self.method, "options": options}


def _whole(value: Any) -> Any:
    """A value whose text is all of it: that of a long array has dots in the middle."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return tuple(map(_whole, value)) if isinstance(value, list | tuple) else value


def choose_query(query: str, unit: Unit, options: Mapping[str, Any], method: str | None = None) -> Row:
    """The algorithm that answers a query under a unit: the one named, or the first whose needs are met.

    Where there is none, it is said for public reasons why, and what to ask for instead.
    """
    by_query = [row for row in rows(Job.RELEASE) if row.query == query]
    if not by_query:
        raise unknown_name("query", query, (row.query for row in rows(Job.RELEASE)))
    by_unit = [row for row in by_query if row.unit == unit.kind]
    if not by_unit:
        raise ParameterError(_why_not(by_query[0], unit.kind))
    if method is not None:
        named = [row for row in by_unit if row.name == method]
        if not named:
            raise unknown_name("method", method, (row.name for row in by_unit), where=f"for {query}")
        return named[0]
    for row in by_unit:
        if all(option in options for option in row.needs):
            return row
    if "people" in by_unit[0].needs:
        raise ParameterError(f"{query} needs a table of labelled people: `graphveil learn` and session.learn read one")
    if "column" in by_unit[0].needs and "column" not in options:
        raise ParameterError(
            f"{query} needs an attribute of people: ask session.{query.replace('-', '_')}(attribute=...), or give "
            "--people TABLE.csv --attribute COLUMN; `graphveil plan` and gv.plan need "
            'only the values of the attribute: --attribute-values A,B and values=["A", "B"]'
        )
    missing = [name for name in by_unit[0].needs if name not in options]
    if "lower" in missing or "upper" in missing:
        raise ParameterError(f"{query} needs a public range: lower= and upper= (--option lower=0 --option upper=100)")
    needs = ", ".join(f"{name}= (--{name} FILE)" for name in missing)
    raise ParameterError(f"{query} under {unit.kind} privacy needs {needs}")


def _why_not(row: Row, kind: Kind) -> str:
    """Why a query is offered under the unit of this row only, in one line, and what to ask for instead."""
    if row.cls.why_one_unit is None:  # a plug-in's
        return f"{row.query} is offered under {row.unit} privacy only, not under {kind} privacy"
    reason, instead = row.cls.why_one_unit
    return (
        f"{row.query} is not offered under {kind} privacy: {reason}; ask for {instead}, or for it under {row.unit} "
        "privacy"
    )


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A request and the algorithm that answers it."""

    request: Request
    row: Row
    query: Query
    warning: str | None = None  # that the answer is mostly noise, where that was accepted

    @classmethod
    def prepare(cls, request: Request, unit: Unit) -> PreparedQuery:
        """Choose the algorithm; refuse what none answers under this unit."""
        row = choose_query(request.query, unit, request.options, request.method)
        return cls(request, row, row.build(request.epsilon / unit.edges, request.options))

    def weighed(self, n_people: int, total: Fraction) -> PreparedQuery:
        """The same, if the answer is worth its share of the total or noise is accepted (`release.policy`)."""
        facts = facts_for(self.query, n_people)
        warning = check_worth(self.query, facts, accept_noise=self.request.accept_noise, total=total)
        return replace(self, warning=warning)


@dataclass(frozen=True, slots=True)
class ReleaseJob:
    """Queries that are paid together, for all people or for each of several groups of people."""

    unit: Unit
    queries: tuple[PreparedQuery, ...]
    what: str  # the canonical text of the requests
    groups: Mapping[Any, str] | None = None  # people's groups by name, where the one query is answered for each group
    parts: Mapping[Any, Graph] | None = None  # by group, once the job is checked

    @classmethod
    def prepare(cls, requests: Sequence[Request], unit: Unit) -> ReleaseJob:
        """Check all that can be checked without the graph."""
        queries = tuple(PreparedQuery.prepare(request, unit) for request in requests)
        if not queries or len({request.query for request in requests}) < len(queries):
            raise ParameterError(
                "give at least one query, and each only once: asking twice costs twice, in two batches"
            )
        return cls(unit, queries, canonical(*((each.request, each.query) for each in queries)))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the ledger is charged: each answer by itself; all groups together cost what one does."""
        return tuple(changed_together(prepared.query.loss, self.unit.edges) for prepared in self.queries)

    @property
    def private_tables(self) -> bytes:
        """A digest of the private tables that queries read beside the graph; empty where there are none."""
        columns = (prepared.request.options.get("column") for prepared in self.queries)
        return "".join(column.digest for column in columns if column is not None and not column.public).encode()

    @property
    def epsilon(self) -> Fraction:
        """What the whole job costs, added up."""
        return sum((prepared.query.guarantee.epsilon * self.unit.edges for prepared in self.queries), Fraction(0))

    def checked(self, graph: Graph) -> ReleaseJob:
        """The same job, if the engine and the public number of people suit it and its answers are worth having.

        A stored answer is found without these checks: what was paid for is never refused.
        """
        for prepared in self.queries:
            check_reads(prepared.query, graph)
            _check_engine(graph, prepared, self.unit)
        parts = None if self.groups is None else split_people(graph, self.groups)
        sizes = [graph.n_nodes] if parts is None else [part.n_nodes for part in parts.values()]
        if self.unit.kind is Kind.EDGE:
            for prepared, size in product(self.queries, sizes):
                prepared.query.check_people(size)
            for prepared in self.queries:
                if {"people", "column"} & set(prepared.request.options):  # a table of people, never by group
                    prepared.query.check_names(label_list(graph.labels, graph.n_nodes))
        weighed = tuple(each.weighed(max(sizes), self.epsilon) for each in self.queries)  # the largest has most to tell
        return replace(self, queries=weighed, parts=parts)

    def by_group(self, groups: Mapping[Any, str]) -> ReleaseJob:
        """The job answered for each group of people at the price of one; `groups` gives people's groups by name.

        An edge lies inside one group at most, and edges between groups are left out. So all answers together lose what
        one of them loses: parallel composition.
        """
        if self.unit.kind is not Kind.EDGE:
            raise ParameterError(
                "groups share a price under edge privacy only: under node privacy who is in is private"
            )
        (prepared,) = self.queries
        if prepared.query.reads != "edges":
            raise ParameterError(
                f"{prepared.request.query} and groups (--groups) do not go together: groups are answered from plain "
                f"edges, without {prepared.query.reads}; ask without groups"
            )
        if listing := next((name for name in LISTS if name in prepared.request.options), None):
            raise ParameterError(
                f"{prepared.request.query} and groups (--groups) do not go together: its {listing} list all people, "
                "not those of one group; ask without groups"
            )
        check_group_names(groups)
        what = canonical((prepared.request, prepared.query), groups=members_digest(groups))
        return replace(self, groups=groups, what=what)

    def draw(self, graph: Graph, noise: Noise) -> list[tuple[PreparedQuery, Answer, str | None]]:
        """All answers, each with its query and, where there are groups, the group; the ledger was charged before."""
        if self.parts is not None:
            (prepared,) = self.queries
            return [(prepared, run(prepared.query, part, noise), str(name)) for name, part in self.parts.items()]
        drawn = {prepared.request.query: run(prepared.query, graph, noise) for prepared in self.queries}
        answers = drawn
        if len(drawn) > 1:
            from graphveil.release.reconcile import reconcile

            answers = reconcile(drawn, graph.n_nodes if self.unit.kind is Kind.EDGE else math.inf)
        return [(prepared, answers[prepared.request.query], None) for prepared in self.queries]


def check_group_names(groups: Mapping[Any, Any]) -> None:
    """Groups are known by their names, which must tell them apart; who belongs to none is left out of the mapping."""
    if not groups:
        raise ParameterError("there is nobody in a group: give the group of at least one person")
    known: dict[str, Any] = {}
    for person, group in groups.items():
        if not isinstance(group, str | Integral) or not str(group).strip() or not str(group).isprintable():
            raise ParameterError(
                f"the group of {person!r} must be a name in one line or a whole number, not {group!r}; leave out who "
                "is in no group"
            )
        if known.setdefault(str(group), group) != group:
            raise ParameterError(f"two groups are both called {group}: the number and the text; rename one of them")


def members_digest(groups: Mapping[Any, str]) -> str:
    """A digest of who is in which group, which is public: the ledger knows a repeated request by it."""
    return hashlib.sha256(repr(sorted((str(k), v) for k, v in groups.items())).encode()).hexdigest()


def canonical(*requests: tuple[Request, Algorithm], **further: str) -> str:
    """Requests, each with the algorithm built for it, as the ledger remembers them."""
    return json.dumps([request.to_json(algorithm) | further for request, algorithm in requests], sort_keys=True)


def _check_engine(graph: Graph, prepared: PreparedQuery, unit: Unit) -> None:
    """Refuse a query that the engine which holds the edges cannot answer."""
    if isinstance(graph, EdgeTable):
        from graphveil.release.engine_check import check_query

        check_query(graph, prepared.request.query, unit, partial(run, prepared.query))


def check_reads(query: Any, graph: Graph) -> None:
    """Refuse a query about directions or weights of a graph that was read without them; edges are always read."""
    check_kept(query.query, query.reads, isinstance(graph, _KEPT_BY.get(query.reads, Graph)))


def check_kept(name: str, reads: str, kept: bool) -> None:  # noqa: FBT001 - a fact, no switch
    """Refuse a query that reads what was not kept, and say how to keep it."""
    if reads != "edges" and not kept:
        raise ParameterError(f"{name} needs {reads}: {_HOW_TO_KEEP[reads]}; nothing was spent")
