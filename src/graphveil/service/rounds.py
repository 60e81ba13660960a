"""The barrier between rounds: closing, publishing, estimating, scrubbing; and what the clock demands.

Closing a round has two steps. The first ends the round in one short transaction: from then on reports are late. The
second computes the publication or the result from the reports, which no longer change, and stores it. A server that
dies in between leaves the campaign `closing`, and any server takes the second step again; the first to store wins.
"""

from __future__ import annotations

import json
import logging
import threading
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from graphveil.local.collector import Collector, CollectorState
from graphveil.local.result import result_document
from graphveil.service.campaigns import found, read_campaign
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store import blobs, collector, reports
from graphveil.service.store import campaigns as rows
from graphveil.service.store.campaigns import State
from graphveil.service.terms import read_deadlines

_DAY = 86_400.0
_computing = threading.Lock()  # one at a time in this process: whoever waited finds it done
_log = logging.getLogger(__name__)


def close(service: Service, campaign_id: str, number: int, *, actor: str) -> None:
    """An operator ends a round before its deadline; needs as many reports as were promised to be the fewest."""
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        if row.paused_at is not None:
            raise Problem("not-now", "the campaign is paused; resume it first")
        if row.state == State.FAILED and row.scrubbed_at is not None:
            raise Problem("not-now", "the reports of this campaign were erased; it cannot be computed any more")
        if row.round != number or row.state not in (State.OPEN, State.FAILED):
            raise Problem("not-now", f"round {row.round} of the campaign is {row.state}; round {number} is not open")
        needed = read_campaign(row.document).minimum_reports
        if row.arrived < needed:
            raise Problem("not-now", f"the round closes with at least {needed} reports, or at its deadline")
        rows.change(connection, row.key, state=State.CLOSING, finished_at=None)
        rows.note(connection, service.clock(), actor, "close", campaign_id, round=number)
    finish(service, campaign_id)


def finish(service: Service, campaign_id: str) -> None:
    """Compute what a closed round leads to, and store it if nobody was faster."""
    with _computing:
        _finish(service, campaign_id)


def _finish(service: Service, campaign_id: str) -> None:
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        if row.state != State.CLOSING:
            return
        state = _standing(connection, row)
    collector = Collector(read_campaign(row.document))
    after = collector.close_round(state)
    result = None
    if after.closed:
        result = json.dumps(result_document(collector.outcome(after)), allow_nan=False)
    with service.database.write() as connection:
        current = found(connection, campaign_id, lock=True)
        if (current.state, current.round) != (State.CLOSING, row.round):
            return
        if len(after.publications) > len(state.publications):
            rows.add_publication(connection, row.key, row.round, blobs.put(connection, after.publications[-1]))
        if result is not None:
            _end(connection, row, State.DONE, now=service.clock(), result=result)
        else:
            _open_next(connection, row)
    service.database.checkpoint()


def tick(service: Service) -> None:
    """Do what is due: close rounds, let campaigns expire, finish what was interrupted, erase what is old.

    Results and rosters stay until an operator deletes their campaign.
    """
    now = service.watch.believed()
    with service.database.read() as connection:
        due = [row for row in rows.in_state(connection, State.OPEN) if _is_due(row, now)]
        interrupted = [row for row in rows.in_state(connection, State.CLOSING) if row.paused_at is None]
        outdated = rows.to_erase(connection, now - service.settings.keep_days * _DAY)
    for row in [*due, *interrupted]:
        _advance(service, row)
    for row in outdated:
        _erase(service, row)
    if service.watch.is_note_due() or service.database.is_full:  # and finds out whether there is room again
        with service.database.write() as connection:
            collector.note_time(connection, now)


def _erase(service: Service, row: Any) -> None:
    """Empty the payloads of a campaign that failed and was not closed again in time; the audit log says so."""
    with service.database.write() as connection:
        reports.scrub(connection, row.key)
        rows.change(connection, row.key, scrubbed_at=service.clock())
        rows.note(connection, service.clock(), "collector", "erase-reports", row.id, state=row.state)
    _log.info("the reports of campaign %s were erased, %g days after it ended", row.id, service.settings.keep_days)


def _is_due(row: Any, now: float) -> bool:
    """Whether the deadline is over or nobody is left to wait for, unless the campaign is paused."""
    return bool(row.paused_at is None and (row.closes_at <= now or row.arrived == row.eligible))


def _end_round(service: Service, campaign_id: str, number: int) -> None:
    now = service.watch.believed()
    with service.database.write() as connection:
        row = rows.find(connection, campaign_id, lock=True)
        if row is None or (row.state, row.round) != (State.OPEN, number) or not _is_due(row, now):
            return
        if row.arrived >= read_campaign(row.document).minimum_reports:
            rows.change(connection, row.key, state=State.CLOSING)
        else:
            _end(connection, row, State.EXPIRED, now=service.clock())


def _advance(service: Service, row: Any) -> None:
    """Close what is due; a campaign that cannot be computed must not stop the others."""
    try:
        if row.state == State.OPEN:
            _end_round(service, row.id, row.round)
        finish(service, row.id)
    except SQLAlchemyError:  # says nothing about the campaign
        raise
    except Exception:  # noqa: BLE001 - whatever a protocol's estimator may raise
        _log.exception("campaign %s cannot be computed", row.id)
        with service.database.write() as connection:
            current = rows.find(connection, row.id, lock=True)
            if current is not None and current.state in (State.OPEN, State.CLOSING):
                rows.change(connection, row.key, state=State.FAILED, finished_at=service.clock())


def _standing(connection: Connection, row: Any) -> CollectorState:
    """What the collector of `local` needs to know, from the database."""
    publications = tuple(blobs.get(connection, name) for name in rows.published(connection, row.key))
    received = tuple(reports.all_of_round(connection, row.key, r + 1) for r in range(row.round))
    return CollectorState(received, publications)


def _open_next(connection: Connection, row: Any) -> None:
    closes_at = read_deadlines(read_campaign(row.document))[row.round]
    ahead = {"state": State.OPEN, "round": row.round + 1, "arrived": 0, "eligible": row.arrived}
    rows.change(connection, row.key, closes_at=closes_at, **ahead)


def _end(connection: Connection, row: Any, state: State, *, now: float, result: str | None = None) -> None:
    """The reports have served; that they were sent is all that stays of them."""
    reports.scrub(connection, row.key)
    rows.change(connection, row.key, state=state, finished_at=now, scrubbed_at=now, result=result)
