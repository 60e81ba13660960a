"""A stream: the same queries every period of a changing graph, from one budget that is spent when it is opened.

Order of events in a period, which is what makes it trustworthy: the edges are sealed in the stream's file under a
random mark; the ledger puts the period and its mark on record, at no further loss; noise is drawn; the ledger stores
the answers, and the first that it stores are the ones; they are shown. A process that is killed anywhere in between is
repeated from the sealed edges, and nothing is ever shown twice with other noise. A copy of the file that is older than
the ledger holds another mark, or none, for the next period: it is refused, since its edges would be drawn again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.display.html import card
from graphveil.display.svg import BLUE, SKY
from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.graph.convert import as_graph
from graphveil.graph.core import Graph
from graphveil.graph.digest import graph_digest
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import label_list
from graphveil.mechanisms.entries import needed
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.privacy.ledger.budget import Totals
from graphveil.privacy.ledger.fingerprint import Fingerprint
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.rules import SpendRequest
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import Kind
from graphveil.release.job import check_reads
from graphveil.release.over_time.answers import PeriodGraphs, answer_period, prepare_fresh
from graphveil.release.over_time.file import (
    Given,
    Period,
    StreamFile,
    find_periods,
    number_people,
    people_by_number,
    read_pairs,
    seal,
)
from graphveil.release.over_time.published import PeriodAnswers, columns_over_time, time_series
from graphveil.release.over_time.spec import FACTOR, FRESH, SUMS, StreamSpec
from graphveil.release.people_order import OrderedPeople, check_node_names
from graphveil.release.records import load_releases

LOST_LEDGER = "the ledger of this stream is not at {path}; give its place (ledger=, --ledger)"


class Stream:
    """A stream that was opened; `add` publishes one period of it."""

    def __init__(self, path: str | Path, *, ledger: str | Path | None = None, noise: Noise | None = None) -> None:
        self._file = StreamFile(Path(path))
        place = Path(self._file.ledger if ledger is None else ledger)
        if not place.is_file():
            raise ParameterError(LOST_LEDGER.format(path=place))
        self._ledger = Ledger.open(place)
        self._noise = SystemNoise() if noise is None else noise
        if self._noise.kind == "seeded":
            raise ParameterError("a stream makes releases; seeded noise makes none: leave out the seed")

    @property
    def spec(self) -> StreamSpec:
        """The public terms: queries, epsilon, unit, horizon."""
        return self._file.spec

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        """What the people of the stream may still lose to other releases: (epsilon, delta)."""
        return self._ledger.left(self.spec.dataset)

    @property
    def budget(self) -> Fraction:
        """The epsilon that the people of the stream may lose in all."""
        known = self._ledger.budget(self.spec.dataset)
        return Fraction(0) if known is None else known.epsilon

    def add(
        self,
        graph: Graph | Any,
        *,
        people: str | Path | Iterable[int | str] | None = None,
        period: str | None = None,
        origin: str | None = None,
    ) -> PeriodAnswers:
        """Publish one period; a period that was published before gives its stored answers and draws nothing.

        `graph` and `people` are what a session takes. `period` is the public name of the period. Without one, the same
        graph from the same `origin` (the file it was read from) is the same period, and anything else is the next.
        """
        spec, graph = self.spec, as_graph(graph, people=people)
        check_holds(graph, spec)
        given = Given(graph_identity(graph), period, origin or graph.source or "", graph.source)
        periods = self._file.periods()
        sealed = given.found(periods)
        ordered = OrderedPeople.of(graph).graph
        mark = None
        if sealed is None or sealed.document is None:
            self._check_paid(spec)
            mark = self._recognised(graph, spec)
            sealed = sealed or self._seal(spec, ordered, given)
        remarks = _remarks(sealed, given, periods)
        if sealed.document is not None:
            return replace(self._answers(sealed, sealed.document, repeated=True), remarks=remarks)
        document = self._publish(spec, sealed, ordered, mark)
        self._file.finish(sealed, document)
        return replace(self._answers(sealed, document, repeated=False), remarks=remarks)

    def extend(self, horizon: int) -> StreamSpec:
        """Pay for more periods: a share of epsilon for each fresh answer, nothing for answers by blocks or new edges.

        A tree has no horizon by itself: further blocks hide every event as before, and only the error grows on.
        """
        spec = self.spec
        if horizon <= spec.horizon:
            raise ParameterError(f"the horizon is {spec.horizon} already; give more than that, not {horizon}")
        if any(query.method == FACTOR for query in spec.queries):
            raise ParameterError(
                f"Gaussian noise was fixed for {spec.horizon} periods and cannot be extended: open a new stream; one "
                "with Laplace noise (--method QUERY=tree) has no such end"
            )
        share = Fraction(horizon - spec.horizon, spec.horizon)
        more = tuple(query.epsilon * share for query in spec.queries if query.method == FRESH)
        longer = replace(
            spec,
            horizon=horizon,
            queries=tuple(
                replace(query, epsilon=query.epsilon * (1 + share)) if query.method == FRESH else query
                for query in spec.queries
            ),
        )
        losses = tuple(Pure(epsilon) for epsilon in more) or (Pure(Fraction(0)),)
        budget = self._ledger.budget(spec.dataset)
        assert budget is not None
        self._ledger.charge(
            budget, SpendRequest(spec.dataset, losses, longer.what, f"stream {spec.id} horizon {horizon}")
        )
        self._file.extend(longer)
        return longer

    def published(self) -> list[PeriodAnswers]:
        """Every period that was published, in order."""
        return [
            self._answers(period, period.document, repeated=True)
            for period in self._file.periods()
            if period.document is not None
        ]

    def to_pandas(self) -> Any:
        """All that was published as a pandas table, with a row for each entry of each answer."""
        return needed("pandas").DataFrame(columns_over_time(self.published()))

    def plot(self, query: str | None = None, ax: Any = None) -> Any:
        """Draw a number over time, by default that of the first query which has one, and return the axes."""
        drawn = {series.query: series for series in time_series(self.published())}
        if not drawn or query not in (None, *drawn):
            named = f"{query} is" if query else "no query is"
            raise ParameterError(f"{named} published as one number a period: there is no line over time to draw")
        axes = needed("matplotlib.pyplot").subplots(figsize=(7.0, 3.4), layout="constrained")[1] if ax is None else ax
        drawn[next(iter(drawn)) if query is None else query].draw(axes, line=BLUE, band=SKY)
        return axes

    def __repr__(self) -> str:
        done = sum(period.document is not None for period in self._file.periods())
        return f"Stream({self.spec.what}; {done} published)"

    def _repr_html_(self) -> str:
        published = self.published()
        facts = [
            ("queries", ", ".join(f"{query.name} ({query.method})" for query in self.spec.queries)),
            ("published", f"{len(published)} of {self.spec.horizon} periods"),
            ("costs", f"{self.spec.loss_words}; spent for all periods when it was opened"),
        ]
        charts = "".join(series.svg for series in time_series(published))
        return card(f"Stream of {self.spec.dataset}, {self.spec.unit} privacy", facts, figure=charts)

    def _check_paid(self, spec: StreamSpec) -> None:
        """Refuse a ledger in which the epsilon of all periods was not spent, such as that of other people."""
        entries = self._ledger.entries(spec.dataset) if self._ledger.budget(spec.dataset) is not None else []
        mine = (f"stream {spec.id}", f"stream {spec.id} horizon ")
        paid = Totals()
        for entry in entries:
            if entry.request_id == mine[0] or (entry.request_id or "").startswith(mine[1]):
                paid = reduce(Totals.plus, entry.losses, paid)
        owed = reduce(Totals.plus, spec.losses, Totals())
        if paid.epsilon < owed.epsilon or paid.zcdp < owed.zcdp:
            raise BudgetExceeded(
                f"stream {spec.id} is not paid for in {self._ledger.path}: give the ledger it was opened with "
                "(ledger=, --ledger); if opening it was interrupted, delete its file and open it again; nothing was "
                "drawn"
            )

    def _recognised(self, graph: Graph, spec: StreamSpec) -> Fingerprint | None:
        """By what the ledger knows the graph again; refused where it was released as another data set.

        A period without edges says nothing about whose it is, and many streams begin with one.
        """
        mark = self._ledger.new_fingerprint(graph_digest(graph) if graph.n_edges else None)
        self._ledger.check_graph(spec.dataset, mark)
        return mark

    def _seal(self, spec: StreamSpec, graph: Graph, given: Given) -> Period:
        """Put the next period on record, or return the one that another process began meanwhile."""
        with self._file.transaction(write=True) as connection:
            periods = find_periods(connection)
            begun = given.found(periods)
            if begun is not None:
                return begun
            step = len(periods) + 1
            if step > spec.horizon:
                raise BudgetExceeded(
                    f"the stream was opened for {spec.horizon} periods, and all of them are published; extend it "
                    f"(`graphveil stream extend FILE --horizon T`) or open a new one; nothing was drawn"
                )
            taken = {known.label for known in periods}
            label = given.period or _label(given.source or f"period {step}", taken, step)
            numbers = np.array(number_people(connection, label_list(graph.labels, graph.n_nodes)), dtype=np.int64)
            pairs = read_pairs(connection).step(numbers[graph.edges()], step, spec.changes)
            mark, people = secrets.token_hex(8), people_by_number(connection)
            exact = {
                query.name: list(spec.count(query).exact(pairs, people, query.options))
                for query in spec.queries
                if query.method in SUMS
            }
            sealed = Period(step, label, given.origin, given.digest, mark, len(people), exact)
            seal(connection, sealed, pairs)
        return sealed

    def _publish(self, spec: StreamSpec, period: Period, graph: Graph, mark: Fingerprint | None) -> str:
        """What the ledger has on record for the period: now drawn and stored, or stored before."""
        budget = self._ledger.budget(spec.dataset)
        if budget is None:
            raise ParameterError(
                f"this ledger has no data set {spec.dataset!r}; give the one the stream was opened with (--ledger)"
            )
        what = f"{period.label}, period {period.step} of stream {spec.id}, paid when it was opened (mark {period.mark})"
        request_id = f"stream {spec.id} period {period.step}"
        request = SpendRequest(spec.dataset, (Pure(Fraction(0)),), what, request_id, mark, other_people=True)
        try:
            charge = self._ledger.charge(budget, request)
        except ParameterError:
            raise BudgetExceeded(
                f"the ledger has another period {period.step} of this stream on record: this file is an older copy of "
                "it, and publishing from it would draw the same edges again; restore the newest copy; nothing was drawn"
            ) from None
        if charge.stored is not None:
            return charge.stored
        before = [known for known in self._file.periods() if known.step < period.step]
        graphs = PeriodGraphs(graph, OrderedPeople.of(self._file.new_edges(period)).graph)
        document = answer_period(spec, period, before, graphs, charge.entry, self._noise)
        return self._ledger.settle(charge.entry, document)

    def _answers(self, period: Period, document: str, *, repeated: bool) -> PeriodAnswers:
        spec = self.spec
        left = self._ledger.left(spec.dataset)
        with self._file.clear_errors():
            releases = load_releases(document)
        return PeriodAnswers(period.label, period.step, spec.horizon, releases, repeated, left)


def check_holds(graph: Graph, spec: StreamSpec) -> None:
    """Refuse a graph that does not hold what the queries of a stream read."""
    if spec.unit.kind is Kind.NODE:
        check_node_names(graph)
    for query in spec.queries:
        if query.method not in SUMS:
            check_reads(prepare_fresh(spec, query).query, graph)


def _remarks(sealed: Period, given: Given, before: Sequence[Period]) -> tuple[str, ...]:
    """What the curator should know of the graph that was given for a period."""
    if sealed.digest != given.digest:
        other = f"period {sealed.label} was published from another graph: these are the answers about that one"
        return (f"{other}, and they stay; give this graph a period of its own",)
    same = [known.label for known in before if known.digest == given.digest and known.step < sealed.step]
    if not same:
        return ()
    return (f"this is the graph of period {same[-1]}: if it is the wrong file, publish the right one as a new period",)


def _label(name: str, taken: set[str], step: int) -> str:
    return name if name not in taken else f"{name} (period {step})"


def graph_identity(graph: Graph) -> bytes:
    """By what the same graph is known again; it never leaves the stream's file, which holds the graph itself."""
    if isinstance(graph, EdgeTable):
        raise ParameterError("a stream needs all edges in this process: leave out --engine")
    return graph_digest(graph).graph
