"""Taking reports in: any number in one transaction, each judged as if they came one after the other.

Verdicts are those of `local.collector.Judgement`, after those about who is speaking. All that can be said without a
lock is said first: nobody un-enrols, and a token that was right when it came stays right for what came with it. The
campaign's row is locked while reports are counted, so a round cannot close and nobody else can count a report of the
same person in between: every accepted report is counted exactly once, with any number of servers, and is on disk before
it is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Connection

from graphveil.errors import ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.collector import Judgement
from graphveil.local.messages import HEAD, MARK, Reason, Report
from graphveil.service import publications
from graphveil.service.auth import NOBODY, Role, Token, read_persons
from graphveil.service.campaigns import read_campaign, running
from graphveil.service.problems import Refusal
from graphveil.service.service import Service
from graphveil.service.store import people, reports
from graphveil.service.store.campaigns import State

Verdict = Reason | Refusal | None  # None: counted
_UNKNOWN_VERSION = MARK.ljust(HEAD.itemsize, b"\0")


@dataclass(frozen=True, slots=True)
class Uploads:
    """Reports as they arrive, as columns, because thousands come at once.

    Row i: whom a token names (`NOBODY` if it is no person's), its hash, and the report in its compact form.
    """

    holders: list[int]
    hashes: list[bytes]
    reports: list[bytes]

    @classmethod
    def read(cls, tokens: Sequence[str], reports: Iterable[bytes]) -> Self:
        """From tokens as they were sent."""
        return cls(*read_persons(tokens), list(reports))

    @classmethod
    def single(cls, token: Token | None, report: bytes) -> Self:
        """A batch of one report, with the token it came with."""
        if token is None or token.role is not Role.PERSON:
            return cls([NOBODY], [bytes(32)], [report])
        return cls([token.holder], [token.hash], [report])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some, in order."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            [holder for part in parts for holder in part.holders],
            [each for part in parts for each in part.hashes],
            [report for part in parts for report in part.reports],
        )

    def __len__(self) -> int:
        return len(self.reports)


def compact(text: bytes) -> bytes:
    """The compact form of a report's readable form; where there is none, bytes that are refused for the same reason."""
    try:
        return Report.from_json(text).encode()
    except ReportRefused as refusal:
        return _UNKNOWN_VERSION if refusal.reason == Reason.UNKNOWN_VERSION else b""


def take(service: Service, campaign_id: str, uploads: Uploads) -> list[Verdict]:
    """Count those reports that are in order; says of each why not."""
    now, judgement = service.clock(), examine(service, campaign_id, uploads)
    with service.database.write() as connection:
        row = running(connection, campaign_id, lock=True)
        accepted = judgement.accept(_Stored(connection, row, judgement.campaign, service.watch.believed()))
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
        row = running(connection, campaign_id)
        judgement = Judgement.of(read_campaign(row.document), uploads.reports)
        _check_senders(connection, row.key, judgement, uploads)
        judgement.examine(_Stored(connection, row, judgement.campaign, service.watch.believed()))
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
