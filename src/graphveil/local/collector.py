"""The collector's side of a campaign, as a pure state machine: a state and reports in, verdicts and a new state out.

Nothing here reads a clock, a file or a socket. Reports are judged in batches of any size, each as if they had come one
after the other; a single report is a batch of one. A service that keeps its state in a database judges with the same
code: it only has to say what was counted before (`CountedReports`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from graphveil.arrays import AnyArray, Bits, Integers
from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Reason, Report, ReportColumns, read_columns
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.result import CollectionResult

Payloads = Mapping[int, bytes]
_UNSEEN = object()


@dataclass(frozen=True, slots=True)
class CollectorState:
    """Everything a collector knows. Round `len(reports)` is open, unless all rounds are `closed`."""

    reports: tuple[Payloads, ...] = ({},)  # for each round begun: person -> payload
    publications: tuple[bytes, ...] = ()
    refusals: Mapping[Reason, int] = field(default_factory=dict)
    closed: bool = False

    @property
    def round(self) -> int:
        """The round that is open, or the last one."""
        return len(self.reports)


class CountedReports(Protocol):
    """What judging needs to know of a campaign, wherever it is kept."""

    @property
    def round(self) -> int:
        """The round that is open, or the last one."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether that round still takes reports."""
        ...

    def payloads(self, number: int, users: Sequence[int]) -> Mapping[int, bytes | None]:
        """Payloads of those of these people who reported in a round; None where a payload is no longer kept."""
        ...

    def answered(self, number: int, users: Sequence[int]) -> Collection[int]:
        """Those of these people who reported in a round."""
        ...

    def published(self) -> tuple[Any, ...]:
        """What was published after each earlier round."""
        ...


