"""A session: a private graph, the unit it is protected by, and a budget. The only maker of central releases.

Order of events, which is what makes a release trustworthy: check the request against public facts; write the spend to
the ledger, durably; measure and draw the noise; store the finished release; hand it out. A crash can lose budget, never
privacy. A repeated request gets the stored answer, which costs nothing and is looked up before anything could refuse.

A request is the same as an earlier one if both have the same id, or if neither has one and both ask the same of the
same graph.
Returning a stored answer reveals that the graph did not change, which no budget covers. In a published series, give
each period its own `request_id`: then public text alone decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.record_reading import RecordReading
from graphveil.display.html import card
from graphveil.errors import ParameterError
from graphveil.graph.convert import as_graph
from graphveil.graph.core import Graph
from graphveil.learn.people import LabelledPeople, has_attributes, in_order_of
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.mechanisms.release import Release
from graphveil.privacy.amount import Amount, Spent
from graphveil.privacy.ledger.ledger import Charge, Ledger
from graphveil.privacy.ledger.rules import SpendRequest
from graphveil.privacy.loss import Number, Pure, exact_epsilon
from graphveil.privacy.odds import refuse_weak
from graphveil.privacy.unit import Kind, Unit
from graphveil.release.account import Account
from graphveil.release.job import ReleaseJob, Request
from graphveil.release.people_order import OrderedPeople, check_node_names
from graphveil.release.questions.answers import checked_requests, given_options, shared
from graphveil.release.questions.attribute_queries import AttributeQueries
from graphveil.release.questions.list_queries import ListQueries
from graphveil.release.questions.queries import NumberQueries
from graphveil.release.questions.streams import Streams
from graphveil.release.record_learning import RecordJob
from graphveil.release.records import Released, SessionFacts, dump_releases, load_releases
from graphveil.release.synthesis import SynthesisJob, SyntheticRelease


class Session(NumberQueries, ListQueries, AttributeQueries, Streams):
    """Ask a private graph questions until its budget is spent.

    `graph` is a `Graph` or anything that `as_graph` takes: a path, a graph of networkx or igraph, a sparse matrix, a
    table of edges, pairs. `people` lists everybody, also those without edges; node privacy needs it. `directed` and
    `weighted` (a column, an attribute of edges, or True) keep directions or weights, as in `as_graph`.
    `ledger` is the file that records what is spent; without one nothing is remembered when the session ends. It
    protects one set of people: `dataset` is their name there, by default that of the file the graph was read from, else
    of the ledger's only dataset. `separate_people` declares that nobody in this dataset is in another one of it.
    `budget` and `delta` may be left out where the ledger knows them from an earlier session. `accept_weak` answers also
    above epsilon 20, `accept_changed_people` also if people with an edge are not those of the release before.

    >>> session = Session([("ann", "bob"), ("bob", "cem")], unit="edge", budget=1)
    >>> session.edges(epsilon=0.5, accept_noise=True).guarantee.epsilon, session.left
    (Fraction(1, 2), 0.5)
    """

    def __init__(
        self,
        graph: Graph | Any,
        *,
        unit: str | Unit,
        people: str | Path | Iterable[int | str] | None = None,
        directed: bool = False,
        weighted: str | int | None = None,
        budget: Number | None = None,
        delta: Number | None = None,
        ledger: Ledger | str | Path | None = None,
        dataset: str | None = None,
        separate_people: bool = False,
        accept_weak: bool = False,
        accept_changed_people: bool = False,
        noise: Noise | None = None,
    ) -> None:
        self.unit = Unit.parse(unit)
        self._nodes = graph if has_attributes(graph) else None
        graph = as_graph(graph, people=people, directed=directed, weighted=weighted)
        self._accept_weak = accept_weak
        self._people = OrderedPeople.of(graph)
        self._graph = self._people.graph
        self._noise = SystemNoise() if noise is None else noise
        if self._noise.kind == "seeded" and ledger is not None:
            raise ParameterError("a ledger records releases; seeded noise makes none: leave out the ledger or the seed")
        if self.unit.kind is Kind.NODE:
            check_node_names(graph)
        self._account = Account(
            graph, self.unit, ledger=ledger, dataset=dataset, budget=budget, delta=delta,
            separate_people=separate_people, accept_changed_people=accept_changed_people,
        )  # fmt: skip
        self.dataset = self._account.dataset
        kind, recorded = self._noise.kind, self._account.recorded
        self._facts = SessionFacts.of(graph, self.unit, self.dataset, kind, recorded=recorded)

    @property
    def budget(self) -> Fraction:
        """The epsilon of the whole budget."""
        return self._account.budget.epsilon

    @property
    def ledger(self) -> Ledger:
        """The ledger, made when it is first needed; the budget is written with the first spend."""
        return self._account.ledger

    @property
    def left(self) -> Amount:
        """What may still be spent: a pair (epsilon, delta) that reads and compares like the number epsilon."""
        return Amount(*self._account.left)

    @property
    def spent(self) -> Spent:
        """What has been spent: a pair like `left`."""
        return Spent(*self._account.spent)

    def release(
        self,
        query: str,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
        max_degree: int | None = None,
        declared_people: int | None = None,
        weight: Number | None = None,
        k: int | None = None,
        partitions: Sequence[Sequence[int | str]] | None = None,
        count_share: Number | None = None,
        projection: str | None = None,
        people: LabelledPeople | None = None,
        column: PeopleColumn | None = None,
        max_weight: int | None = None,
        max_strength: int | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        most_values: int | None = None,
        delta: Number | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Release:
        """Answer one query. The same question again gives the stored answer and spends nothing, unless it is `fresh`.

        With a `request_id` the id alone says whether it is the same question. The method of each query lists its own
        options; `options` holds those of other packages. What would be mostly noise is refused unless `accept_noise`.
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
            "column": column,
            "max_weight": max_weight,
            "max_strength": max_strength,
            "lower": lower,
            "upper": upper,
            "most_values": most_values,
            "delta": delta,
        }
        request = Request(query, exact_epsilon(epsilon), method, given_options(named, options), accept_noise)
        return self.release_all([request], request_id=request_id, fresh=fresh)[0]

    def release_all(
        self,
        requests: Sequence[Request | str],
        *,
        epsilon: Number | None = None,
        request_id: str | None = None,
        fresh: bool = False,
    ) -> list[Release]:
        """Answer several queries as one: all of them are paid together before the first noise is drawn, or none is.

        Queries by name, such as `["edges", "triangles"]`, share `epsilon` evenly; a `release.job.Request` has its own
        epsilon and options. Each stays a loss of its own, which matters where delta is not 0.
        """
        return self.execute(self.prepare(shared(requests, epsilon)), request_id=request_id, fresh=fresh).releases

    def release_by_group(
        self,
        query: str,
        *,
        groups: Mapping[Any, str],
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
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
        job = ReleaseJob.prepare([request], self.unit).by_group(groups)
        releases = self.execute(job, request_id=request_id, fresh=fresh).releases
        return {release.provenance.parameters["group"]: release for release in releases}

    def prepare(self, requests: Sequence[Request]) -> ReleaseJob:
        """A job of these queries, each with its algorithm; nothing is spent."""
        return ReleaseJob.prepare([self._people.request(request) for request in checked_requests(requests)], self.unit)

    def execute(self, job: ReleaseJob, *, request_id: str | None = None, fresh: bool = False) -> Released:
        """Return what is stored for this request; else check, spend, draw and store."""
        request = SpendRequest(self.dataset, job.losses, job.what, request_id, fresh=fresh)
        repeated = self._account.repeated(request, job.private_tables)
        if repeated is not None:
            return Released.stored(repeated)
        job = job.checked(self._graph)
        charge = self._pay(request, job.epsilon, job.private_tables)
        if charge.stored is not None:  # another process was quicker
            return Released.stored(charge)
        releases = [
            self._facts.release(prepared, answer, charge.entry, group)
            for prepared, answer, group in job.draw(self._graph, self._noise)
        ]
        stored = self.ledger.settle(charge.entry, dump_releases(releases))
        return Released(load_releases(stored), repeated=False, left=charge.left, other_people=charge.other_people)

    def synthesize(
        self,
        method: str = "veil",
        *,
        epsilon: Number,
        attributes: Mapping[Any, str] | None = None,
        keep_names: bool = False,
        request_id: str | None = None,
        fresh: bool = False,
        way: str | None = None,
        rounds: int | None = None,
        max_degree: int | None = None,
        n_groups: int | None = None,
        count_share: Number | None = None,
        grouping: str | None = None,
        betweenness: str | None = None,
        group_size: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> SyntheticRelease:
        """Measure what a method needs, once; graphs are then drawn from the release at no further cost.

        The same request again gives the stored measurements, as in `release`. `attributes` gives people's categories by
        name, which are public; a tenth of epsilon then measures how they mix. `keep_names` keeps people's names where a
        method follows people. `graphveil algorithms METHOD` lists its options; `options` holds those of plug-ins.
        """
        named: dict[str, Any] = {"way": way, "rounds": rounds, "max_degree": max_degree, "n_groups": n_groups}
        named |= {"count_share": count_share, "grouping": grouping, "betweenness": betweenness}
        named["group_size"] = group_size
        given = given_options(named, options)
        total = exact_epsilon(epsilon)
        job = SynthesisJob.prepare(self.unit, method, total, attributes, given)
        request = SpendRequest(self.dataset, (Pure(total),), job.what, request_id, fresh=fresh)
        charge = self._account.repeated(request)
        if charge is None:
            job = job.checked(self._graph)
            charge = self._pay(request, total)
        stored, known = charge.stored, {"other_graph": charge.other_graph, "keep_names": keep_names}
        if stored is not None:
            return job.load(stored, repeated=True, **known)
        made = job.measure(self._graph, self._noise, self._facts, charge.entry)
        return job.load(self.ledger.settle(charge.entry, job.dump(made)), repeated=False, **known)

    def learn_records(self, reading: RecordReading, *, request_id: str | None = None, fresh: bool = False) -> Released:
        """Spend and draw what a reading of private records measures, or find it stored; see `learn`."""
        job = RecordJob(reading)
        request = SpendRequest(self.dataset, (job.loss,), job.what, request_id, fresh=fresh)
        charge = self._account.repeated(request, reading.records.digest)
        if charge is None:
            in_order_of(reading.records.names, self._graph)  # refuses other people
            charge = self._pay(request, reading.epsilon, reading.records.digest)
        if charge.stored is not None:
            return Released.stored(charge)
        release = job.measure(self._graph, self._noise, self._facts, charge.entry)
        stored = self.ledger.settle(charge.entry, dump_releases([release]))
        return Released(load_releases(stored), repeated=False, left=charge.left)

    def _pay(self, request: SpendRequest, epsilon: Fraction, beside: bytes = b"") -> Charge:
        """Put the spend on record, unless it promises too little; seeded noise promises nothing in any case."""
        if self._noise.kind == "system":
            refuse_weak(epsilon, accepted=self._accept_weak)
        return self._account.pay(request, beside)

    def __repr__(self) -> str:
        return f"Session({', '.join(f'{name}: {text}' for name, text in self._account.facts())})"

    def _repr_html_(self) -> str:
        return card("Session", self._account.facts(), figure=self._account.bar(), notes=self._account.notes())
