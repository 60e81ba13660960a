"""Taking reports in: any number in one transaction, each judged as if they came one after the other.

Verdicts are those of `local.collector.Collector.judge`, after those about who is speaking. The campaign's row is locked
meanwhile, so a round cannot close and nobody else can count a report of the same person in between: every accepted
report is counted exactly once, with any number of servers, and is on disk before it is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from graphveil.errors import ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Reason
from graphveil.local.page import Turn
from graphveil.local.report_columns import ReportColumns, read_columns
from graphveil.service import publications
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Refusal
from graphveil.service.service import Service
from graphveil.service.store import people, reports
from graphveil.service.store.campaigns import State
from graphveil.service.uploads import Uploads

Verdict = Reason | Refusal | None  # None: counted
Places = NDArray[np.int64]  # of reports among the uploads


def take(service: Service, campaign_id: str, uploads: Uploads) -> list[Verdict]:
    """Count those reports that are in order; says of each why not."""
    now = service.clock()
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        batch = _Batch(connection, row, read_campaign(row.document), read_columns(uploads.reports, campaign_id))
        batch.check_senders(uploads)
        accepted: dict[int, bytes] = {}
        for number in batch.rounds():
            if row.state == State.OPEN and number == row.round and now < row.closes_at:
                accepted = batch.count(number)
            else:
                batch.sort_out_known(number, otherwise=Reason.LATE)
        verdicts: list[Verdict] = batch.verdicts.tolist()
        if accepted:
            reports.append(connection, row.key, row.round, accepted, now=now)
        if len(accepted) < len(verdicts):
            refused = Counter(str(verdict) for verdict in verdicts if verdict is not None)
            reports.count_refusals(connection, row.key, refused)
    return verdicts


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """Reports of one campaign under its lock; the first verdict against one stands."""

    connection: Connection
    row: Any
    campaign: Campaign
    columns: ReportColumns

    @property
    def verdicts(self) -> NDArray[Any]:
        """One a report, None while nothing stands against it."""
        return self.columns.refusals

    @property
    def _open(self) -> NDArray[np.bool_]:
        """Where nothing stands against a report."""
        return np.asarray(self.verdicts == None)  # noqa: E711 - for each

    def _refuse(self, against: NDArray[np.bool_], verdict: Verdict) -> None:
        if against.any():
            self.verdicts[against & self._open] = verdict

    def check_senders(self, uploads: Uploads) -> None:
        """Who speaks, for whom, in which form."""
        senders = people.find_senders(self.connection, self.row.key, uploads.holders)
        places, theirs = senders.identify(uploads.holders, uploads.hashes)
        self.verdicts[~theirs] = Refusal.UNAUTHORISED
        users, foreign = self.columns.users, self.columns.users != senders.numbers[places]
        self._refuse(foreign & (users < self.campaign.n_people), Refusal.FOREIGN)
        self._refuse(foreign, Reason.UNKNOWN_USER)
        self._refuse(~senders.enrolled[places], Refusal.NOT_ENROLLED)
        self._refuse(self.columns.rounds > self.row.round, Reason.WRONG_ROUND)

    def rounds(self) -> list[int]:
        """Of reports with nothing against them, rising."""
        numbers: list[int] = np.unique(self.columns.rounds[self._open]).tolist()
        return numbers

    def sort_out_known(self, number: int, *, otherwise: Reason | None = None) -> Places:
        """Verdicts on people whose answer of a round is counted already; the others, with the verdict given."""
        places = np.flatnonzero(self._open & (self.columns.rounds == number))
        users = self.columns.users[places]
        fresh = self._repeated(places, reports.stored(self.connection, self.row.key, number, users.tolist()))
        self.verdicts[fresh] = otherwise
        return fresh

    def _repeated(self, places: Places, counted: Mapping[int, bytes | None]) -> Places:
        """Verdicts on people who are counted already; the others. A scrubbed answer cannot be compared."""
        users = self.columns.users[places]
        known = np.isin(users, list(counted)) if counted else np.zeros(len(places), dtype=np.bool_)
        for place, user in zip(places[known].tolist(), users[known].tolist(), strict=True):
            same = counted[user] in (None, self.columns.payloads[place])
            self.verdicts[place] = Reason.DUPLICATE if same else Reason.CONFLICT
        return places[~known]

    def count(self, number: int) -> dict[int, bytes]:
        """Of the round that is open, the first valid answer of each person counts; later ones are repetitions."""
        places = self._who_answered_before(self.sort_out_known(number))
        published = publications.read_all(self.connection, self.row.key, self.campaign) if number > 1 else ()
        turn = Turn(number, published[: number - 1])
        accepted: dict[int, bytes] = {}
        while len(places):
            _, first = np.unique(self.columns.users[places], return_index=True)
            accepted |= self._valid(turn, places[first])
            places = self._repeated(np.delete(places, first), accepted)
        return accepted

    def _who_answered_before(self, places: Places) -> Places:
        """Only who answered all earlier rounds may answer this one."""
        for earlier in range(1, self.row.round):
            users = self.columns.users[places]
            there = reports.senders(self.connection, self.row.key, earlier, users.tolist())
            missed = ~np.isin(users, list(there))
            self.verdicts[places[missed]] = Reason.MISSED_ROUND
            places = places[~missed]
        return places

    def _valid(self, turn: Turn, places: Places) -> dict[int, bytes]:
        """Let the protocol look at all payloads at once; where it refuses, look for the culprits by halves."""
        users, payloads = self.columns.users[places], [self.columns.payloads[place] for place in places.tolist()]
        try:
            self.campaign.protocol.unpack(turn, users, payloads)
        except ReportRefused as refusal:
            if len(places) == 1:
                self.verdicts[places] = Reason(refusal.reason)
                return {}
            half = len(places) // 2
            return self._valid(turn, places[:half]) | self._valid(turn, places[half:])
        return dict(zip(users.tolist(), payloads, strict=True))
