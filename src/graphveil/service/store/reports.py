"""Queries about reports and refusals."""

from __future__ import annotations

from collections.abc import Collection, Mapping

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


_APPEND = "INSERT INTO reports (campaign, round, number, payload, received_at) "
_APPEND_SQLITE = _APPEND + "SELECT ?, ?, value, substr(?, 1 + key * ?, ?), ? FROM json_each(?)"  # noqa: S608 - two constants
_APPEND_POSTGRESQL = (
    _APPEND + "SELECT %s, %s, number, substr(%b, 1 + (place::int - 1) * %s, %s), %s "
    "FROM unnest(%s::int[]) WITH ORDINALITY AS sent (number, place)"
)


def append(connection: Connection, key: int, number: int, accepted: Mapping[int, bytes], *, now: float) -> None:
    """Count these reports.

    Payloads of one length go over in one piece and are cut by the database: half the cost of a statement a row.
    """
    by_length: dict[int, list[int]] = {}
    for person, payload in accepted.items():
        by_length.setdefault(len(payload), []).append(person)
    is_sqlite = connection.dialect.name == "sqlite"
    cursor = connection.connection.cursor()
    for length, people in by_length.items():
        joined = b"".join([accepted[person] for person in people])
        listed = str(people) if is_sqlite else f"{{{str(people)[1:-1]}}}"
        statement = _APPEND_SQLITE if is_sqlite else _APPEND_POSTGRESQL
        cursor.execute(statement, (key, number, joined, length, length, now, listed))
    cursor.close()
    Database.fetch(connection, "UPDATE campaigns SET arrived = arrived + {} WHERE key = {}", len(accepted), key)


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
