"""Generated histories of one campaign, with a clock of our own, against the pure collector as the model.

Two servers share the database. Uploads, replays, rubbish, second answers, lateness, lost requests and answers, servers
that die before or after a commit, connections that break before it, full disks, clocks that are set wrong, restarts,
publications that are not what they are named: every accepted report counts exactly once, nothing accepted is lost,
nothing is counted twice. `test_crashes` does the same with processes on PostgreSQL.

A failure prints the shortest history found, and the next run tries it first.
"""

from __future__ import annotations

import hashlib
import itertools
import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from sqlalchemy import delete, event, update
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from graphveil.errors import GraphveilError
from graphveil.local.client import Client, Memory
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.messages import Reason, Report
from graphveil.service import campaigns, enrolment, reports, rounds
from graphveil.service.auth import Token
from graphveil.service.campaigns import result
from graphveil.service.problems import Problem, Refusal
from graphveil.service.reports import Uploads
from graphveil.service.service import Service, to_text
from graphveil.service.settings import Settings
from graphveil.service.store import campaigns as rows
from graphveil.service.store import reports as report_rows
from graphveil.service.store import tables
from graphveil.service.store.collector import last_seen
from graphveil.service.store.database import Database

PEOPLE = 4
DEADLINES = (1_000.0, 2_000.0)
_numbers = itertools.count()
_people = st.integers(0, PEOPLE - 1)
_deaths = st.sampled_from(["", "", "", "", "before", "after", "connection", "full"])
_senders = st.none() | st.none() | st.none() | _people
_payloads = st.sampled_from([b"1", b"1", b"1", b"2", b"", b"xx"])


class Died(Exception):
    """The server was killed here."""


def _find_no_room(connection) -> None:
    """What SQLite says at a commit when the disk is full."""
    if connection.get_execution_options().get("begin"):  # it writes
        failure = sqlite3.OperationalError("database or disk is full")
        failure.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError(None, None, failure)


