"""Queries about reports and refusals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from sqlalchemy import Connection, select, text, update

from graphveil.service.store.conditions import Listed, Near
from graphveil.service.store.database import Database, raw_cursor
from graphveil.service.store.tables import refusals, reports


def stored(connection: Connection, key: int, number: int, people: Collection[int]) -> dict[int, bytes | None]:
    """Payloads of those of these people who reported in a round; None where it has been scrubbed."""
    return dict(_find(connection, "number, payload", key, number, people))


def senders(connection: Connection, key: int, number: int, people: Collection[int]) -> set[int]:
    """Those of these people who reported in a round."""
    return {row[0] for row in _find(connection, "number", key, number, people)}


def _find(connection: Connection, columns: str, key: int, number: int, people: Collection[int]) -> list[Any]:
    """What a round has of these people.

    Where they are scattered, PostgreSQL is made to look for them one by one: about a table that grows it knows so
    little that it would rather read all of it.
    """
    asked = f"SELECT {columns} FROM reports WHERE campaign = {{0}} AND round = {{1}} AND number "  # noqa: S608 - ours
    near = Near(people)
    if connection.dialect.name == "sqlite" or near.span is not None:
        return Database.fetch(connection, asked + "{2}", key, number, near)
    each = f"SELECT found.* FROM unnest({{2}}) AS asked (sought), LATERAL ({asked} = sought LIMIT 1) AS found"  # noqa: S608
    return Database.fetch(connection, each, key, number, Listed(people))


def all_of_round(connection: Connection, key: int, number: int) -> dict[int, bytes]:
    """Everybody's payload of a round."""
    asked = "SELECT number, payload FROM reports WHERE campaign = {} AND round = {}"
    return dict(Database.fetch(connection, asked, key, number))


_APPEND_SQLITE = (
    "INSERT INTO reports (campaign, round, number, payload, received_at) "
    "SELECT ?, ?, value, ifnull(substr(?, 1 + key * ?, ?), x''), ? FROM json_each(?)"  # a part of nothing is NULL
)
_APPEND_POSTGRESQL = (
    "WITH counted AS (UPDATE campaigns SET arrived = arrived + %s WHERE key = %s) "
    "INSERT INTO reports (campaign, round, number, payload, received_at) "
    "SELECT %s, %s, number, substr(%b, begun + 1, ended - begun), %s "
    "FROM unnest(%b, %b, %b) AS sent (number, begun, ended)"
)


def append(connection: Connection, key: int, number: int, accepted: Mapping[int, bytes], *, now: float) -> None:
    """Count these reports. Payloads go over in one piece and are cut by the database: half the cost of one by one."""
    with raw_cursor(connection) as cursor:
        if connection.dialect.name == "sqlite":
            _append_sqlite(cursor, key, number, accepted, now)
            cursor.execute("UPDATE campaigns SET arrived = arrived + ? WHERE key = ?", (len(accepted), key))
        else:
            _append_postgresql(cursor, key, number, accepted, now)


def _append_postgresql(cursor: Any, key: int, number: int, accepted: Mapping[int, bytes], now: float) -> None:
    """One statement, which also moves the campaign's counter."""
    sizes = np.fromiter(map(len, accepted.values()), dtype=np.int64, count=len(accepted))
    numbers = np.fromiter(accepted, dtype=np.int64, count=len(accepted))
    ends, joined = np.cumsum(sizes), b"".join(accepted.values())
    sent = (key, number, joined, now, numbers, ends - sizes, ends)
    cursor.execute(_APPEND_POSTGRESQL, (len(accepted), key, *sent))


def _append_sqlite(cursor: Any, key: int, number: int, accepted: Mapping[int, bytes], now: float) -> None:
    """A statement for each length of payload."""
    by_length: dict[int, list[int]] = {}
    for person, payload in accepted.items():
        by_length.setdefault(len(payload), []).append(person)
    for length, people in by_length.items():
        joined = b"".join([accepted[person] for person in people])
        cursor.execute(_APPEND_SQLITE, (key, number, joined, length, length, now, str(people)))


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
