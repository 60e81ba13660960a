"""The collector's side of a campaign, as a pure state machine: a state and an event in, a new state out.

Nothing here reads a clock, a file or a socket. A service keeps the state where it likes and may ask `judge` for a
verdict on a single report; what it does in which order is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Reason, Report
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.result import Outcome

Payloads = Mapping[int, bytes]


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

    def judge(self, state: CollectorState, report: Report) -> Reason | None:
        """Why this report must be refused, or None if it is to be counted."""
        campaign, number = self.campaign, report.round
        if report.campaign_id != campaign.id:
            return Reason.WRONG_CAMPAIGN
        if report.user >= campaign.n_people:
            return Reason.UNKNOWN_USER
        if number > state.round:
            return Reason.WRONG_ROUND
        stored = state.reports[number - 1].get(report.user)
        if stored is not None:
            return Reason.DUPLICATE if stored == report.payload else Reason.CONFLICT
        if state.closed or number < state.round:
            return Reason.LATE
        if any(report.user not in earlier for earlier in state.reports[:-1]):
            return Reason.MISSED_ROUND
        try:
            self._unpack(state, number, {report.user: report.payload})
        except ReportRefused as refusal:
            return Reason(refusal.reason)
        return None

    def take(
        self, state: CollectorState, reports: Iterable[Report | bytes]
    ) -> tuple[CollectorState, tuple[Reason | None, ...]]:
        """Judge reports one after the other and count those that are in order."""
        accepted = dict(state.reports[-1])
        refusals = Counter(state.refusals)
        current = replace(state, reports=(*state.reports[:-1], accepted))
        verdicts = []
        for item in reports:
            try:
                report = Report.decode(item) if isinstance(item, bytes) else item
                verdict = self.judge(current, report)
            except ReportRefused as refusal:
                verdict = Reason(refusal.reason)
            if verdict is None:
                accepted[report.user] = report.payload
            else:
                refusals[verdict] += 1
            verdicts.append(verdict)
        return replace(current, refusals=dict(refusals)), tuple(verdicts)

    def close_round(self, state: CollectorState) -> CollectorState:
        """End the open round; publish what the next one needs, if there is a next one."""
        if state.closed:
            raise ParameterError(f"all {self.campaign.rounds} rounds are closed")
        arrived, needed = len(state.reports[-1]), self.campaign.minimum_reports
        if arrived < needed:
            raise ParameterError(f"round {state.round} has {arrived} reports; it closes with at least {needed}")
        if state.round == self.campaign.rounds:
            return replace(state, closed=True)
        page = self.campaign.protocol
        publication = page.write_publication(state.round, page.publish(self._transcript(state)))
        return replace(state, reports=(*state.reports, {}), publications=(*state.publications, publication))

    def outcome(self, state: CollectorState) -> Outcome:
        """The estimate with what it promises and who took part; only when all rounds are closed."""
        if not state.closed:
            raise ParameterError(f"round {state.round} of {self.campaign.rounds} is still open; close it first")
        page = self.campaign.protocol
        estimate = page.estimate(self._transcript(state))
        return Outcome.of(page, estimate, tuple(len(reports) for reports in state.reports))

    def _transcript(self, state: CollectorState) -> Transcript:
        page = self.campaign.protocol
        published = _read_publications(page, state.publications)
        received = tuple(self._unpack(state, i + 1, reports) for i, reports in enumerate(state.reports))
        return Transcript(received, published)

    def _unpack(self, state: CollectorState, number: int, reports: Payloads) -> Received:
        """In the order of people's numbers, so that an estimate does not depend on who was first."""
        people = np.array(sorted(reports), dtype=np.int64)
        payloads = [reports[int(user)] for user in people]
        page = self.campaign.protocol
        published = _read_publications(page, state.publications[: number - 1])
        return Received(people, page.unpack(RoundContext(number, published), people, payloads))


@lru_cache(maxsize=4)
def _read_publications(page: LocalProtocol, publications: tuple[bytes, ...]) -> tuple[Any, ...]:
    """Read once, however many reports are judged: a noisy graph may be large."""
    return tuple(page.read_publication(i + 1, data) for i, data in enumerate(publications))
