"""The database under the collector: SQLite in one file, or PostgreSQL; transactions, migrations, bulk writing.

A transaction that writes is alone with what it writes: SQLite has one writer at a time (BEGIN IMMEDIATE), and on
PostgreSQL whoever changes a campaign locks its row first (`campaigns.lock`). So what was read before writing still
holds when it is written, with any number of threads and servers.

Durability. SQLite: write-ahead log with synchronous=FULL, a commit returns when it is on disk. PostgreSQL: its default.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, Table, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as DatabaseTimeout

from graphveil.errors import ParameterError
from graphveil.service.store.conditions import Whole, written

_MIGRATION_LOCK = 7_301_946  # any number: servers starting together on one PostgreSQL migrate one after the other
_PATIENCE = 30  # seconds to wait for another writer, in this process and again for one in another
_DISK_FULL_POSTGRESQL = "53100"
_WAIT = f"busy_timeout={1000 * _PATIENCE}"
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", _WAIT, "foreign_keys=ON", "secure_delete=ON")


class DiskFull(SQLAlchemyError):
    """The database has no room left; nothing of the transaction was stored."""


class Database:
    """Connections to one database, SQLite or PostgreSQL."""

    is_full = False  # whether the last transaction that wrote found no room

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writer = self.engine.execution_options(begin="BEGIN IMMEDIATE")
        # SQLite's own queue is to ask again after a few milliseconds; threads of one server have a better one.
        self._turn = Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that reads one consistent view of the database."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """All or nothing, durable when it ends without an error."""
        try:
            with self._in_turn() if self.is_sqlite else nullcontext(), self._writer.begin() as connection:
                yield connection
        except DBAPIError as error:
            if _lacks_room(error):
                self.is_full = True
                raise DiskFull("the disk of the database is full") from None
            raise
        self.is_full = False

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=_PATIENCE):
            raise DatabaseTimeout("another writer takes too long")
        try:
            yield
        finally:
            self._turn.release()

    def migrate(self) -> None:
        """Bring the tables up to what this program expects."""
        with self.write() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            config = Config()
            config.set_main_option("script_location", str(Path(__file__).parents[1] / "migrations"))
            config.set_main_option("path_separator", "os")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @staticmethod
    def fetch(connection: Connection, sql: str, *whole: Whole) -> list[tuple[Any, ...]]:
        """Rows of a statement whose blanks are whole numbers or conditions on them: the quick way to ask for thousands.

        Numbers are written into the statement, which is safe because they are nothing but numbers.
        """
        is_sqlite = connection.dialect.name == "sqlite"
        with raw_cursor(connection, **({} if is_sqlite else {"binary": True})) as cursor:
            cursor.execute(sql.format(*(written(each, is_sqlite=is_sqlite) for each in whole)))
            return list(cursor.fetchall()) if cursor.description else []

    def append(self, connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Any]) -> None:
        """Many new rows at once, by the quickest way the database has."""
        if not rows:
            return
        names = ", ".join(columns)
        if self.is_sqlite:
            marks = ", ".join("?" for _ in columns)
            with raw_cursor(connection) as cursor:
                cursor.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)  # noqa: S608
            return
        with raw_cursor(connection) as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def checkpoint(self) -> bool:
        """Move what SQLite's write-ahead log holds into the file itself, so that the file alone is all there is.

        Others may be reading; then as much is moved as can be, and the next checkpoint moves the rest. Says whether
        all was moved; PostgreSQL looks after its own log.
        """
        if self.is_sqlite:
            with suppress(SQLAlchemyError), self._in_turn(), self.engine.connect() as connection:
                _, ((is_busy, *_), *_), _ = _run_pragmas(
                    connection, "busy_timeout=1000", "wal_checkpoint(TRUNCATE)", _WAIT
                )
                return not is_busy
        return not self.is_sqlite

    def close(self) -> None:
        """Close all connections; the database can be opened again, and a SQLite file holds everything."""
        self.checkpoint()
        self.engine.dispose()


def _lacks_room(error: DBAPIError) -> bool:
    """Whether a database failed because its disk is full."""
    if getattr(error.orig, "sqlstate", None) == _DISK_FULL_POSTGRESQL:
        return True
    return getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def _run_pragmas(connection: Connection, *pragmas: str) -> list[list[tuple[Any, ...]]]:
    with raw_cursor(connection) as cursor:
        return [cursor.execute(f"PRAGMA {pragma}").fetchall() for pragma in pragmas]


@contextmanager
def raw_cursor(connection: Connection, **options: Any) -> Iterator[Any]:
    """The driver's own cursor, several times as fast; its errors are those of SQLAlchemy, without any parameters."""
    failure: type[Exception] = connection.dialect.loaded_dbapi.Error
    try:
        with closing(connection.connection.cursor(**options)) as cursor:
            yield cursor
    except failure as error:
        raise DBAPIError.instance(None, None, error, failure) from None


def _engine(address: str) -> Engine:
    """An address is a URL, or the path of a SQLite file."""
    try:
        url = make_url(address if "://" in address else f"sqlite:///{address}")
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        # The connection used last is used next: a backend that has seen its pages works several times as fast.
        kept = {} if url.get_backend_name() == "sqlite" else {"pool_pre_ping": True, "pool_use_lifo": True}
        engine = create_engine(url, **kept)
    except (ArgumentError, SQLAlchemyError, ImportError):
        raise ParameterError("the database must be a file or postgresql://user@host/name") from None
    if engine.dialect.name == "sqlite":
        _make_private(url.database or "")
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "connect", _teach)
    else:
        raise ParameterError(f"the database must be SQLite or PostgreSQL, not {engine.dialect.name}")
    return engine


def _make_private(path: str) -> None:
    """A new file is its owner's alone, and so are those that SQLite puts beside it; SQLite says what is wrong."""
    if path not in ("", ":memory:"):
        with suppress(OSError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, not where the driver guesses
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _teach(connection: Any, _: object) -> None:
    from graphveil.service.store.arrays import ArrayDumper

    connection.adapters.register_dumper(np.ndarray, ArrayDumper)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))
