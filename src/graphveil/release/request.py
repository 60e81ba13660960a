"""One question to a session, and the same with its algorithm chosen and its parameters checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from numbers import Integral
from typing import Any

from graphveil.central.old_page import Page
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.subgraph import split_people
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Row
from graphveil.release.choose import choose_query
from graphveil.release.draw import run
from graphveil.release.engine_check import check_query


@dataclass(frozen=True, slots=True)
class Request:
    """One question and what it may cost."""

    query: str
    epsilon: Fraction
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Canonical form, by which the ledger knows a repeated request."""
        options = {name: str(value) for name, value in sorted(self.options.items())}
        return {"query": self.query, "epsilon": str(self.epsilon), "method": self.method, "options": options}


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A request and the page that answers it."""

    request: Request
    algorithm: Row
    page: Page

    @classmethod
    def prepare(cls, request: Request, unit: Unit, graph: Graph | None = None) -> PreparedQuery:
        """Refuse what no algorithm answers under this unit; with the graph, what its engine cannot."""
        algorithm = choose_query(request.query, unit, request.options, request.method)
        page = algorithm.build(request.epsilon / unit.edges, request.options)
        if graph is not None:
            check_query(graph, request.query, unit, partial(run, page))
            if unit.kind is Kind.EDGE:
                page.check_people(graph.n_nodes)
        return cls(request, algorithm, page)


@dataclass(frozen=True, slots=True)
class PreparedGroups:
    """A request, the page that answers it, and the groups of people it is answered for."""

    job: PreparedQuery
    parts: Mapping[Any, Graph]

    @classmethod
    def prepare(cls, request: Request, unit: Unit, graph: Graph, groups: Mapping[Any, str]) -> PreparedGroups:
        """Refuse what cannot be answered for every group at the price of one; `groups` gives people's by name."""
        if unit.kind is Kind.NODE:
            raise ParameterError(
                "groups share a price under edge privacy only: under node privacy who is in is private"
            )
        job = PreparedQuery.prepare(request, unit)
        if "partitions" in request.options:
            raise ParameterError(
                f"{request.query} and groups (--groups) do not go together: its partitions list all people, not those "
                "of one group; ask without groups"
            )
        check_group_names(groups)
        check_query(graph, request.query, unit, partial(run, job.page))
        parts = split_people(graph, groups)
        for part in parts.values():
            job.page.check_people(part.n_nodes)
        return cls(job, parts)


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


def canonical(requests: Sequence[Request], **further: str) -> str:
    """Requests as the ledger remembers them."""
    return json.dumps([request.to_json() | further for request in requests], sort_keys=True)
