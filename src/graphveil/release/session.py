"""A session: a private graph, the unit it is protected by, and a budget. The only maker of central releases.

Order of events, which is what makes a release trustworthy: check the request against public facts; write the spend to
the ledger, durably; draw the noise; store the finished release; hand it out. A crash can lose budget, never privacy,
and whoever repeats a request under its id gets the stored answer.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Number, Pure, exact_delta, exact_epsilon
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.draw import run
from graphveil.release.people_order import OrderedPeople
from graphveil.release.provenance import Stamp, of_group
from graphveil.release.queries import Queries
from graphveil.release.reconcile import reconcile
from graphveil.release.release import Release
from graphveil.release.request import PreparedGroups, PreparedQuery, Request, canonical
from graphveil.release.storage import dump_releases, load_releases
from graphveil.release.synthesis import SynthesisJob, SyntheticRelease


class Session(Queries):
    """Ask a private graph questions until its budget is spent.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
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
        self._people = OrderedPeople.of(graph)
        self._graph = self._people.graph
        self._noise = SystemNoise() if noise is None else noise
        if self._noise.kind == "seeded" and ledger is not None:
            raise ParameterError("a ledger records releases; seeded noise makes none: leave out the ledger or the seed")
        if self.unit.kind is Kind.NODE and not graph.roster_declared:
            raise ParameterError(
                "node privacy needs the list of all people, also those without edges: read the graph with people= "
                "(--people FILE)"
            )
        self._stamp = Stamp(self.unit, dataset, self._noise.kind, graph.roster_declared)
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
        """Answer several queries as one: all of them are paid together before the first noise is drawn, or none is.

        They cost what they would cost one by one: each stays a loss of its own, which matters where delta is not 0.
        """
        requests = [self._people.request(request) for request in requests]
        jobs = [PreparedQuery.prepare(request, self.unit, self._graph) for request in requests]
        if not jobs or len({request.query for request in requests}) < len(jobs):
            raise ParameterError(
                "give at least one query, and each only once: asking twice costs twice, in two batches"
            )

        def draw(entry: Entry) -> list[Release]:
            drawn = {job.request.query: run(job.page, self._graph, self._noise) for job in jobs}
            answers = reconcile(drawn, self._graph.n_nodes if self.unit.kind is Kind.EDGE else math.inf)
            return [self._stamp.release(job, answers[job.request.query], entry) for job in jobs]

        losses = [Pure(request.epsilon) for request in requests]
        return self._pay_and_draw(losses, canonical(requests), request_id, draw)

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
        one of them loses: parallel composition. The groups must be public and made without looking at the edges. Who is
        not listed belongs to no group, and is in no answer; nor are their edges.
        """
        request = Request(query, exact_epsilon(epsilon), method, options)
        prepared = PreparedGroups.prepare(request, self.unit, self._graph, groups)
        job, parts = prepared.job, prepared.parts
        members = hashlib.sha256(repr(sorted((str(k), v) for k, v in groups.items())).encode()).hexdigest()

        def draw(entry: Entry) -> list[Release]:
            answers = {name: run(job.page, part, self._noise) for name, part in parts.items()}
            return [of_group(self._stamp.release(job, answer, entry), str(name)) for name, answer in answers.items()]

        what = canonical([request], groups=members)
        releases = self._pay_and_draw([Pure(request.epsilon)], what, request_id, draw)
        return {release.provenance.parameters["group"]: release for release in releases}

    def synthesize(
        self, method: str, *, epsilon: Number, attributes: Mapping[Any, str] | None = None, **options: Any
    ) -> SyntheticRelease:
        """Measure what a method needs, once; graphs are then drawn from the release at no further cost.

        `attributes` gives people's categories by name, which are public; a tenth of epsilon then measures how they mix.
        """
        total = exact_epsilon(epsilon)
        job = SynthesisJob.prepare(self._graph, self.unit, method, total, attributes, options)
        entry = self.ledger.spend(self.dataset, Pure(total), request_id=None, what=canonical([job.request]))
        release = job.measure(self._graph, self._noise, self._stamp, entry)
        self.ledger.settle(entry, json.dumps(release.statement()))
        return release

    def _pay_and_draw(
        self, losses: Sequence[Pure], what: str, request_id: str | None, draw: Callable[[Entry], list[Release]]
    ) -> list[Release]:
        """Spend, then draw and store; or return what is stored for this request already."""
        entry = self.ledger.spend_together(self.dataset, losses, request_id=request_id, what=what)
        stored = self.ledger.stored(request_id) if request_id else None
        if stored is None:
            stored = self.ledger.settle(entry, dump_releases(draw(entry)))
        return load_releases(stored)

    def __repr__(self) -> str:
        return f"Session(dataset={self.dataset!r}, unit={self.unit}, budget={float(self.budget):g})"
