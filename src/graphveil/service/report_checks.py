"""What can be said of reports before their campaign is locked: who sends them, for whom, and whether they are sound.

All of it stays true while a batch waits for its turn: a campaign's document and its publications never change, rounds
before the open one take no more reports, nobody un-enrols, and a token that was right when it came stays right for what
came with it. So the lock is held no longer than counting takes, and one batch is looked at while another is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from graphveil.errors import ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Reason, ReportColumns, read_columns
from graphveil.local.protocol import RoundContext
from graphveil.service import publications
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Refusal
from graphveil.service.service import Service
from graphveil.service.store import people, reports
from graphveil.service.uploads import Uploads

Verdict = Reason | Refusal | None  # None: counted
Verdicts = NDArray[Any]  # one a report, None while nothing stands against it
Places = NDArray[np.int64]  # of reports among the uploads


def scrutinise(service: Service, campaign_id: str, uploads: Uploads) -> Scrutiny:
    """Look at reports without a lock."""
    columns = read_columns(uploads.reports, campaign_id)
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        scrutiny = Scrutiny(row.key, read_campaign(row.document), columns, np.full(len(uploads), _UNSEEN, dtype=object))
        scrutiny.check_senders(connection, uploads)
        scrutiny.faults_of(connection, row.round, scrutiny.open(row.round))
    return scrutiny


_UNSEEN = object()


@dataclass(frozen=True, slots=True, eq=False)
class Scrutiny:
    """Reports of one campaign; the first verdict against one stands."""

    key: int
    campaign: Campaign
    columns: ReportColumns
    _faults: Verdicts

    @property
    def verdicts(self) -> Verdicts:
        """What stands against each report."""
        return self.columns.refusals

    @property
    def users(self) -> NDArray[np.int64]:
        """For whom each report speaks."""
        return self.columns.users

    def open(self, number: int | None = None) -> Places:
        """Reports against which nothing stands, of one round if it is given."""
        unopposed = nothing_against(self.verdicts)
        return np.flatnonzero(unopposed if number is None else unopposed & (self.columns.rounds == number))

    def first_of_each(self, places: Places) -> Places:
        """The first report of each person among some."""
        return places[np.unique(self.users[places], return_index=True)[1]]

    def refuse(self, against: NDArray[np.bool_], verdict: Verdict) -> None:
        """Let a verdict stand where none does yet."""
        if against.any():
            self.verdicts[against & nothing_against(self.verdicts)] = verdict

    def check_senders(self, connection: Connection, uploads: Uploads) -> None:
        """Who speaks, and for whom."""
        senders = people.find_senders(connection, self.key, uploads.holders)
        places, theirs = senders.identify(uploads.holders, uploads.hashes)
        self.verdicts[~theirs] = Refusal.UNAUTHORISED
        foreign = self.users != senders.numbers[places]
        self.refuse(foreign & (self.users < self.campaign.n_people), Refusal.FOREIGN)
        self.refuse(foreign, Reason.UNKNOWN_USER)
        self.refuse(~senders.enrolled[places], Refusal.NOT_ENROLLED)

    def faults_of(self, connection: Connection, number: int, places: Places) -> Verdicts:
        """What is wrong with answers to a round that has begun; looked for once."""
        unseen = places[self._faults[places] == _UNSEEN]
        if len(unseen):
            present = self._answered_before(connection, number, unseen)
            self._faults[unseen[~present]] = Reason.MISSED_ROUND
            published = publications.read_all(connection, self.key, self.campaign) if number > 1 else ()
            for each_once in self._turns(unseen[present]):
                self._look(RoundContext(number, published[: number - 1]), each_once)
        return self._faults[places]

    def _turns(self, places: Places) -> list[Places]:
        """Everybody's first answer, everybody's second, ...: protocols look at one of a person at a time."""
        if not len(places):
            return []
        ordered = places[np.argsort(self.users[places], kind="stable")]
        begins = np.flatnonzero(np.diff(self.users[ordered], prepend=-1))
        which = np.arange(len(ordered)) - np.repeat(begins, np.diff(begins, append=len(ordered)))
        by_turn = ordered[np.argsort(which, kind="stable")]
        return np.split(by_turn, np.cumsum(np.bincount(which))[:-1])

    def _answered_before(self, connection: Connection, number: int, places: Places) -> NDArray[np.bool_]:
        """Only who answered all earlier rounds may answer this one."""
        users, present = self.users[places], np.ones(len(places), dtype=np.bool_)
        for earlier in range(1, number):
            there = reports.senders(connection, self.key, earlier, users.tolist())
            present &= np.isin(users, list(there))
        return present

    def _look(self, context: RoundContext, places: Places) -> None:
        """Let the protocol look at all payloads at once; where it refuses, look for the culprits by halves."""
        payloads = [self.columns.payloads[place] for place in places.tolist()]
        try:
            self.campaign.protocol.unpack(context, self.users[places], payloads)
        except ReportRefused as refusal:
            if len(places) == 1:
                self._faults[places] = Reason(refusal.reason)
                return
            half = len(places) // 2
            self._look(context, places[:half])
            self._look(context, places[half:])
        else:
            self._faults[places] = None


def nothing_against(verdicts: Verdicts) -> NDArray[np.bool_]:
    """Where no verdict stands."""
    return np.asarray(verdicts == None)  # noqa: E711 - for each
