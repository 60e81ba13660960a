"""The file under a ledger: making it, opening it, transactions on it, and one clear line for whatever goes wrong.

Durability. The rollback journal with synchronous=EXTRA: a commit returns when the file, and the removal of its journal
from the directory, are on disk; so neither a kill nor a power cut can undo a spend that was reported. A write-ahead log
would be faster, but part of the ledger would then live in a second file, which is lost when somebody copies the first.

Processes. A writer takes the lock before it reads the sums (BEGIN IMMEDIATE), so no two see the same remainder. Every
operation has its own connection: nothing is shared between threads or carried across a fork.

Creation. A new ledger is completed under another name and then linked to its own, which fails if the name exists: a
file that is found is whole, and an empty or cut file is damage, never a fresh budget.

The tables of a ledger file, and the marks by which one is known.

Rows are only ever added: triggers stop every update, every delete, and an insert that would replace a row. Columns are
never removed and never change their meaning. A file must carry this text to the letter: to edit it needs a new FORMAT.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from graphveil.errors import LedgerError

APPLICATION_ID = 0x67766C67  # "gvlg" in the file header
FORMAT = 1

_TABLES = """
CREATE TABLE budget (
    dataset TEXT PRIMARY KEY NOT NULL,
    unit TEXT NOT NULL,
    trust TEXT NOT NULL,
    epsilon TEXT NOT NULL,     -- exact fractions, as text
    delta TEXT NOT NULL,
    tail_delta TEXT NOT NULL,
    rho TEXT,                  -- fixed with the declaration, so that no later version moves it
    time TEXT NOT NULL,        -- UTC
    version TEXT NOT NULL      -- of the package that wrote the row
);
CREATE TABLE spend (
    id INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL REFERENCES budget (dataset),
    epsilon TEXT,              -- pure: epsilon; approximate: epsilon and delta; zCDP: rho
    delta TEXT,
    rho TEXT,
    request_id TEXT UNIQUE,
    what TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL,
    CHECK ((rho IS NULL) <> (epsilon IS NULL) AND (delta IS NULL OR rho IS NULL))
);
CREATE INDEX spend_of_dataset ON spend (dataset, id);
CREATE TABLE release (
    spend_id INTEGER PRIMARY KEY REFERENCES spend (id),
    json TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL
);
"""

_GUARDS = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
    WHEN EXISTS (SELECT 1 FROM {table} WHERE {clash})
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
"""

_CLASHES = {
    "budget": "dataset = NEW.dataset",
    "spend": "id = NEW.id OR request_id = NEW.request_id",
    "release": "spend_id = NEW.spend_id",
}

SCHEMA = (
    f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
    + _TABLES
    + "".join(_GUARDS.format(table=table, clash=clash) for table, clash in _CLASHES.items())
    + "COMMIT;"
)


_DAMAGED = "is damaged; restore it from a backup"
_REASONS = {
    "SQLITE_BUSY": "is locked by another process; try again when that one is done",
    "SQLITE_NOTADB": "is not a ledger",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_READONLY": "cannot be written; check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "cannot be opened; check that it exists, and the permissions of the file and its folder",
    "SQLITE_PERM": "cannot be opened; check the permissions of the file and its folder",
    "SQLITE_FULL": "cannot grow, the disk is full",
    "SQLITE_IOERR": "cannot be read or written; check the disk",
}


class LedgerFile:
    """A ledger in one SQLite file, safe between processes and across crashes."""

    def __init__(self, path: Path, wait_seconds: float) -> None:
        self._path = path.absolute()
        self._wait_seconds = wait_seconds
        with self._clear_errors():
            if not self._path.exists():
                _create(self._path)
            if not self._path.is_file():
                raise LedgerError(f"{self._path} is not a file; give the name of a ledger file")
            with self.transaction(write=False) as connection:
                _check(connection, self._path)

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """All or nothing; when a writing one is left without error, its changes are on disk."""
        with self._clear_errors(), closing(self._connect()) as connection, _transaction(connection, write=write):
            yield connection

    def _connect(self) -> sqlite3.Connection:
        # mode=rw never creates: a ledger that vanished must not come back empty
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw", uri=True, timeout=self._wait_seconds, isolation_level=None
        )
        connection.executescript("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON;")
        return connection

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", None) or ""
            reason = next((text for prefix, text in _REASONS.items() if name.startswith(prefix)), _DAMAGED)
            raise LedgerError(f"the ledger {self._path} {reason}") from error
        except UnicodeDecodeError as error:  # how sqlite3 fails to report damage to a name
            raise LedgerError(f"the ledger {self._path} {_DAMAGED}") from error
        except OSError as error:
            raise LedgerError(f"the ledger {self._path} cannot be opened: {error.strerror or error}") from error


class LedgerMemory:
    """A ledger that lives as long as the object, for tries and for sessions nobody needs to remember."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._connection.executescript(SCHEMA)

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """Run a transaction that is committed whole or rolled back."""
        if self._process != os.getpid():  # a copy in a forked child would let the budget be spent twice
            raise LedgerError("a ledger in memory belongs to one process; open a ledger file to share a budget")
        with self._lock, _transaction(self._connection, write=write):
            yield self._connection


@contextmanager
def _transaction(connection: sqlite3.Connection, *, write: bool) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _create(path: Path) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(descriptor)
    unfinished = Path(name)
    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.executescript(SCHEMA)
        with suppress(FileExistsError):  # another process was first: theirs is the ledger
            os.link(unfinished, path)
    finally:
        unfinished.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if mark != APPLICATION_ID:
        empty = " but an empty file; remove it to start a new one" if not path.stat().st_size else ""
        raise LedgerError(f"{path} is not a ledger{empty}")
    if version > FORMAT:
        raise LedgerError(
            f"the ledger {path} has format {version}, this version reads up to {FORMAT}: upgrade graphveil"
        )
    verdicts = [connection.execute(f"PRAGMA quick_check({table})").fetchone() for table in ("budget", "spend")]
    if verdicts != [("ok",)] * 2 or _definitions(connection) != _own_definitions():
        raise LedgerError(f"the ledger {path} {_DAMAGED}")


def _definitions(connection: sqlite3.Connection) -> list[object]:
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _own_definitions() -> list[object]:
    """Tables and guards as they must be: a ledger without its guards could have been rewritten."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(SCHEMA)
        return _definitions(connection)
