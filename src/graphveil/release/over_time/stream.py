"""A stream: the same queries every period of a changing graph, from one budget that is spent when it is opened.

Order of events in a period, which is what makes it trustworthy: the edges are sealed in the stream's file under a
random mark; the ledger puts the period and its mark on record, at no further loss; noise is drawn; the ledger stores
the answers, and the first that it stores are the ones; they are shown. A process that is killed anywhere in between is
repeated from the sealed edges, and nothing is ever shown twice with other noise. A copy of the file that is older than
the ledger holds another mark, or none, for the next period: it is refused, since its edges would be drawn again.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.digest import graph_digest
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import label_list
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.mechanisms.release import Release
from graphveil.privacy.ledger.budget import Totals
from graphveil.privacy.ledger.fingerprint import Fingerprint
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.rules import SpendRequest, check_line
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import Kind
from graphveil.release.over_time.answers import PeriodGraphs, answer_period, prepare_fresh
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.file import (
    Period,
    StreamFile,
    count_people,
    find_periods,
    number_people,
    read_pairs,
    seal,
)
from graphveil.release.over_time.spec import FACTOR, FRESH, SUMS, StreamSpec
from graphveil.release.people_order import OrderedPeople, check_node_names
from graphveil.release.readable import check_reads
from graphveil.release.records import load_releases

LOST_LEDGER = "the ledger of this stream is not at {path}; give its place (ledger=, --ledger)"


@dataclass(frozen=True, slots=True)
class PeriodAnswers:
    """What one period published; `repeated` says that it had been published before."""

    period: str
    step: int
    horizon: int
    releases: list[Release]
    repeated: bool
    left: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Given:
    """By what a period is known again: its public name, or else the graph and the place it was read from."""

    digest: bytes
    period: str | None
    origin: str
    source: str | None

    def found(self, periods: Sequence[Period]) -> Period | None:
        """The period that is meant, if it was begun before; None if it is the next one."""
        if self.period is not None:
            check_line(self.period, "the name of a period")
            found = next((known for known in periods if known.label == self.period), None)
        else:
            mine = (self.origin, self.digest)
            found = next((known for known in periods if (known.origin, known.digest) == mine), None)
        begun = next((known for known in periods if known.document is None), None)
        if begun is not None and begun != found:
            if self.period is not None or begun.origin != self.origin:
                raise ParameterError(
                    f"period {begun.label!r} was begun and not finished: repeat it first (period={begun.label!r}, "
                    f"--period {begun.label!r}); nothing was drawn"
                )
            found = begun
        return found


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

    def add(self, graph: Graph, *, period: str | None = None, origin: str | None = None) -> PeriodAnswers:
        """Publish one period; a period that was published before gives its stored answers and draws nothing.

        `period` is its public name. Without one, the same graph from the same `origin` (the file it was read from) is
        the same period, and anything else is the next.
        """
        spec = self.spec
        self._check(graph, spec)
        given = Given(graph_identity(graph), period, origin or graph.source or "", graph.source)
        sealed = given.found(self._file.periods())
        ordered = OrderedPeople.of(graph).graph
        mark = None
        if sealed is None or sealed.document is None:
            self._check_paid(spec)
            mark = self._recognised(graph, spec)
            sealed = sealed or self._seal(spec, ordered, given)
        if sealed.document is not None:
            return self._answers(sealed, sealed.document, repeated=True)
        document = self._publish(spec, sealed, ordered, mark)
        self._file.finish(sealed, document)
        return self._answers(sealed, document, repeated=False)

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

    def _check(self, graph: Graph, spec: StreamSpec) -> None:
        if spec.unit.kind is Kind.NODE:
            check_node_names(graph)
        for query in spec.queries:
            if query.method not in SUMS:
                check_reads(prepare_fresh(spec, query).query, graph)

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
        self._ledger.check_name(spec.dataset, mark)
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
            mark, people = secrets.token_hex(8), count_people(connection)
            exact = {
                query.name: list(COUNTS[query.name].exact(pairs, people, query.options))
                for query in spec.queries
                if query.method in SUMS
            }
            sealed = Period(step, label, given.origin, given.digest, mark, people, exact)
            seal(connection, sealed, pairs)
        return sealed

    def _publish(self, spec: StreamSpec, period: Period, graph: Graph, mark: Fingerprint | None) -> str:
        """What the ledger has on record for the period: now drawn and stored, or stored before."""
        budget = self._ledger.budget(spec.dataset)
        if budget is None:
            raise ParameterError(f"the ledger knows no data set {spec.dataset!r}; give that of the stream (--ledger)")
        what = f"period {period.step} of stream {spec.id}, paid when it was opened (mark {period.mark})"
        request_id = f"stream {spec.id} period {period.step}"
        request = SpendRequest(spec.dataset, (Pure(Fraction(0)),), what, request_id, mark)
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
        return PeriodAnswers(period.label, period.step, spec.horizon, load_releases(document), repeated, left)


def _label(name: str, taken: set[str], step: int) -> str:
    return name if name not in taken else f"{name} (period {step})"


def graph_identity(graph: Graph) -> bytes:
    """By what the same graph is known again; it never leaves the stream's file, which holds the graph itself."""
    if isinstance(graph, EdgeTable):
        raise ParameterError("a stream needs all edges in this process: leave out --engine")
    return graph_digest(graph).graph


def series(answers: list[PeriodAnswers]) -> list[Mapping[str, Any]]:
    """One row for each period and query that is answered by a number: value and 95 % interval, None for an open end."""
    rows: list[Mapping[str, Any]] = []
    for answer in answers:
        for item in answer.releases:
            if not isinstance(item.value, tuple):
                low, high = item.accuracy.interval(0.95)
                rows.append(
                    {
                        "step": answer.step,
                        "period": answer.period,
                        "query": item.query,
                        "value": item.value,
                        "lower": low,
                        "upper": None if high == math.inf else high,
                    }
                )
    return rows
