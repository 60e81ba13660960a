"""Taking reports in: any number in one transaction, each judged as if they came one after the other.

Verdicts are those of `local.collector.Collector.judge`, after those about who is speaking. The campaign's row is locked
meanwhile, so a round cannot close and nobody else can count a report of the same person in between: every accepted
report is counted exactly once, with any number of servers, and is on disk before it is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection

from graphveil.errors import ReportRefused
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Reason, Report
from graphveil.local.page import Turn
from graphveil.local.report_columns import read_columns
from graphveil.service import publications
from graphveil.service.auth import Token, is_person
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Refusal
from graphveil.service.service import Service
from graphveil.service.store import people, reports
from graphveil.service.store.campaigns import State

Verdict = Reason | Refusal | None  # None: counted


class Upload(NamedTuple):
    """A report in its compact form with the token it came with; `unreadable` if its readable form was none."""

    token: Token | None
    report: bytes
    unreadable: Reason | None = None

    @classmethod
    def from_json(cls, token: Token | None, text: bytes) -> Upload:
        """From the readable form."""
        try:
            return cls(token, Report.from_json(text).encode())
        except ReportRefused as refusal:
            return cls(token, b"", Reason(refusal.reason))


class _Answer(NamedTuple):
    """A report that is in order as far as its head and its sender go."""

    place: int  # among the uploads
    user: int
    payload: bytes


def take(service: Service, campaign_id: str, uploads: Sequence[Upload]) -> list[Verdict]:
    """Count those reports that are in order; says of each why not."""
    now = service.clock()
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        campaign = read_campaign(row.document)
        verdicts, rounds = _check_senders(connection, row, campaign, uploads)
        accepted: dict[int, bytes] = {}
        for number, answers in sorted(rounds.items()):
            opened = row.state == State.OPEN and number == row.round and now < row.closes_at
            fresh = _known(connection, row.key, number, answers, verdicts, otherwise=None if opened else Reason.LATE)
            if opened:
                fresh = _answered_before(connection, row, fresh, verdicts)
                published = publications.read_all(connection, row.key, campaign) if number > 1 else ()
                turn = Turn(number, published[: number - 1])
                accepted = _count_in_order(campaign, turn, fresh, verdicts)
        reports.append(service.database, connection, row.key, row.round, sorted(accepted.items()), now=now)
        reports.count_refusals(connection, row.key, Counter(str(v) for v in verdicts if v is not None))
    return verdicts


def _check_senders(
    connection: Connection, row: Any, campaign: Campaign, uploads: Sequence[Upload]
) -> tuple[list[Verdict], dict[int, list[_Answer]]]:
    """Who speaks, for whom, in which form; what passes, by round."""
    columns = read_columns([upload.report for upload in uploads], campaign.id)
    known = people.find_senders(connection, row.key, [upload.token.holder for upload in uploads if upload.token])
    verdicts: list[Verdict] = []
    rounds: dict[int, list[_Answer]] = {}
    fields = zip(uploads, columns.users, columns.rounds, columns.payloads, columns.refusals, strict=True)
    for place, ((token, _, unreadable), user, number, payload, refusal) in enumerate(fields):
        sender = known.get(token.holder) if token else None
        verdict: Verdict
        if sender is None or not is_person(token, sender[1]):
            verdict = Refusal.UNAUTHORISED
        else:
            verdict = unreadable or refusal or _against_user(sender[2], sender[3], user, campaign.n_people)
        if verdict is None and number > row.round:
            verdict = Reason.WRONG_ROUND
        if verdict is None:
            rounds.setdefault(number, []).append(_Answer(place, user, payload))
        verdicts.append(verdict)
    return verdicts, rounds


def _against_user(own: int | None, enrolled_at: float | None, user: int, n_people: int) -> Verdict:
    """Whether a sender with that number may report as this user."""
    if own == user:
        return Refusal.NOT_ENROLLED if enrolled_at is None else None
    return Refusal.FOREIGN if user < n_people else Reason.UNKNOWN_USER


def _known(
    connection: Connection,
    key: int,
    number: int,
    answers: list[_Answer],
    verdicts: list[Verdict],
    *,
    otherwise: Reason | None,
) -> list[_Answer]:
    """Sort out people whose answer of a round is counted already; returns the others with the verdict given."""
    stored = reports.stored(connection, key, number, [answer.user for answer in answers])
    fresh = []
    for answer in answers:
        if answer.user in stored:
            verdicts[answer.place] = _repeated(stored[answer.user], answer.payload)
        else:
            verdicts[answer.place] = otherwise
            fresh.append(answer)
    return fresh


def _repeated(stored: bytes | None, payload: bytes) -> Reason:
    """A scrubbed answer cannot be compared; that it was counted is what the sender needs to know."""
    return Reason.DUPLICATE if stored in (None, payload) else Reason.CONFLICT


def _answered_before(
    connection: Connection, row: Any, answers: list[_Answer], verdicts: list[Verdict]
) -> list[_Answer]:
    """Only who answered all earlier rounds may answer this one."""
    for earlier in range(1, row.round):
        there = reports.senders(connection, row.key, earlier, [answer.user for answer in answers])
        for answer in answers:
            if answer.user not in there:
                verdicts[answer.place] = Reason.MISSED_ROUND
        answers = [answer for answer in answers if answer.user in there]
    return answers


def _count_in_order(
    campaign: Campaign, turn: Turn, answers: list[_Answer], verdicts: list[Verdict]
) -> dict[int, bytes]:
    """The first valid answer of each person counts; later ones in the same batch are repetitions."""
    accepted: dict[int, bytes] = {}
    while answers:
        first = {answer.user: answer for answer in reversed(answers)}
        _validate(campaign, turn, sorted(first.values(), key=lambda answer: answer.user), verdicts)
        accepted.update((user, a.payload) for user, a in first.items() if verdicts[a.place] is None)
        rest = [answer for answer in answers if first[answer.user] is not answer]
        answers = []
        for answer in rest:
            if answer.user in accepted:
                verdicts[answer.place] = _repeated(accepted[answer.user], answer.payload)
            else:
                answers.append(answer)
    return accepted


def _validate(campaign: Campaign, turn: Turn, answers: list[_Answer], verdicts: list[Verdict]) -> None:
    """Let the protocol look at all payloads at once; where it refuses, look for the culprits by halves."""
    try:
        users = np.array([answer.user for answer in answers], dtype=np.int64)
        campaign.protocol.unpack(turn, users, [answer.payload for answer in answers])
    except ReportRefused as refusal:
        if len(answers) == 1:
            verdicts[answers[0].place] = Reason(refusal.reason)
            return
        half = len(answers) // 2
        _validate(campaign, turn, answers[:half], verdicts)
        _validate(campaign, turn, answers[half:], verdicts)
