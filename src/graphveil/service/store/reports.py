"""Queries about reports and refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, select, text, update

from graphveil.service.store.database import Database
from graphveil.service.store.tables import refusals, reports


def stored(connection: Connection, key: int, number: int, people: Iterable[int]) -> dict[int, bytes | None]:
    """Payloads of those of these people who reported in a round; None where it has been scrubbed."""
    asked = "SELECT number, payload FROM reports WHERE campaign = {} AND round = {} AND number IN {}"
    return dict(Database.fetch(connection, asked, key, number, people))


def senders(connection: Connection, key: int, number: int, people: Iterable[int]) -> set[int]:
    """Those of these people who reported in a round."""
    asked = "SELECT number FROM reports WHERE campaign = {} AND round = {} AND number IN {}"
    return {row[0] for row in Database.fetch(connection, asked, key, number, people)}


def all_of_round(connection: Connection, key: int, number: int) -> dict[int, bytes]:
    """Everybody's payload of a round."""
    asked = "SELECT number, payload FROM reports WHERE campaign = {} AND round = {}"
    return dict(Database.fetch(connection, asked, key, number))


def append(
    database: Database,
    connection: Connection,
    key: int,
    number: int,
    accepted: Sequence[tuple[int, bytes]],
    *,
    now: float,
) -> None:
    """Count these reports."""
    if not accepted:
        return
    rows = [(key, number, person, payload, now) for person, payload in accepted]
    database.append(connection, reports, ("campaign", "round", "number", "payload", "received_at"), rows)
    database.fetch(connection, "UPDATE campaigns SET arrived = arrived + {} WHERE key = {}", len(rows), key)


def scrub(connection: Connection, key: int) -> None:
    """Empty all payloads; that a person reported stays known, so nothing can be counted again."""
    connection.execute(update(reports).where(reports.c.campaign == key).values(payload=None))


def count_refusals(connection: Connection, key: int, counts: Mapping[str, int]) -> None:
    """Add to the counter of each reason."""
    statement = text(
        "INSERT INTO refusals (campaign, reason, count) VALUES (:campaign, :reason, :count) "
        "ON CONFLICT (campaign, reason) DO UPDATE SET count = refusals.count + excluded.count"
    )
    rows = [{"campaign": key, "reason": reason, "count": count} for reason, count in sorted(counts.items())]
    if rows:
        connection.execute(statement, rows)


def refused(connection: Connection, key: int) -> dict[str, int]:
    """The counter of each reason."""
    rows = connection.execute(select(refusals.c.reason, refusals.c.count).where(refusals.c.campaign == key))
    return {row[0]: row[1] for row in rows}


def arrivals(connection: Connection, key: int) -> dict[int, list[tuple[float, int]]]:
    """For each round, when reports came in and how many."""
    moment = reports.c.received_at
    query = select(reports.c.round, moment, func.count()).where(reports.c.campaign == key)
    times: dict[int, list[tuple[float, int]]] = {}
    for number, at, count in connection.execute(query.group_by(reports.c.round, moment).order_by(moment)):
        times.setdefault(number, []).append((at, count))
    return times
