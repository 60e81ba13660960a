"""Backups of a running collector, and collectors that go on from one without forgetting what was spent.

A backup is a copy by SQLite's own backup interface: one consistent moment, taken while servers go on writing. What
happened after that moment is unknown to whoever restores it, so a restored collector assumes the worst:

- Whoever could still enrol in a campaign that the backup knows is charged for it and counts as enrolled. If they had
  joined, their device goes on and sends the answer it has stored; if their device knows of no answer, it draws none.
- Campaigns created after the backup are not in it. The operator states the sum of their epsilons (`later`); everybody
  is charged with it, and so is everybody who is named for the first time from now on.
- Campaigns that ran are paused: an operator resumes those whose round had not ended since, and cancels the others.
- All operators and gateways lose their tokens, since some may have been removed since; one new operator is made.

So the restored collector never shows less spent than the lost one did. After the backup the lost collector charged
people for one thing only, joining a campaign: one that the backup contains, which is charged above, or a later one,
which `later` covers. Nobody is charged beyond their limit, neither there nor here. And nothing counts twice: a report
is counted once for each person and round, and a device never draws a second answer.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from sqlalchemy import Connection, delete, text, update
from sqlalchemy.engine import make_url

from graphveil.errors import ParameterError
from graphveil.service.campaigns import read_campaign
from graphveil.service.enrolment import charged_epsilon
from graphveil.service.serve import check_token_file, is_new, make_first_operator
from graphveil.service.service import Service, trillionths
from graphveil.service.settings import Settings
from graphveil.service.store import campaigns as rows
from graphveil.service.store import collector
from graphveil.service.store.campaigns import State
from graphveil.service.store.people import Assumed
from graphveil.service.store.tables import members, staff

_UP_TO_LIMIT = (
    "UPDATE people SET spent_trillionths = CASE WHEN limit_trillionths - spent_trillionths < :cost "
    "THEN limit_trillionths ELSE spent_trillionths + :cost END"
)
_NOT_ENROLLED = " WHERE id IN (SELECT person FROM members WHERE campaign = :campaign AND enrolled_at IS NULL)"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds, in numbers that everybody may see."""

    people: int
    campaigns: int
    reports: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What was assumed when a collector was restored."""

    paused: list[str]  # ids of campaigns
    charged: int  # people charged for a campaign that they may have joined since
    token_file: Path


def sqlite_file(address: str) -> Path:
    """The file of a SQLite database; says what to use for another."""
    if "://" in address and not address.startswith("sqlite"):
        raise ParameterError(
            "a PostgreSQL database is copied by pg_dump and pg_restore; then run `graphveil collect restore --database "
            "ADDRESS --later-epsilon E`, without a file, before serving it"
        )
    return Path((make_url(address).database or "") if "://" in address else address)


def back_up(address: str, out: Path) -> Contents:
    """Copy a database, in use or not, to a new file; the file appears when it is whole and has been checked."""
    source = sqlite_file(address)
    if not source.is_file():
        raise ParameterError(f"there is no database {source}")
    with _new_file(out) as partial:
        _copy(source, partial)
        return _contents(partial)


def restore(source: Path | None, settings: Settings, later: Fraction) -> Restored:
    """Make a collector from a backup; without one, from a database that was put back by other means."""
    check_token_file(
        settings, "a restored collector gets a new one: name a file for it (--token FILE), or move the old one away"
    )
    if source is None:
        if is_new(settings.database):
            raise ParameterError(f"there is nothing in {settings.database}; name the backup to restore it from")
        return _open_and_assume(settings, later)
    if not source.is_file():
        raise ParameterError(f"there is no backup {source}")
    try:
        with _new_file(sqlite_file(settings.database)) as partial:
            _copy(source, partial)
            _contents(partial)
            return _open_and_assume(replace(settings, database=str(partial)), later)
    except BaseException:
        Path(settings.operator_token_file).unlink(missing_ok=True)  # it was not there before, or empty
        raise


def _open_and_assume(settings: Settings, later: Fraction) -> Restored:
    service = Service.open(settings)
    try:
        with service.database.write() as connection:
            restored = _assume_the_worst(service, connection, later)
    finally:
        service.database.close()
    return restored


def _assume_the_worst(service: Service, connection: Connection, later: Fraction) -> Restored:
    """Assume the worst about what happened since; all in the transaction that makes the new operator."""
    now, charged = service.clock(), 0
    running = rows.in_state(connection, State.OPEN, State.CLOSING)
    for row in running:
        rows.change(connection, row.key, paused_at=now)
        connection.execute(
            update(members)
            .where((members.c.campaign == row.key) & members.c.enrolled_at.is_not(None))
            .values(assumed=Assumed.ANSWERED)
        )
        if row.state == State.OPEN and row.round == 1:
            charged += _charge_the_rest(
                connection, row.key, trillionths(charged_epsilon(read_campaign(row.document))), now
            )
    unknown = trillionths(later)
    if unknown:
        connection.execute(text(_UP_TO_LIMIT), {"cost": unknown})
        collector.add_unknown_loss(connection, unknown)
    collector.note_time(connection, now)
    connection.execute(delete(staff))
    told = {"paused": len(running), "charged": charged, "later_epsilon": str(later)}
    rows.note(connection, now, "command line", "restore", None, **told)
    path = make_first_operator(service.settings, connection)
    return Restored([row.id for row in running], charged, path)


def _charge_the_rest(connection: Connection, key: int, cost: int, now: float) -> int:
    """Charge those who were asked and had not enrolled; they may have since."""
    connection.execute(text(_UP_TO_LIMIT + _NOT_ENROLLED), {"cost": cost, "campaign": key})
    place = (members.c.campaign == key) & members.c.enrolled_at.is_(None)
    return connection.execute(update(members).where(place).values(enrolled_at=now, assumed=Assumed.JOINED)).rowcount


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """A name to write under; what is written gets its own name when all is well, and is gone when not."""
    partial = path.with_name(path.name + ".partial")
    beside = [path, path.with_name(path.name + "-wal")]
    if any(each.exists() for each in beside):
        raise ParameterError(f"{path} exists and may still be needed; choose another name")
    try:
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        yield partial
        _sync(partial)
        partial.rename(path)
        _sync(path.parent)  # a name lasts when its folder is on the disk
    except OSError as error:
        raise ParameterError(f"cannot write {path}: {error.strerror}") from None
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            partial.with_name(partial.name + end).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copy(source: Path, target: Path) -> None:
    """One consistent moment of a database that others may be writing to, as one file without a log beside it."""
    try:
        with closing(sqlite3.connect(source, timeout=30)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            (verdict,) = new.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise ParameterError(f"{source} cannot be copied: {error}") from None
    if verdict != "ok":
        raise ParameterError(f"{source} is damaged: {verdict[:100]}; use another backup")


def _contents(path: Path) -> Contents:
    """What a copy holds; refuses what is no collector, or one in which nobody has ever been let in."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            counts = [
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - constants
                for table in ("staff", "people", "campaigns", "reports")
            ]
    except sqlite3.Error:
        raise ParameterError("this is not the database of a collector") from None
    if counts[0] == 0:
        raise ParameterError("this collector is empty: nobody has ever run it; is it the right file?")
    return Contents(*counts[1:])
