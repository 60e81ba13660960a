"""Rows of a ledger as values, and values as rows. Losses are stored as exact fractions.

Losses that are paid as one are rows that follow each other, written in one transaction: sums over rows count each loss
by itself. The first row has the request id, the text, the fingerprint and the release; the others say in `part_of`
which entry they belong to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from graphveil.errors import LedgerError, ParameterError
from graphveil.privacy.ledger.budget import Budget, Totals
from graphveil.privacy.ledger.fingerprint import Fingerprint
from graphveil.privacy.loss import Approximate, Concentrated, Loss, Pure
from graphveil.privacy.unit import Trust, Unit

_BUDGET = """
SELECT dataset, unit, trust,
COALESCE((SELECT raised.epsilon FROM raised WHERE raised.dataset = budget.dataset ORDER BY id DESC LIMIT 1), epsilon),
delta, tail_delta, rho, dataset IN (SELECT dataset FROM separate)
FROM budget WHERE {condition} ORDER BY rowid
"""
_SPEND = """
SELECT spend.id, dataset, epsilon, delta, rho, request_id, what, spend.time, spend.version, part_of, edges, graph,
people, release.spend_id IS NOT NULL
FROM spend LEFT JOIN release ON release.spend_id = spend.id WHERE {condition} ORDER BY spend.id
"""
_SUMS = "SELECT epsilon, delta, rho, COUNT(*) FROM spend WHERE {condition} GROUP BY epsilon, delta, rho"


@dataclass(frozen=True, slots=True)
class Entry:
    """One spend on record, of one loss or of several paid as one.

    `settled` says whether its release was stored by the time of reading. The fingerprint of the graph is for finding
    it again, and is shown nowhere.
    """

    id: int
    dataset: str
    losses: tuple[Loss, ...]
    request_id: str | None
    what: str
    time: str
    version: str
    settled: bool = field(default=False, compare=False)
    fingerprint: Fingerprint | None = field(default=None, compare=False, repr=False)


def find_budget(connection: sqlite3.Connection, dataset: str) -> Budget | None:
    """The budget of a dataset, if it was declared."""
    return next(_budgets(connection, "dataset = ?", dataset), None)


def all_budgets(connection: sqlite3.Connection) -> Iterator[Budget]:
    """Every declared budget, in the order of declaration."""
    return _budgets(connection, "TRUE")


def add_budget(connection: sqlite3.Connection, budget: Budget) -> None:
    """Insert the declaration of a budget."""
    limits = (budget.epsilon, budget.delta, budget.tail_delta, budget.rho)
    values = (budget.name, str(budget.unit), budget.trust.value, *map(_text, limits), *_stamp())
    connection.execute("INSERT INTO budget VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    if budget.separate:
        add_separate(connection, budget.name)


def add_raised(connection: sqlite3.Connection, dataset: str, epsilon: Fraction) -> None:
    """Insert a higher limit, which holds from now on."""
    connection.execute("INSERT INTO raised VALUES (NULL, ?, ?, ?, ?)", (dataset, _text(epsilon), *_stamp()))


def add_separate(connection: sqlite3.Connection, dataset: str) -> None:
    """Insert the declaration that nobody in a dataset is in another one of this ledger."""
    connection.execute("INSERT INTO separate VALUES (?, ?, ?)", (dataset, *_stamp()))


def find_request(connection: sqlite3.Connection, request_id: str) -> Entry | None:
    """The spend under a request id."""
    row = connection.execute("SELECT id FROM spend WHERE request_id = ?", (request_id,)).fetchone()
    return None if row is None else find_entry(connection, row[0])


def find_same(
    connection: sqlite3.Connection, dataset: str, losses: tuple[Loss, ...], what: str, fingerprint: Fingerprint
) -> Entry | None:
    """The latest entry without a request id that has this dataset, text, losses and graph; None if there is none."""
    columns = (dataset, fingerprint.edges, fingerprint.graph, what)
    same = "dataset = ? AND edges = ? AND graph = ? AND what = ?"
    query = f"SELECT id FROM spend WHERE request_id IS NULL AND {same} ORDER BY id DESC"  # noqa: S608 - a constant
    numbers = connection.execute(query, columns).fetchall()
    found = (find_entry(connection, number) for (number,) in numbers)
    return next((entry for entry in found if entry is not None and entry.losses == losses), None)


def other_dataset_of(connection: sqlite3.Connection, dataset: str, fingerprint: Fingerprint) -> str | None:
    """Another dataset under which the same edges were released, if there is one."""
    query = "SELECT dataset FROM spend WHERE edges = ? AND dataset <> ? ORDER BY id LIMIT 1"
    row = connection.execute(query, (fingerprint.edges, dataset)).fetchone()
    return None if row is None else str(row[0])


def people_before(connection: sqlite3.Connection, dataset: str) -> list[str]:
    """What is on record of the people of a dataset, spend by spend, where it was recorded."""
    query = "SELECT people FROM spend WHERE dataset = ? AND people IS NOT NULL ORDER BY id"
    return [people for (people,) in connection.execute(query, (dataset,))]


def any_fingerprint(connection: sqlite3.Connection) -> bool:
    """Whether some spend has a fingerprint."""
    return connection.execute("SELECT 1 FROM spend WHERE edges IS NOT NULL LIMIT 1").fetchone() is not None


def find_entry(connection: sqlite3.Connection, entry_id: int) -> Entry | None:
    """The spend of that number; None where the number is that of a part of another."""
    if part_of(connection, entry_id) is not None:
        return None
    found = next(_entries(connection, "spend.id >= ?", entry_id), None)  # its parts come next
    return found if found is not None and found.id == entry_id else None


def part_of(connection: sqlite3.Connection, number: int) -> int | None:
    """The number of the spend whose part has this number, if it is a part."""
    row = connection.execute("SELECT part_of FROM spend WHERE id = ?", (number,)).fetchone()
    return None if row is None else row[0]


def entries(connection: sqlite3.Connection, dataset: str | None) -> Iterator[Entry]:
    """The spends of a dataset, or of all, in order."""
    return _entries(connection, "TRUE") if dataset is None else _entries(connection, "dataset = ?", dataset)


def totals(connection: sqlite3.Connection, budget: Budget) -> Totals:
    """The exact sums for the people of a dataset; equal losses are counted by the database.

    Datasets that nobody declared to be of other people count as one set of people. A ledger has at most one of them,
    unless it is from a version that did not ask.
    """
    condition = "dataset = :name" if budget.separate else "dataset NOT IN (SELECT dataset FROM separate)"
    sums = Totals()
    for *columns, times in connection.execute(_SUMS.format(condition=condition), {"name": budget.name}):
        sums = sums.plus(_loss(*columns), times)
    return sums


def add_entry(
    connection: sqlite3.Connection,
    dataset: str,
    losses: tuple[Loss, ...],
    *,
    request_id: str | None,
    what: str,
    fingerprint: Fingerprint | None = None,
) -> Entry:
    """Insert a spend, one row for each of its losses, and return it."""
    time, package = _stamp()
    marks = (None, None, None) if fingerprint is None else (fingerprint.edges, fingerprint.graph, fingerprint.people)

    def add(loss: Loss, *rest: object) -> int:
        values = (dataset, *map(_text, _loss_columns(loss)), *rest)
        cursor = connection.execute("INSERT INTO spend VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    number = add(losses[0], request_id, what, time, package, None, *marks)
    for loss in losses[1:]:
        add(loss, None, "", time, package, number, None, None, None)
    return Entry(number, dataset, losses, request_id, what, time, package, fingerprint=fingerprint)


def find_release(connection: sqlite3.Connection, entry_id: int) -> str | None:
    """The stored release of a spend."""
    row = connection.execute("SELECT json FROM release WHERE spend_id = ?", (entry_id,)).fetchone()
    return None if row is None else str(row[0])


def add_release(connection: sqlite3.Connection, entry_id: int, release_json: str) -> None:
    """Write the release of a spend."""
    connection.execute("INSERT INTO release VALUES (?, ?, ?, ?)", (entry_id, release_json, *_stamp()))


def _budgets(connection: sqlite3.Connection, condition: str, *values: object) -> Iterator[Budget]:
    for name, unit, trust, epsilon, delta, tail_delta, rho, separate in connection.execute(
        _BUDGET.format(condition=condition), values
    ):
        limits = _number(epsilon), _number(delta), _number(tail_delta), None if rho is None else _number(rho)
        yield Budget(name, Unit.parse(unit), Trust(trust), *limits, separate=bool(separate))


def _entries(connection: sqlite3.Connection, condition: str, *values: object) -> Iterator[Entry]:
    entry = None
    for row in connection.execute(_SPEND.format(condition=condition), values):
        (
            number,
            dataset,
            epsilon,
            delta,
            rho,
            request_id,
            what,
            time,
            package,
            part_of,
            edges,
            graph,
            people,
            settled,
        ) = row
        loss = _loss(epsilon, delta, rho)
        if entry is not None and part_of == entry.id:
            entry = replace(entry, losses=(*entry.losses, loss))
            continue
        if entry is not None:
            yield entry
        mark = None if edges is None else Fingerprint(edges, graph, people)
        entry = Entry(number, dataset, (loss,), request_id, what, time, package, bool(settled), mark)
    if entry is not None:
        yield entry


def _loss_columns(loss: Loss) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    if isinstance(loss, Concentrated):
        return None, None, loss.rho
    return loss.epsilon, loss.delta if isinstance(loss, Approximate) else None, None


def _loss(epsilon: Any, delta: Any, rho: Any) -> Loss:
    if rho is not None:
        return Concentrated(_number(rho))
    return Pure(_number(epsilon)) if delta is None else Approximate(_number(epsilon), _number(delta))


def _number(text: Any) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, TypeError, ZeroDivisionError):
        raise LedgerError(f"the ledger is damaged: {text!r} stands where a number should be") from None


def _text(number: Fraction | None) -> str | None:
    try:
        return None if number is None else str(number)
    except ValueError:
        raise ParameterError("a loss of more than 4,000 digits cannot be recorded; round it up") from None


def _stamp() -> tuple[str, str]:
    return datetime.now(UTC).isoformat(timespec="milliseconds"), _version()


@cache
def _version() -> str:
    from importlib.metadata import version  # slow to import, and not needed to read

    return version("graphveil")
