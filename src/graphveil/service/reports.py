"""Taking reports in: any number in one transaction, each judged as if they came one after the other.

Verdicts are those of `local.collector.Judgement`, after those about who is speaking. All that can be said without a
lock is said first: nobody un-enrols, and a token that was right when it came stays right for what came with it. The
campaign's row is locked while reports are counted, so a round cannot close and nobody else can count a report of the
same person in between: every accepted report is counted exactly once, with any number of servers, and is on disk before
it is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from graphveil.local.campaign import Campaign
from graphveil.local.collector import Judgement
from graphveil.local.messages import Reason
from graphveil.service import publications
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Refusal
from graphveil.service.service import Service
from graphveil.service.store import people, reports
from graphveil.service.store.campaigns import State
from graphveil.service.uploads import Uploads

Verdict = Reason | Refusal | None  # None: counted


def take(service: Service, campaign_id: str, uploads: Uploads) -> list[Verdict]:
    """Count those reports that are in order; says of each why not."""
    now, judgement = service.clock(), examine(service, campaign_id, uploads)
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        accepted = judgement.accept(_Stored(connection, row, judgement.campaign, now))
        verdicts: list[Verdict] = judgement.verdicts.tolist()
        if accepted:
            reports.append(connection, row.key, row.round, accepted, now=now)
        if len(accepted) < len(verdicts):
            refused = Counter(str(verdict) for verdict in verdicts if verdict is not None)
            reports.count_refusals(connection, row.key, refused)
    return verdicts


def examine(service: Service, campaign_id: str, uploads: Uploads) -> Judgement:
    """Check who sends reports, for whom, and whether they are sound, without a lock."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        judgement = Judgement.of(read_campaign(row.document), uploads.reports)
        _check_senders(connection, row.key, judgement, uploads)
        judgement.examine(_Stored(connection, row, judgement.campaign, service.clock()))
    return judgement


def _check_senders(connection: Connection, key: int, judgement: Judgement, uploads: Uploads) -> None:
    """A token that is right, a report for the person it names, and that person enrolled."""
    senders = people.find_senders(connection, key, uploads.holders)
    places, theirs = senders.identify(uploads.holders, uploads.hashes)
    judgement.verdicts[~theirs] = Refusal.UNAUTHORISED
    judgement.refuse(judgement.columns.users >= judgement.campaign.n_people, Reason.UNKNOWN_USER)
    judgement.refuse(judgement.columns.users != senders.numbers[places], Refusal.FOREIGN)
    judgement.refuse(~senders.enrolled[places], Refusal.NOT_ENROLLED)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the database knows of a campaign's reports, as `local.collector.CountedReports`."""

    connection: Connection
    row: Any
    campaign: Campaign
    now: float

    @property
    def round(self) -> int:
        """The round that is open, or the last one."""
        return int(self.row.round)

    @property
    def is_open(self) -> bool:
        """Whether the round takes reports: its deadline is to come, and nobody closed it."""
        return bool(self.row.state == State.OPEN and self.now < self.row.closes_at)

    def payloads(self, number: int, users: Sequence[int]) -> Mapping[int, bytes | None]:
        """Payloads of those of these people who reported in a round; None where it has been scrubbed."""
        return reports.stored(self.connection, self.row.key, number, users)

    def answered(self, number: int, users: Sequence[int]) -> Collection[int]:
        """Those of these people who reported in a round."""
        return reports.senders(self.connection, self.row.key, number, users)

    def published(self) -> tuple[Any, ...]:
        """What was published after each earlier round."""
        return publications.read_all(self.connection, self.row.key, self.campaign)[: self.round - 1]
