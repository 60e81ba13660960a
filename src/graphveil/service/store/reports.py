"""Queries about reports and refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, and_, func, select, text, update

from graphveil.service.store.database import Database
from graphveil.service.store.people import chunks
from graphveil.service.store.tables import refusals, reports


def stored(connection: Connection, key: int, number: int, people: Sequence[int]) -> dict[int, bytes | None]:
    """Payloads of those of these people who reported in a round; None where it has been scrubbed."""
    found: dict[int, bytes | None] = {}
    for part in chunks(people):
        place = and_(reports.c.campaign == key, reports.c.round == number, reports.c.number.in_(part))
        found.update(tuple(row) for row in connection.execute(select(reports.c.number, reports.c.payload).where(place)))
    return found


def all_of_round(connection: Connection, key: int, number: int) -> dict[int, bytes]:
    """Everybody's payload of a round."""
    place = and_(reports.c.campaign == key, reports.c.round == number)
    return {row[0]: row[1] for row in connection.execute(select(reports.c.number, reports.c.payload).where(place))}


def append(
    database: Database,
    connection: Connection,
    key: int,
    number: int,
    accepted: Iterable[tuple[int, bytes]],
    *,
    now: float,
) -> None:
    """Count these reports."""
    rows = [(key, number, person, payload, now) for person, payload in accepted]
    database.append(connection, reports, ("campaign", "round", "number", "payload", "received_at"), rows)


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
