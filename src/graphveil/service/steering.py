"""What an operator does to a campaign that runs or has ended: pause, resume, cancel, delete; each is in the audit log.

Pausing moves no deadline: people were promised that a round closes then at the latest. A paused campaign accepts no
reports and stays open; when it goes on after a deadline, its round closes with what had arrived.
"""

from __future__ import annotations

from graphveil.service.campaigns import found
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store import campaigns as rows
from graphveil.service.store import reports
from graphveil.service.store.campaigns import State

_RUNNING = (State.OPEN, State.CLOSING)


def pause(service: Service, campaign_id: str, *, actor: str) -> None:
    """Take no more enrolments and reports until the campaign is resumed; clients try again later."""
    now = service.clock()
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        if row.state not in _RUNNING or row.paused_at is not None:
            told = "paused already" if row.paused_at is not None else row.state
            raise Problem("not-now", f"the campaign is {told}; one that runs can be paused")
        rows.change(connection, row.key, paused_at=now)
        rows.note(connection, now, actor, "pause", campaign_id, round=row.round)


def resume(service: Service, campaign_id: str, *, actor: str) -> None:
    """Let a paused campaign go on."""
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        if row.paused_at is None:
            raise Problem("not-now", f"the campaign is {row.state} and not paused")
        rows.change(connection, row.key, paused_at=None)
        rows.note(connection, service.clock(), actor, "resume", campaign_id, round=row.round)


def cancel(service: Service, campaign_id: str, *, actor: str) -> None:
    """End a campaign without a result and erase its reports; what people were charged stays charged."""
    now = service.clock()
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        if row.state not in (*_RUNNING, State.FAILED):
            raise Problem("not-now", f"the campaign is {row.state}; there is nothing to cancel")
        reports.scrub(connection, row.key)
        ended = {"state": State.CANCELLED, "paused_at": None, "finished_at": now, "scrubbed_at": now}
        rows.change(connection, row.key, **ended)
        rows.note(connection, now, actor, "cancel", campaign_id, round=row.round, reports=row.arrived)
    service.database.checkpoint()


def delete(service: Service, campaign_id: str, *, actor: str) -> None:
    """Remove a campaign that is over, with its result and roster; what people have spent stays."""
    with service.database.write() as connection:
        row = found(connection, campaign_id, lock=True)
        if row.state in _RUNNING:
            raise Problem("not-now", f"the campaign is {row.state}; cancel it first")
        rows.remove(connection, row.key)
        rows.note(connection, service.clock(), actor, "delete", campaign_id, state=row.state)
