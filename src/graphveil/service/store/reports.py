"""Queries about reports and refusals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, select, text, update

from graphveil.service.store.database import Database, Near
from graphveil.service.store.tables import refusals, reports


def stored(connection: Connection, key: int, number: int, people: Collection[int]) -> dict[int, bytes | None]:
    """Payloads of those of these people who reported in a round; None where it has been scrubbed."""
    asked = "SELECT number, payload FROM reports WHERE campaign = {} AND round = {} AND number {}"
    return dict(Database.fetch(connection, asked, key, number, Near(people)))


def senders(connection: Connection, key: int, number: int, people: Collection[int]) -> set[int]:
    """Those of these people who reported in a round."""
    asked = "SELECT number FROM reports WHERE campaign = {} AND round = {} AND number {}"
    return {row[0] for row in Database.fetch(connection, asked, key, number, Near(people))}


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


_COUNT = text(
    "INSERT INTO refusals (campaign, reason, count) VALUES (:campaign, :reason, :count) "
    "ON CONFLICT (campaign, reason) DO UPDATE SET count = refusals.count + excluded.count"
)


def count_refusals(connection: Connection, key: int, counts: Mapping[str, int]) -> None:
    """Add to the counter of each reason."""
    if counts:
        rows = [{"campaign": key, "reason": reason, "count": count} for reason, count in sorted(counts.items())]
        connection.execute(_COUNT, rows)


def refused(connection: Connection, key: int) -> dict[str, int]:
    """The counter of each reason."""
    rows = connection.execute(select(refusals.c.reason, refusals.c.count).where(refusals.c.campaign == key))
    return {row[0]: row[1] for row in rows}


def arrivals(connection: Connection, key: int, *, start: int, width: int) -> dict[int, list[tuple[int, int]]]:
    """For each round, how many reports came in each span of time: (beginning of the span, reports), in order."""
    whole = "CAST({} AS INTEGER)" if connection.dialect.name == "sqlite" else "CAST(floor({}) AS BIGINT)"
    span = whole.format("(received_at - {1}) / {2}")
    asked = f"SELECT round, {span}, count(*) FROM reports WHERE campaign = {{0}} GROUP BY 1, 2 ORDER BY 1, 2"  # noqa: S608
    times: dict[int, list[tuple[int, int]]] = {}
    for number, place, count in Database.fetch(connection, asked, key, start, width):
        times.setdefault(number, []).append((start + place * width, count))
    return times
