"""Queries about the collector itself: one row."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from graphveil.service.store.tables import collector


def last_seen(connection: Connection) -> float | None:
    """The time that a server believed last."""
    found: float | None = connection.scalar(select(collector.c.last_seen))
    return found


def note_time(connection: Connection, now: float) -> None:
    """Write the believed time down, for the server that starts after this one."""
    connection.execute(update(collector).values(last_seen=now))


def unknown_loss(connection: Connection) -> int:
    """What anybody may have spent in campaigns that a restored collector does not know, in trillionths."""
    return int(connection.scalar(select(collector.c.unknown_trillionths)) or 0)


def add_unknown_loss(connection: Connection, loss: int) -> None:
    """Count a loss that everybody may have had elsewhere."""
    connection.execute(update(collector).values(unknown_trillionths=collector.c.unknown_trillionths + loss))
