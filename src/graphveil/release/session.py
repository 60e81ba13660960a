"""A session: a private graph, the unit it is protected by, and a budget. The only maker of central releases.

Order of events, which is what makes a release trustworthy: check the request against public facts; write the spend to
the ledger, durably; draw the noise; store the finished release; hand it out. A crash can lose budget, never privacy,
and whoever repeats a request under its id gets the stored answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graphveil.central.page import Answer, Page
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.subgraph import split_people
from graphveil.mechanisms.accuracy import Value
from graphveil.mechanisms.source import Noise, SystemNoise
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.ledger import Ledger
from graphveil.privacy.ledger_rows import Entry
from graphveil.privacy.loss import Number, Pure, exact_delta, exact_epsilon
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.consistency import reconcile
from graphveil.release.engine_check import check_method, check_query
from graphveil.release.queries import Queries
from graphveil.release.registry import Algorithm, choose
from graphveil.release.release import Provenance, Release
from graphveil.release.storage import dump_releases, load_releases
from graphveil.release.synthesis import ATTRIBUTE_SHARE, SyntheticRelease, prepare
from graphveil.synthetic.attributes import measure_mixing, read_categories
from graphveil.synthetic.registry import find


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
class _Job:
    """A request with its algorithm chosen and its parameters checked."""

    request: Request
    algorithm: Algorithm
    page: Page


class Session(Queries):
    """Ask a private graph questions until its budget is spent.

    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    >>> session = Session(graph, unit="edge", budget=1, noise=SeededNoise(7))
    >>> release = session.edges(epsilon=0.5)
    >>> release.guarantee.status, session.left
    (<Status.SEEDED: 'seeded-no-guarantee'>, (Fraction(1, 2), Fraction(0, 1)))
    """

    def __init__(
        self,
        graph: Graph,
        *,
        unit: str | Unit,
        budget: Number,
        delta: Number = 0,
        ledger: Ledger | str | Path | None = None,
        dataset: str = "graph",
        noise: Noise | None = None,
    ) -> None:
        self.unit = Unit.parse(unit)
        self.dataset = dataset
        self._graph = graph
        self._noise = SystemNoise() if noise is None else noise
        if self._noise.kind == "seeded" and ledger is not None:
            raise ParameterError("a ledger records releases; seeded noise makes none: leave out the ledger or the seed")
        if self.unit.kind is Kind.NODE and not graph.roster_declared:
            raise ParameterError(
                "node privacy needs the list of all people, also those without edges: read the graph with people= "
                "(--people FILE)"
            )
        self.budget = exact_epsilon(budget, "budget")
        self.ledger = ledger if isinstance(ledger, Ledger) else Ledger.open(ledger) if ledger else Ledger.in_memory()
        tail = exact_delta(delta)  # every page is pure, so all of delta serves the composition of many small losses
        self.ledger.declare(
            dataset, unit=self.unit, trust=Trust.CENTRAL, epsilon=self.budget, delta=tail, tail_delta=tail
        )

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        """What may still be spent: (epsilon, delta)."""
        return self.ledger.left(self.dataset)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """What has been spent: (epsilon, delta)."""
        return self.ledger.spent(self.dataset)

    def release(
        self, query: str, *, epsilon: Number, method: str | None = None, request_id: str | None = None, **options: Any
    ) -> Release:
        """Answer one query. The same `request_id` again gives the stored answer and spends nothing."""
        request = Request(query, exact_epsilon(epsilon), method, options)
        return self.release_all([request], request_id=request_id)[0]

    def release_all(self, requests: Sequence[Request], *, request_id: str | None = None) -> list[Release]:
        """Answer several queries as one: all of them are paid together before the first noise is drawn, or none is."""
        jobs = [self._prepare(request) for request in requests]
        if not jobs or len({request.query for request in requests}) < len(jobs):
            raise ParameterError(
                "give at least one query, and each only once: asking twice costs twice, in two batches"
            )
        loss = Pure(sum((job.request.epsilon for job in jobs), Fraction(0)))
        what = json.dumps([request.to_json() for request in requests], sort_keys=True)
        entry = self.ledger.spend(self.dataset, loss, request_id=request_id, what=what)
        stored = self.ledger.stored(request_id) if request_id else None
        if stored is None:
            answers = reconcile({job.request.query: job.page.run(self._graph, self._noise) for job in jobs})
            releases = [self._wrap(job, answers[job.request.query], entry) for job in jobs]
            stored = self.ledger.settle(entry, dump_releases(releases))
        return load_releases(stored)

    def release_by_group(
        self,
        query: str,
        *,
        groups: Mapping[Any, str],
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        **options: Any,
    ) -> dict[str, Release]:
        """Answer a query for each group of people, for the price of one; `groups` gives people's groups by name.

        An edge lies inside one group at most (edges between groups are left out), so all answers together lose what
        one of them loses: parallel composition. The groups must be public and made without looking at the edges.
        """
        if self.unit.kind is Kind.NODE:
            raise ParameterError(
                "groups share a price under edge privacy only: under node privacy who is in is private"
            )
        job = self._prepare(Request(query, exact_epsilon(epsilon), method, options))
        members = hashlib.sha256(repr(sorted((str(k), v) for k, v in groups.items())).encode()).hexdigest()
        what = json.dumps([job.request.to_json() | {"groups": members}], sort_keys=True)
        parts = split_people(self._graph, groups)
        entry = self.ledger.spend(self.dataset, Pure(job.request.epsilon), request_id=request_id, what=what)
        stored = self.ledger.stored(request_id) if request_id else None
        if stored is None:
            answers = {name: job.page.run(part, self._noise) for name, part in parts.items()}
            releases = [_of_group(self._wrap(job, answer, entry), str(name)) for name, answer in answers.items()]
            stored = self.ledger.settle(entry, dump_releases(releases))
        return {release.provenance.parameters["group"]: release for release in load_releases(stored)}

    def synthesize(
        self, method: str, *, epsilon: Number, attributes: Mapping[Any, str] | None = None, **options: Any
    ) -> SyntheticRelease:
        """Measure what a method needs, once; graphs are then drawn from the release at no further cost.

        `attributes` gives people's categories by name, which are public; a tenth of epsilon then measures how they mix.
        """
        total = exact_epsilon(epsilon)
        mixing_epsilon = total * ATTRIBUTE_SHARE / self.unit.edges if attributes is not None else Fraction(0)
        page = prepare(method, total - mixing_epsilon * self.unit.edges, self.unit, options)
        check_method(self._graph, method, page.fit)
        if attributes is not None:
            check_method(self._graph, f"{method} with attributes", lambda toy, _: toy.edges())
        categories = None if attributes is None else read_categories(self._graph, attributes)
        request = Request(f"synthetic graph ({method})", total, method, options)
        what = json.dumps([request.to_json()], sort_keys=True)
        entry = self.ledger.spend(self.dataset, Pure(total), request_id=None, what=what)
        fit = page.fit(self._graph, self._noise)
        mixing = None
        if categories is not None:
            mixing = measure_mixing(self._graph, categories, mixing_epsilon, self._noise)
        parameters = {"epsilon": str(page.epsilon)} | {name: str(getattr(page, name)) for name in find(method).options}
        whole = page.epsilon + mixing_epsilon
        guarantee = replace(page.guarantee, epsilon=whole, relationship_epsilon=whole)
        if mixing:
            guarantee = replace(guarantee, assumes=(*guarantee.assumes, "people's categories are public"))
        provenance = self._provenance(method, parameters, entry)
        release = SyntheticRelease(method, self._guarantee(guarantee), provenance, page, fit, mixing)
        self.ledger.settle(entry, json.dumps(release.statement()))
        return release

    def _prepare(self, request: Request) -> _Job:
        algorithm = choose(request.query, self.unit, request.options, request.method)
        page = algorithm.build(request.epsilon / self.unit.edges, request.options)
        check_query(self._graph, request.query, self.unit, page.run)
        return _Job(request, algorithm, page)

    def _wrap(self, job: _Job, answer: Answer, entry: Entry) -> Release:
        parameters = {"epsilon": str(job.page.epsilon)} | {
            name: value for name in job.algorithm.options if (value := getattr(job.page, name)) is not None
        }
        shown = {name: str(v) if isinstance(v, Fraction) else v for name, v in parameters.items()}
        provenance = self._provenance(job.algorithm.name, shown, entry, answer.derived)
        guarantee = self._guarantee(job.page.guarantee)
        return Release(job.request.query, answer.value, guarantee, answer.accuracy, provenance, answer.stages)

    def _provenance(
        self, algorithm: str, parameters: Mapping[str, Any], entry: Entry, derived: Mapping[str, Value] | None = None
    ) -> Provenance:
        return Provenance(
            algorithm=algorithm,
            version=version("graphveil"),
            parameters=parameters,
            dataset=self.dataset,
            entry=entry.id,
            noise=self._noise.kind,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            derived=derived or {},
        )

    def _guarantee(self, page: Guarantee) -> Guarantee:
        """The page's guarantee for this session: k edges at once, the roster it assumes, and what noise was used."""
        assumes = (*page.assumes, *self._roster_assumptions())
        edges = self.unit.edges  # group privacy: k edges at epsilon each cost k epsilon
        scaled = replace(
            page,
            unit=self.unit,
            epsilon=page.epsilon * edges,
            relationship_epsilon=page.relationship_epsilon,
            assumes=assumes,
        )
        return scaled if self._noise.kind == "system" else scaled.seeded()

    def _roster_assumptions(self) -> tuple[str, ...]:
        if self.unit.kind is Kind.NODE:
            return ()
        if self._graph.roster_declared:
            return ("the set of people is public",)
        return ("the set of people is public and equals the people named in the edge list",)

    def __repr__(self) -> str:
        return f"Session(dataset={self.dataset!r}, unit={self.unit}, budget={float(self.budget):g})"


def _of_group(release: Release, name: str) -> Release:
    """The release of one group among several, which says so."""
    provenance = replace(release.provenance, parameters={**release.provenance.parameters, "group": name})
    assumes = (*release.guarantee.assumes, "the groups are public and were made without looking at the edges")
    return replace(release, provenance=provenance, guarantee=replace(release.guarantee, assumes=assumes))