@dataclass(frozen=True, slots=True)
class _InMemory:
    """The state of a collector as `CountedReports`."""

    protocol: LocalProtocol
    state: CollectorState

    @property
    def round(self) -> int:
        """The round that is open, or the last one."""
        return self.state.round

    @property
    def is_open(self) -> bool:
        """Whether that round still takes reports."""
        return not self.state.closed

    def payloads(self, number: int, users: Sequence[int]) -> Payloads:
        """Payloads of those of these people who reported in a round."""
        counted = self.state.reports[number - 1]
        return {user: counted[user] for user in users if user in counted}

    def answered(self, number: int, users: Sequence[int]) -> Collection[int]:
        """Those of these people who reported in a round."""
        return self.payloads(number, users).keys()

    def published(self) -> tuple[Any, ...]:
        """What was published after each earlier round."""
        return _read_publications(self.protocol, self.state.publications)


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Verdicts on a batch of reports of one campaign: `verdicts[i]` is None while nothing stands against report i.

    The first verdict against a report is kept. A caller may refuse reports for reasons of its own, such as who sends
    them, before the batch is judged. `examine` does the work that needs no lock on what was counted; `accept` gives
    every report its verdict and returns the payloads to be counted.
    """

    campaign: Campaign
    columns: ReportColumns
    _faults: AnyArray  # of an answer to the round that is open; `_UNSEEN` until somebody looked

    @classmethod
    def of(cls, campaign: Campaign, reports: Sequence[bytes]) -> Judgement:
        """Reports in their compact form; those that are none, or belong to another campaign, are refused."""
        columns = read_columns(reports)
        judgement = cls(campaign, columns, np.full(len(reports), _UNSEEN, dtype=object))
        judgement.refuse(columns.campaigns != np.void(bytes.fromhex(campaign.id)), Reason.WRONG_CAMPAIGN)
        return judgement

    @property
    def verdicts(self) -> AnyArray:
        """What stands against each report: a `Reason`, a reason of the caller, or None."""
        return self.columns.refusals

    def refuse(self, against: Bits, verdict: object) -> None:
        """Let a verdict stand where none does yet."""
        if against.any():
            self.verdicts[against & _is_none(self.verdicts)] = verdict

    def examine(self, counted: CountedReports) -> None:
        """Look for what is wrong with answers to the round that is open; `accept` will not look again.

        What is found stays true while a batch waits for its lock: a campaign and its publications never change, and
        rounds before the open one take no more reports.
        """
        self._faults_of(counted, self._unopposed(counted.round))

    def accept(self, counted: CountedReports) -> dict[int, bytes]:
        """Give every report its verdict; the payloads to be counted in the open round, by person."""
        accepted: dict[int, bytes] = {}
        self.refuse(self.columns.users >= self.campaign.n_people, Reason.UNKNOWN_USER)
        self.refuse(self.columns.rounds > counted.round, Reason.WRONG_ROUND)
        for number in np.unique(self.columns.rounds[self._unopposed()]).tolist():
            places = self._unopposed(number)
            fresh = self._refuse_counted(places, counted.payloads(number, self.columns.users[places].tolist()))
            if counted.is_open and number == counted.round:
                accepted = self._first_valid(counted, fresh)
            else:
                self.verdicts[fresh] = Reason.LATE
        return accepted

    def _unopposed(self, number: int | None = None) -> Integers:
        """Places of reports against which nothing stands, of one round if it is given."""
        unopposed = _is_none(self.verdicts)
        return np.flatnonzero(unopposed if number is None else unopposed & (self.columns.rounds == number))

    def _refuse_counted(self, places: Integers, counted: Mapping[int, bytes | None]) -> Integers:
        """Verdicts on people who are counted already; the places of the others."""
        users = self.columns.users[places]
        known = np.isin(users, list(counted)) if counted else np.zeros(len(places), dtype=np.bool_)
        for place, user in zip(places[known].tolist(), users[known].tolist(), strict=True):
            same = counted[user] in (None, self.columns.payloads[place])  # what is no longer kept cannot be compared
            self.verdicts[place] = Reason.DUPLICATE if same else Reason.CONFLICT
        return places[~known]

    def _first_valid(self, counted: CountedReports, places: Integers) -> dict[int, bytes]:
        """Of the round that is open, the first valid answer of each person counts; later ones are repetitions."""
        faults = self._faults_of(counted, places)
        self.verdicts[places] = faults
        valid = places[_is_none(faults)]
        users, first = np.unique(self.columns.users[valid], return_index=True)
        chosen = valid[first]
        payloads = [self.columns.payloads[place] for place in chosen.tolist()]
        accepted = dict(zip(users.tolist(), payloads, strict=True))
        if accepted:
            own = np.minimum(np.searchsorted(users, self.columns.users[places]), len(users) - 1)
            later = (users[own] == self.columns.users[places]) & (places > chosen[own])
            self._refuse_counted(places[later], accepted)
        return accepted

    def _faults_of(self, counted: CountedReports, places: Integers) -> AnyArray:
        """What is wrong with answers to the round that is open; looked for once."""
        unseen = places[self._faults[places] == _UNSEEN]
        if len(unseen):
            present = self._answered_before(counted, unseen)
            self._faults[unseen[~present]] = Reason.MISSED_ROUND
            context = RoundContext(counted.round, counted.published() if counted.round > 1 else ())
            for each_once in self._one_of_each(unseen[present]):
                self._unpack(context, each_once)
        return self._faults[places]

    def _answered_before(self, counted: CountedReports, places: Integers) -> Bits:
        """Only who answered all earlier rounds may answer this one."""
        users, present = self.columns.users[places], np.ones(len(places), dtype=np.bool_)
        for earlier in range(1, counted.round):
            present &= np.isin(users, list(counted.answered(earlier, users.tolist())))
        return present

    def _one_of_each(self, places: Integers) -> list[Integers]:
        """Everybody's first answer, everybody's second, ...: protocols look at one of a person at a time."""
        if not len(places):
            return []
        ordered = places[np.argsort(self.columns.users[places], kind="stable")]
        begins = np.flatnonzero(np.diff(self.columns.users[ordered], prepend=-1))
        which = np.arange(len(ordered)) - np.repeat(begins, np.diff(begins, append=len(ordered)))
        in_order = ordered[np.argsort(which, kind="stable")]
        return np.split(in_order, np.cumsum(np.bincount(which))[:-1])

    def _unpack(self, context: RoundContext, places: Integers) -> None:
        """Let the protocol look at all payloads at once; where it refuses, look for the culprits by halves."""
        payloads = [self.columns.payloads[place] for place in places.tolist()]
        try:
            self.campaign.protocol.unpack(context, self.columns.users[places], payloads)
        except ReportRefused as refusal:
            if len(places) == 1:
                self._faults[places] = Reason(refusal.reason)
                return
            for half in np.array_split(places, 2):
                self._unpack(context, half)
        else:
            self._faults[places] = None


@dataclass(frozen=True)
class Collector:
    """Accepts, refuses, closes rounds and estimates, for one campaign.

    >>> from graphveil.local.client import Client
    >>> campaign = Campaign.create("degree-distribution", "grr", unit="node", epsilon=1, n_people=3, title="May")
    >>> collector, client = Collector(campaign), Client(campaign, user=2, friends=[0])
    >>> state, verdicts = collector.take(CollectorState(), [client.answer(1), client.answer(1)])
    >>> verdicts, dict(state.refusals)
    ((None, <Reason.DUPLICATE: 'duplicate'>), {<Reason.DUPLICATE: 'duplicate'>: 1})
    """

    campaign: Campaign

    def judge(self, state: CollectorState, reports: Iterable[Report | bytes]) -> tuple[Payloads, list[Reason | None]]:
        """The payloads to be counted, by person, and for each report why it is refused, or None."""
        encoded = [report if isinstance(report, bytes) else report.encode() for report in reports]
        judgement = Judgement.of(self.campaign, encoded)
        accepted = judgement.accept(_InMemory(self.campaign.protocol, state))
        return accepted, judgement.verdicts.tolist()

    def take(
        self, state: CollectorState, reports: Iterable[Report | bytes]
    ) -> tuple[CollectorState, tuple[Reason | None, ...]]:
        """Judge reports as if they came one after the other, and count those that are in order."""
        accepted, verdicts = self.judge(state, reports)
        refusals = Counter(state.refusals) + Counter(verdict for verdict in verdicts if verdict is not None)
        counted = {**state.reports[-1], **accepted}
        return replace(state, reports=(*state.reports[:-1], counted), refusals=dict(refusals)), tuple(verdicts)

    def close_round(self, state: CollectorState) -> CollectorState:
        """End the open round; publish what the next one, or a device at the end, needs."""
        if state.closed:
            raise ParameterError(f"all {self.campaign.rounds} rounds are closed")
        if (arrived := len(state.reports[-1])) < (needed := self.campaign.minimum_reports):
            raise ParameterError(f"round {state.round} has {arrived} reports; it closes with at least {needed}")
        protocol, last = self.campaign.protocol, state.round == self.campaign.rounds
        if last and not protocol.publishes_at_end:
            return replace(state, closed=True)
        publication = protocol.write_publication(state.round, protocol.publish(self._transcript(state)))
        reports = state.reports if last else (*state.reports, {})
        return replace(state, reports=reports, publications=(*state.publications, publication), closed=last)

    def outcome(self, state: CollectorState) -> CollectionResult:
        """The estimate with what it promises and who took part; only when all rounds are closed."""
        if not state.closed:
            raise ParameterError(f"round {state.round} of {self.campaign.rounds} is still open; close it first")
        protocol = self.campaign.protocol
        estimate = protocol.estimate(self._transcript(state))
        return CollectionResult.of(protocol, estimate, tuple(len(reports) for reports in state.reports))

    def _transcript(self, state: CollectorState) -> Transcript:
        protocol = self.campaign.protocol
        published = _read_publications(protocol, state.publications)
        received = tuple(
            _received(protocol, RoundContext(i + 1, published[:i]), reports) for i, reports in enumerate(state.reports)
        )
        return Transcript(received, published)


def _received(protocol: LocalProtocol, context: RoundContext, reports: Payloads) -> Received:
    """In the order of people's numbers, so that an estimate does not depend on who was first."""
    people = np.array(sorted(reports), dtype=np.int64)
    return Received(people, protocol.unpack(context, people, [reports[user] for user in people.tolist()]))


def _is_none(verdicts: AnyArray) -> Bits:
    """True for each report against which no verdict stands."""
    return np.asarray(verdicts == None)  # noqa: E711 - for each


@lru_cache(maxsize=4)
def _read_publications(protocol: LocalProtocol, publications: tuple[bytes, ...]) -> tuple[Any, ...]:
    """Read once, however many reports are judged: a noisy graph may be large."""
    return tuple(protocol.read_publication(i + 1, data) for i, data in enumerate(publications))