class Collection(RuleBasedStateMachine):
    databases: tuple[Database, ...]  # set by the test: a database for all histories, a campaign for each, two servers
    tokens: ClassVar[dict[str, str]] = {}

    @initialize(minimum=st.integers(1, PEOPLE - 1), enrolled=st.sets(_people, min_size=2), begun=st.booleans())
    def publish(self, minimum: int, enrolled: set[int], begun: bool) -> None:
        self.wall = self.steady = 0.0  # the clock, which may be set, and the counter, which may not
        self._open()
        plan = campaigns.Plan(
            statistic="report-count",
            protocol="count",
            unit="node",
            epsilon="1/1000",
            title=f"history {next(_numbers)}",
            people=[f"p{i}" for i in range(PEOPLE)],
            closes=[to_text(moment) for moment in DEADLINES],
            minimum_reports=minimum,
        )
        created = campaigns.create(self.service, plan, actor="test")
        Collection.tokens.update(created.tokens)
        self.campaign = created.campaign
        self.tokens_of = [Token.parse(Collection.tokens[name]) for name in plan.people]
        self.collector, self.state = Collector(self.campaign), CollectorState()
        self.enrolled: set[int] = set()
        self.refusals: Counter[str] = Counter()
        self.ended = ""
        self.enrol(sorted(enrolled))
        if begun:  # faults of the last round are as likely as those of the first
            self.go_on(("", ""))

    def _open(self) -> None:
        """Nothing but the file is carried over; only compiled statements are, to save time."""
        for database in self.databases:
            database.close()
        clocks = (lambda: self.wall, lambda: self.steady)
        self.services = [Service(database, Settings(), *clocks) for database in self.databases]
        with self.databases[0].read() as connection:
            seen = last_seen(connection)
        for service in self.services:
            service.watch.begin(seen)
        self.service = self.services[0]

    @property
    def now(self) -> float:
        """The time that the server believes: `test_clock` says when it is right; it is never ahead of the counter."""
        believed = self.service.watch.believed()
        assert believed <= self.steady
        return believed

    @rule()
    def turn_to_the_other_server(self) -> None:
        self.service = self.services[self.service is self.services[0]]

    @property
    def is_open(self) -> bool:
        return not self.ended and not self.state.closed and self.now < DEADLINES[self.state.round - 1]

    @rule(people=st.lists(_people, min_size=1, max_size=3))
    def enrol(self, people: list[int]) -> None:
        answers = enrolment.enrol(self.service, self.campaign.id, [self.tokens_of[i] for i in people])
        for person, answer in zip(people, answers, strict=True):
            if person in self.enrolled or (self.is_open and self.state.round == 1):
                assert not isinstance(answer, Problem)
                assert answer.number == person
                self.enrolled.add(person)
            else:
                assert isinstance(answer, Problem)
                assert answer.code == "not-now"

    @rule(people=st.lists(_people, min_size=1, max_size=PEOPLE), death=_deaths)
    def report(self, people: list[int], death: str) -> None:
        """Honest clients, and their retries."""
        self.upload([(person, self.state.round, b"1", None) for person in people], death)

    @rule(
        sent=st.lists(st.tuples(_people, st.integers(1, 3), _payloads, _senders), min_size=1, max_size=5),
        death=_deaths,
    )
    def upload(self, sent: list, death: str) -> None:
        """Some people report, some twice, some in the name of others; the server may die before or after the commit."""
        uploads, expected, after = [], [], self.state
        for person, number, payload, other in sent:
            sender = person if other is None else other
            report = Report(self.campaign.id, number, person, payload)
            uploads.append(Uploads.single(self.tokens_of[sender], report.encode()))
            after, verdict = self._expect(after, report, sender)
            expected.append(verdict)
        try:
            with self._dying(death):
                verdicts = reports.take(self.service, self.campaign.id, Uploads.join(uploads))
        except Died:
            self.restart()
        except (SQLAlchemyError, sqlite3.Error):
            assert death in ("connection", "full")  # the server lives on
            assert self.service.database.is_full or death != "full"
        else:
            assert verdicts == expected
        if death not in ("before", "connection", "full"):
            self.state = after
            self.refusals.update(str(verdict) for verdict in expected if verdict is not None)

    def _expect(self, state: CollectorState, report: Report, sender: int) -> tuple[CollectorState, object]:
        if sender != report.user:
            return state, Refusal.FOREIGN
        if sender not in self.enrolled:
            return state, Refusal.NOT_ENROLLED
        if self.ended and report.round <= state.round:
            there = report.user in state.reports[report.round - 1]
            return state, Reason.DUPLICATE if there else Reason.LATE
        if state.closed and report.user in state.reports[report.round - 1 if report.round < 3 else 0]:
            return state, Reason.WRONG_ROUND if report.round == 3 else Reason.DUPLICATE  # scrubbed: not compared
        _, (verdict,) = self.collector.judge(state, [report])
        late = report.round == state.round and not self.is_open
        if late and verdict not in (Reason.DUPLICATE, Reason.CONFLICT):
            return state, Reason.LATE
        if verdict is None:
            state, _ = self.collector.take(state, [report])
        return state, verdict

    @contextmanager
    def _dying(self, death: str):
        if not death:
            yield
            return
        database = self.service.database
        if death == "full":
            event.listen(database.engine, "commit", _find_no_room)
            try:
                yield
            finally:
                event.remove(database.engine, "commit", _find_no_room)
            return
        write = type(database).write

        @contextmanager
        def dies():
            with write(database) as connection:
                yield connection
                if death == "before":
                    raise Died
                if death == "connection":
                    connection.connection.driver_connection.close()
            raise Died

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(database), "write", lambda _: dies())
            yield

    @precondition(lambda self: len(self.state.publications) == 1)
    @rule(person=_people, published=st.binary(max_size=6) | st.integers(-9, 10**9).map(lambda n: str(n).encode()))
    def publish_something_else(self, person: int, published: bytes) -> None:
        """A collector shows a device other bytes than it named: it notices by the hash, and sends nothing.

        Without the hash it would refuse what it cannot read, and otherwise answer as it always does: once.
        """
        (true,) = self.state.publications
        if published != true:
            assert hashlib.sha256(published).hexdigest() != hashlib.sha256(true).hexdigest()
        before = self.state.reports[0].get(person)
        if before is None:
            return
        memory = Memory((Report(self.campaign.id, 1, person, before),))
        try:
            answer = Client(self.campaign, person, [], memory=memory).answer(2, [published])
        except GraphveilError:
            return
        assert answer == Report(self.campaign.id, 2, person, b"2")
        self.upload([(person, 2, answer.payload, None)], "")

    @rule()
    def restart(self) -> None:
        self._open()

    @rule(seconds=st.sampled_from([1.0, 400.0, 999.0]))
    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    @rule(days=st.sampled_from([31, -31, 1000, 0]))
    def set_the_clock(self, days: int) -> None:
        """Ahead, back, or right again; no deadline comes nearer by it."""
        self.wall = self.steady + 86_400.0 * days

    @rule()
    def tick(self) -> None:
        """The deadline, or the last answer, closes a round; too few reports end the campaign."""
        rounds.tick(self.service)
        for _ in range(2):
            if self.ended or self.state.closed:
                return
            number = self.state.round
            arrived = len(self.state.reports[-1])
            eligible = PEOPLE if number == 1 else len(self.state.reports[0])
            if self.now < DEADLINES[number - 1] and arrived < eligible:
                return
            if arrived < self.campaign.minimum_reports:
                self.ended = "expired"
            else:
                self.state = self.collector.close_round(self.state)
            rounds.tick(self.service)

    @precondition(lambda self: not self.ended)
    @rule(number=st.integers(1, 2), death=_deaths)
    def close(self, number: int, death: str) -> None:
        """An operator ends a round; a server that dies between its two steps leaves the second to the next tick."""
        enough = len(self.state.reports[-1]) >= self.campaign.minimum_reports
        if not enough or number != self.state.round or self.state.closed:
            with pytest.raises(Problem, match="not-now"):
                rounds.close(self.service, self.campaign.id, number, actor="test")
            return
        try:
            with self._dying(death):
                rounds.close(self.service, self.campaign.id, number, actor="test")
        except Died:
            self.restart()
        except (SQLAlchemyError, sqlite3.Error):
            assert death in ("connection", "full")
        if death == "after":
            rounds.tick(self.service)
        if death in ("", "after"):
            self.state = self.collector.close_round(self.state)

    @precondition(lambda self: self.is_open)
    @rule(deaths=st.tuples(_deaths, _deaths))
    def go_on(self, deaths: tuple[str, str]) -> None:
        """Everybody who may answers, and the round ends."""
        everybody = self.enrolled if self.state.round == 1 else self.state.reports[0]
        self.upload([(person, self.state.round, b"1", None) for person in sorted(everybody)], deaths[0])
        self.close(self.state.round, deaths[1])

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        self._check_database()
        if self.state.closed:
            counted = Counter(person for received in self.state.reports for person in received)
            assert result(self.service, self.campaign.id)["value"] == [counted[i] for i in range(PEOPLE)]
        with self.service.database.write() as connection:
            connection.execute(delete(tables.reports))
            connection.execute(delete(tables.campaigns))
            connection.execute(update(tables.collector).values(last_seen=None))  # time begins anew
        for database in self.databases:
            database.close()

    def _check_database(self) -> None:
        """It knows what was accepted, and nothing else."""
        with self.service.database.read() as connection:
            row = rows.find(connection, self.campaign.id)
            stored = [report_rows.all_of_round(connection, row.key, r + 1) for r in range(row.round)]
            assert report_rows.refused(connection, row.key) == self.refusals
        over = self.ended or self.state.closed
        assert row.state == (self.ended or ("done" if self.state.closed else "open"))
        for known, expected in zip(stored, self.state.reports, strict=True):
            assert known == (dict.fromkeys(expected) if over else expected)
        assert row.arrived == len(stored[-1])


