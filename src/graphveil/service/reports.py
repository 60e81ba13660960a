"""Taking reports in: any number in one transaction, each judged as if they came one after the other.

Verdicts are those of `local.collector.Collector.judge`, after those about who is speaking. The campaign's row is locked
while reports are counted, so a round cannot close and nobody else can count a report of the same person in between:
every accepted report is counted exactly once, with any number of servers, and is on disk before it is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection

from graphveil.local.messages import Reason
from graphveil.service.campaigns import found
from graphveil.service.report_checks import Places, Scrutiny, Verdict, nothing_against, scrutinise
from graphveil.service.service import Service
from graphveil.service.store import reports
from graphveil.service.store.campaigns import State
from graphveil.service.uploads import Uploads


def take(service: Service, campaign_id: str, uploads: Uploads) -> list[Verdict]:
    """Count those reports that are in order; says of each why not."""
    now, scrutiny = service.clock(), scrutinise(service, campaign_id, uploads)
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        accepted = _Count(connection, row, scrutiny).accept(now)
        verdicts: list[Verdict] = scrutiny.verdicts.tolist()
        if accepted:
            reports.append(connection, row.key, row.round, accepted, now=now)
        if len(accepted) < len(verdicts):
            refused = Counter(str(verdict) for verdict in verdicts if verdict is not None)
            reports.count_refusals(connection, row.key, refused)
    return verdicts


@dataclass(frozen=True, slots=True, eq=False)
class _Count:
    """Reports under their campaign's lock."""

    connection: Connection
    row: Any
    scrutiny: Scrutiny

    def accept(self, now: float) -> dict[int, bytes]:
        """Verdicts on all; the payloads that count."""
        scrutiny, accepted = self.scrutiny, {}
        scrutiny.refuse(scrutiny.columns.rounds > self.row.round, Reason.WRONG_ROUND)
        for number in np.unique(scrutiny.columns.rounds[scrutiny.open()]).tolist():
            fresh = self._sort_out_known(number)
            if self.row.state == State.OPEN and number == self.row.round and now < self.row.closes_at:
                accepted = self._first_valid(fresh)
            else:
                scrutiny.verdicts[fresh] = Reason.LATE
        return accepted

    def _sort_out_known(self, number: int) -> Places:
        """Verdicts on people whose answer of a round is counted already; the others."""
        places = self.scrutiny.open(number)
        users = self.scrutiny.users[places].tolist()
        return self._repeated(places, reports.stored(self.connection, self.row.key, number, users))

    def _repeated(self, places: Places, counted: Mapping[int, bytes | None]) -> Places:
        """Verdicts on people who are counted already; the others. A scrubbed answer cannot be compared."""
        scrutiny, users = self.scrutiny, self.scrutiny.users[places]
        known = np.isin(users, list(counted)) if counted else np.zeros(len(places), dtype=np.bool_)
        for place, user in zip(places[known].tolist(), users[known].tolist(), strict=True):
            same = counted[user] in (None, scrutiny.columns.payloads[place])
            scrutiny.verdicts[place] = Reason.DUPLICATE if same else Reason.CONFLICT
        return places[~known]

    def _first_valid(self, places: Places) -> dict[int, bytes]:
        """Of the round that is open, the first valid answer of each person counts; later ones are repetitions."""
        scrutiny, payloads = self.scrutiny, self.scrutiny.columns.payloads
        faults = scrutiny.faults_of(self.connection, self.row.round, places)
        scrutiny.verdicts[places] = faults
        counted = scrutiny.first_of_each(places[nothing_against(faults)])
        users = scrutiny.users[counted]
        accepted = dict(zip(users.tolist(), [payloads[place] for place in counted.tolist()], strict=True))
        if len(counted):
            own = np.minimum(np.searchsorted(users, scrutiny.users[places]), len(users) - 1)
            later = (users[own] == scrutiny.users[places]) & (places > counted[own])
            self._repeated(places[later], accepted)
        return accepted
