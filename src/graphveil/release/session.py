"""A session: a private graph, the unit it is protected by, and a budget. The only maker of central releases.

Order of events, which is what makes a release trustworthy: check the request against public facts; write the spend to
the ledger, durably; measure and draw the noise; store the finished release; hand it out. A crash can lose budget, never
privacy, and whoever repeats a request under its id gets the stored answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.estimator import GraphClassifier
from graphveil.learn.people import LabelledPeople
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.mechanisms.release import Release
from graphveil.privacy.ledger.budget import Budget
from graphveil.privacy.ledger.ledger import Ledger, check_line, check_same
from graphveil.privacy.loss import Number, Pure, exact_delta, exact_epsilon
from graphveil.privacy.unit import Kind, Trust, Unit
from graphveil.release.job import OrderedPeople, ReleaseJob, Request, canonical
from graphveil.release.queries import Queries
from graphveil.release.records import SessionFacts, dump_releases, load_releases
from graphveil.release.synthesis import SynthesisJob, SyntheticRelease


@dataclass(frozen=True, slots=True)
class Released:
    """What a job gave: the releases, whether they were stored before, and the (epsilon, delta) left after it."""

    releases: list[Release]
    repeated: bool
    left: tuple[Fraction, Fraction]


class Session(Queries):
    """Ask a private graph questions until its budget is spent.

    `budget` and `delta` may be left out where the ledger knows them from an earlier session.

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
        budget: Number | None = None,
        delta: Number | None = None,
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
        if self.unit.kind is Kind.NODE and not graph.named:
            raise ParameterError(
                "node privacy needs names that stay with people, and this graph knows them by position: when one "
                "leaves, everybody after them gets another; give labels= (in a file: names) that stay"
            )
        if self.unit.kind is Kind.NODE and not graph.roster_declared:
            raise ParameterError(
                "node privacy needs the list of all people, also those without edges: read the graph with people= "
                "(--people FILE)"
            )
        check_line(dataset, "the name of a dataset")
        self._facts = SessionFacts(self.unit, dataset, self._noise.kind, graph.roster_declared)
        self._ledger = ledger if isinstance(ledger, Ledger) else None if ledger is not None else Ledger.in_memory()
        self._path = None if ledger is None or isinstance(ledger, Ledger) else Path(ledger)
        self._budget = self._declared(budget, delta)

    @property
    def budget(self) -> Fraction:
        """The epsilon of the whole budget."""
        return self._budget.epsilon

    @property
    def ledger(self) -> Ledger:
        """The ledger, made when it is first needed; the budget is written with the first spend."""
        if self._ledger is None:
            assert self._path is not None
            self._ledger = Ledger.open(self._path)
        return self._ledger

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        """What may still be spent: (epsilon, delta)."""
        if self._known_budget() is None:
            return self._budget.epsilon, self._budget.delta - self._budget.tail_delta
        return self.ledger.left(self.dataset)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """What has been spent: (epsilon, delta)."""
        return (Fraction(0), Fraction(0)) if self._known_budget() is None else self.ledger.spent(self.dataset)

    def release(
        self,
        query: str,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        max_degree: int | None = None,
        declared_people: int | None = None,
        weight: Number | None = None,
        k: int | None = None,
        partitions: Sequence[Sequence[int | str]] | None = None,
        count_share: Number | None = None,
        projection: str | None = None,
        people: LabelledPeople | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Release:
        """Answer one query. The same `request_id` again gives the stored answer and spends nothing.

        Each query has some of the options; its own method lists them. `options` holds those of other packages. What
        would be mostly noise is refused (`release.policy`) unless `accept_noise` is set.
        """
        named = {
            "max_degree": max_degree,
            "declared_people": declared_people,
            "weight": weight,
            "k": k,
            "partitions": partitions,
            "count_share": count_share,
            "projection": projection,
            "people": people,
        }
        given = given_options(named, options)
        request = Request(query, exact_epsilon(epsilon), method, given, accept_noise)
        return self.release_all([request], request_id=request_id)[0]

    def release_all(self, requests: Sequence[Request], *, request_id: str | None = None) -> list[Release]:
        """Answer several queries as one: all of them are paid together before the first noise is drawn, or none is.

        They cost what they would cost one by one: each stays a loss of its own, which matters where delta is not 0.
        """
        return self.execute(self.prepare(requests), request_id=request_id).releases

    def release_by_group(
        self,
        query: str,
        *,
        groups: Mapping[Any, str],
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        count_share: Number | None = None,
        k: int | None = None,
        projection: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Release]:
        """Answer a query for each group of people, for the price of one; `groups` gives people's groups by name.

        The groups must be public and made without looking at the edges. Who is not listed belongs to no group, and is
        in no answer; nor are their edges. Options are those of queries under edge privacy, as in `release`.
        """
        given = given_options({"count_share": count_share, "k": k, "projection": projection}, options)
        request = Request(query, exact_epsilon(epsilon), method, given, accept_noise)
        job = ReleaseJob.prepare([request], self.unit).by_group(self._graph, groups)
        releases = self.execute(job, request_id=request_id).releases
        return {release.provenance.parameters["group"]: release for release in releases}

    def prepare(self, requests: Sequence[Request]) -> ReleaseJob:
        """A job of these queries, with everything checked that can be refused; nothing is spent."""
        requests = [self._people.request(request) for request in requests]
        return ReleaseJob.prepare(requests, self.unit).checked(self._graph)

    def execute(self, job: ReleaseJob, *, request_id: str | None = None) -> Released:
        """Spend, then draw and store; or return what is stored for this request already."""
        if request_id is not None:
            check_line(request_id, "a request id")
        self._refuse_before_making_a_ledger(job.losses)
        charge = self.ledger.charge(self._budget, job.losses, request_id=request_id, what=job.what)
        if charge.stored is not None:
            return Released(load_releases(charge.stored), repeated=True, left=charge.left)
        releases = [
            self._facts.release(prepared, answer, charge.entry, group)
            for prepared, answer, group in job.draw(self._graph, self._noise)
        ]
        stored = self.ledger.settle(charge.entry, dump_releases(releases))
        return Released(load_releases(stored), repeated=False, left=charge.left)

    def learn(
        self,
        people: Any,
        *,
        label: str,
        epsilon: Number,
        features: Sequence[str] | None = None,
        request_id: str | None = None,
    ) -> GraphClassifier:
        """Measure class rows, once, and predict from them; see `learn.estimator`.

        `people` is a table of columns, such as a data frame: the first has the names, an empty cell of column `label`
        means "predict". Table and labels are public. Whatever is done with the classifier costs nothing further.
        """
        table = LabelledPeople.from_columns(people, label=label, features=features)
        release = self.release("class-rows", epsilon=epsilon, people=table, request_id=request_id)
        return GraphClassifier(release, table).fit()

    def synthesize(
        self,
        method: str,
        *,
        epsilon: Number,
        attributes: Mapping[Any, str] | None = None,
        way: str | None = None,
        rounds: int | None = None,
        max_degree: int | None = None,
        n_groups: int | None = None,
        count_share: Number | None = None,
        grouping: str | None = None,
        group_size: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> SyntheticRelease:
        """Measure what a method needs, once; graphs are then drawn from the release at no further cost.

        `attributes` gives people's categories by name, which are public; a tenth of epsilon then measures how they mix.
        Each method has some of the options, `graphveil algorithms METHOD` lists them; `options` holds those of other
        packages.
        """
        named = {
            "way": way,
            "rounds": rounds,
            "max_degree": max_degree,
            "n_groups": n_groups,
            "count_share": count_share,
            "grouping": grouping,
            "group_size": group_size,
        }
        given = given_options(named, options)
        total = exact_epsilon(epsilon)
        job = SynthesisJob.prepare(self._graph, self.unit, method, total, attributes, given)
        self._refuse_before_making_a_ledger([Pure(total)])
        charge = self.ledger.charge(self._budget, [Pure(total)], request_id=None, what=canonical([job.request]))
        release = job.measure(self._graph, self._noise, self._facts, charge.entry)
        self.ledger.settle(charge.entry, json.dumps(release.statement()))
        return release

    def _declared(self, budget: Number | None, delta: Number | None) -> Budget:
        """The budget as it is on file, or a new one with these terms."""
        known = self._known_budget()
        if budget is None and known is None:
            declared = ", ".join(sorted(each.name for each in self.ledger.datasets())) if self._on_file() else ""
            listed = f"; it knows {declared}" if declared else ""
            where = f"{self._path} has" if self._path else "there is"
            raise ParameterError(
                f"{where} no budget for {self.dataset} yet: declare it once with budget= (--budget){listed}"
            )
        epsilon = known.epsilon if budget is None and known else exact_epsilon(budget or 0, "budget")
        tail = known.delta if delta is None and known else exact_delta(delta or 0)
        wanted = Budget.declared(  # every query is pure, so all of delta serves the composition of many small losses
            self.dataset, unit=self.unit, trust=Trust.CENTRAL, epsilon=epsilon, delta=tail, tail_delta=tail
        )
        if known is not None:
            check_same(known, wanted)
        return wanted

    def _on_file(self) -> bool:
        """Whether there is a ledger to read: one that was given or made, or a file of that name."""
        return self._ledger is not None or (self._path is not None and self._path.exists())

    def _known_budget(self) -> Budget | None:
        return self.ledger.budget(self.dataset) if self._on_file() else None

    def _refuse_before_making_a_ledger(self, losses: Sequence[Pure]) -> None:
        """What does not fit a new budget leaves no file behind."""
        if not self._on_file():
            self._budget.check_first(losses)

    def __repr__(self) -> str:
        return f"Session(dataset={self.dataset!r}, unit={self.unit}, budget={float(self.budget):g})"


def given_options(named: Mapping[str, Any], further: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options that were given, by their own names or as further ones; None stands for one that was not."""
    return {name: value for name, value in {**named, **(further or {})}.items() if value is not None}