def test_every_history_counts_every_report_once(counting) -> None:
    run_histories(200)  # as many as find each planted bug below


@pytest.mark.laws
@pytest.mark.parametrize("chosen", range(1, 6))
def test_many_more_histories(counting, chosen) -> None:
    run_histories(2_000, chosen=chosen)


def _forget_who_reported(connection, key, number, people):
    return {}


def _acknowledge_before_the_commit(take):
    def careless(service, campaign_id, uploads):
        try:
            return take(service, campaign_id, uploads)
        except (SQLAlchemyError, sqlite3.Error):
            return [None] * len(uploads)

    return careless


def _count_a_retry(take):
    def careless(service, campaign_id, uploads):
        verdicts = take(service, campaign_id, uploads)
        again = sum(verdict is Reason.DUPLICATE for verdict in verdicts)
        with service.database.write() as connection:
            connection.execute(update(tables.campaigns).values(arrived=tables.campaigns.c.arrived + again))
        return verdicts

    return careless


@pytest.mark.parametrize(
    ("module", "name", "bug"),
    [
        (report_rows, "stored", lambda _: _forget_who_reported),
        (reports, "take", _acknowledge_before_the_commit),
        (reports, "take", _count_a_retry),
    ],
)
def test_histories_find_planted_bugs(counting, monkeypatch, module, name, bug) -> None:
    monkeypatch.setattr(module, name, bug(getattr(module, name)))
    with pytest.raises((AssertionError, ValueError, IntegrityError, ExceptionGroup)):
        run_histories(200, phases=(Phase.generate,))


def run_histories(number: int, phases: tuple[Phase, ...] = tuple(Phase), chosen: int | None = None) -> None:
    shared_memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=shared_memory if shared_memory.is_dir() else None))
    Collection.databases = tuple(Database(str(folder / "histories.db")) for _ in range(2))
    Collection.databases[0].migrate()
    Collection.tokens.clear()
    case = (Collection if chosen is None else seed(chosen)(type("Seeded", (Collection,), {}))).TestCase
    case.settings = settings(
        max_examples=number, stateful_step_count=10, suppress_health_check=list(HealthCheck), phases=phases
    )
    try:
        case("runTest").runTest()
    finally:
        for database in Collection.databases:
            database.close()
        shutil.rmtree(folder)
