"""The file under a ledger: making it, opening it, transactions on it, and one clear line for whatever goes wrong.

Durability. The rollback journal with synchronous=EXTRA: a commit returns when the file, and the removal of its journal
from the directory, are on disk; so neither a kill nor a power cut can undo a spend that was reported. A write-ahead log
would be faster, but part of the ledger would then live in a second file, which is lost when somebody copies the first.

Processes. A writer takes the lock before it reads the sums (BEGIN IMMEDIATE), so no two see the same remainder. Every
operation has its own connection: nothing is shared between threads or carried across a fork.

Creation. A new ledger is completed under another name and then linked to its own, which fails if the name exists: a
file that is found is whole, and an empty or cut file is damage, never a fresh budget.

Upgrades. A file of an older format is brought to this one in place and in one transaction, when it is opened. So a
crash leaves the old file, and a process of an older version that has the file open meets a row of another shape and
spends nothing. A copy that takes the place of the old file would not do: that process would write to the file that is
gone, and what it spent would be forgotten.
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
from graphveil.privacy.ledger.fingerprint import key_path
from graphveil.privacy.ledger.schema import FORMAT, definitions, format_of, make

DAMAGED = "is damaged; restore it from a backup"
_REASONS = {
    "SQLITE_BUSY": "is locked by another process; try again when that one is done",
    "SQLITE_NOTADB": "is not a ledger",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_READONLY": "cannot be written; check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "cannot be opened; check that it exists, and the permissions of the file and its folder",
    "SQLITE_PERM": "cannot be opened; check the permissions of the file and its folder",
    "SQLITE_FULL": "cannot grow, the disk is full",
    "SQLITE_IOERR": "cannot be read or written; check the disk",
}


def what_is_wrong(error: Exception) -> str:
    """What an error of SQLite says about its file; damage to a name comes as a UnicodeDecodeError."""
    name = getattr(error, "sqlite_errorname", None) or ""
    return next((text for prefix, text in _REASONS.items() if name.startswith(prefix)), DAMAGED)


class LedgerFile:
    """A ledger in one SQLite file, safe between processes and across crashes."""

    def __init__(self, path: Path, wait_seconds: float) -> None:
        self._path = path.absolute()
        self._wait_seconds = wait_seconds
        with self._clear_errors():
            if not self._path.exists():
                _refuse_orphan(self._path)
                _create(self._path)
            if not self._path.is_file():
                raise LedgerError(f"{self._path} is not a file; give the name of a ledger file")
            with self.transaction(write=False) as connection:
                found = _check(connection, self._path)
            if found < FORMAT:
                with self.transaction(write=True) as connection:
                    make(connection, before=_check(connection, self._path))  # another process may have been first

    @property
    def path(self) -> Path:
        """Where the file is, whatever the current folder is now."""
        return self._path

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
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise LedgerError(f"the ledger {self._path} {what_is_wrong(error)}") from error
        except OSError as error:
            raise LedgerError(f"the ledger {self._path} cannot be opened: {error.strerror or error}") from error


class LedgerMemory:
    """A ledger that lives as long as the object, for tries and for sessions nobody needs to remember."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        make(self._connection)

    @property
    def path(self) -> None:
        """None, since a ledger in memory is in no file."""
        return None

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


def _refuse_orphan(path: Path) -> None:
    """Refuse to begin a ledger where the key of one that is gone lies: a new one would forget what was spent.

    A key is made after its ledger, so the ledger is looked for last.
    """
    key = key_path(path)
    if key.exists() and not path.exists():
        raise LedgerError(
            f"the ledger {path} is gone, and its key {key.name} is there: restore the ledger, which knows what was "
            "spent; delete the key only to begin anew with other people; nothing was spent"
        )


def _create(path: Path) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(descriptor)
    unfinished = Path(name)
    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            with _transaction(connection, write=True):
                make(connection)
        with suppress(FileExistsError):  # another process was first: theirs is the ledger
            os.link(unfinished, path)
    finally:
        unfinished.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """The format of a ledger that is whole; anything else is refused."""
    found = format_of(connection)
    if found is None:
        empty = " but an empty file; remove it to start a new one" if not path.stat().st_size else ""
        raise LedgerError(f"{path} is not a ledger{empty}")
    if found > FORMAT:
        raise LedgerError(f"the ledger {path} has format {found}, this version reads up to {FORMAT}: upgrade graphveil")
    verdicts = [connection.execute(f"PRAGMA quick_check({table})").fetchone() for table in ("budget", "spend")]
    if verdicts != [("ok",)] * 2 or not found or definitions(connection) != _own_definitions(found):
        raise LedgerError(f"the ledger {path} {DAMAGED}")
    return found


@cache
def _own_definitions(number: int) -> list[object]:
    """Tables and guards of a format as they must be: a ledger without its guards could have been rewritten."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        make(connection, until=number)
        return definitions(connection)
