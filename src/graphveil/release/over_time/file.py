"""The file of a stream: its terms, who is who, every pair ever connected, and what was published period by period.

It is as secret as the graph, so only its owner can read it. It is one SQLite file; a period is *sealed* in one
transaction (its edges are in the pair table, under a random mark) before anything is drawn, and *finished* in another,
when what was published is on record in the ledger.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from graphveil.errors import GraphveilError, ParameterError
from graphveil.graph.core import Graph
from graphveil.privacy.ledger.file import DAMAGED, what_is_wrong
from graphveil.privacy.ledger.rules import check_line
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import StreamSpec

FORMAT = 3
_TABLES = """
CREATE TABLE stream (format INTEGER, spec TEXT, ledger TEXT, pairs BLOB);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE period (
    step INTEGER PRIMARY KEY, label TEXT UNIQUE NOT NULL, origin TEXT, digest BLOB,
    mark TEXT NOT NULL, people INTEGER NOT NULL, exact TEXT NOT NULL, document TEXT
);
"""


@dataclass(frozen=True, slots=True)
class Period:
    """One period: `exact` holds the counts by query, which are private; `document` what was published, once it was."""

    step: int
    label: str
    origin: str
    digest: bytes
    mark: str
    people: int  # named in this period or in one before
    exact: dict[str, list[int]]
    document: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """By what a period is known again: its public name, or else the graph and the place it was read from."""

    digest: bytes
    period: str | None
    origin: str
    source: str | None

    def found(self, periods: Sequence[Period]) -> Period | None:
        """The period that is meant, if it was begun before; None if it is the next one."""
        if self.period is not None:
            check_line(self.period, "the name of a period")
            found = next((known for known in periods if known.label == self.period), None)
        else:
            mine = (self.origin, self.digest)
            found = next((known for known in periods if (known.origin, known.digest) == mine), None)
        begun = next((known for known in periods if known.document is None), None)
        if begun is not None and begun != found:
            if self.period is not None or begun.origin != self.origin:
                raise ParameterError(
                    f"period {begun.label!r} was begun and not finished: repeat it first (period={begun.label!r}, "
                    f"--period {begun.label!r}); nothing was drawn"
                )
            found = begun
        return found


class StreamFile:
    """A stream on disk; every operation has its own connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise ParameterError(f"{path}: there is no such stream; `graphveil stream open` makes one")
        try:
            with closing(_connect(path)) as connection:
                (found, self._spec, self.ledger) = connection.execute(
                    "SELECT format, spec, ledger FROM stream"
                ).fetchone()
        except (sqlite3.DatabaseError, TypeError, ValueError):
            raise ParameterError(f"{path}: this is not the file of a stream, or it is damaged") from None
        if found != FORMAT:
            raise ParameterError(f"{path}: the stream has format {found}; this version reads {FORMAT}")

    @classmethod
    def create(cls, path: Path, spec: StreamSpec, ledger: Path) -> StreamFile:
        """A new file that only its owner can read; one that exists is never replaced."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise ParameterError(f"{path}: there is a file of this name; a stream is opened once") from None
        except OSError as error:
            raise ParameterError(f"{path}: the stream cannot be written there: {error.strerror}") from None
        with closing(_connect(path)) as connection:
            connection.executescript(f"BEGIN; {_TABLES}")
            values = (FORMAT, json.dumps(spec.to_json()), str(ledger.resolve()), PairTable.empty().to_bytes())
            connection.execute("INSERT INTO stream VALUES (?, ?, ?, ?)", values)
            connection.execute("COMMIT")
        return cls(path)

    @property
    def spec(self) -> StreamSpec:
        """The terms of the stream."""
        with self.clear_errors():
            return StreamSpec.from_json(json.loads(self._spec))

    def extend(self, spec: StreamSpec) -> None:
        """Put a longer horizon on record, which was paid for."""
        self._spec = json.dumps(spec.to_json())
        with self.transaction(write=True) as connection:
            connection.execute("UPDATE stream SET spec = ?", (self._spec,))

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """All of what happens inside, or nothing; a writer waits for others."""
        with self.clear_errors(), closing(_connect(self.path)) as connection:
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Say in one line what is wrong with the file where what it holds cannot be read."""
        try:
            yield
        except GraphveilError:
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise ParameterError(f"the stream {self.path} {what_is_wrong(error)}") from error
        except (ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
            raise ParameterError(f"the stream {self.path} {DAMAGED}") from error

    def periods(self) -> list[Period]:
        """Return all periods in the order of their publication."""
        with self.transaction(write=False) as connection:
            return find_periods(connection)

    def new_edges(self, period: Period) -> Graph:
        """The graph of the friendships first seen in a period, among everybody who was ever named."""
        with self.transaction(write=False) as connection:
            pairs = read_pairs(connection)
            names = people_by_number(connection)
        ends = pairs.ends[pairs.since == period.step]
        labels = np.array(names, dtype=np.str_)
        return Graph.from_edges(ends, n_nodes=len(names), labels=labels, roster_declared=True)

    def finish(self, period: Period, document: str) -> None:
        """Keep what was published for a period."""
        with self.transaction(write=True) as connection:
            connection.execute("UPDATE period SET document = ? WHERE step = ?", (document, period.step))


def seal(connection: sqlite3.Connection, period: Period, pairs: PairTable) -> None:
    """Put a period and the pair table after it on record."""
    connection.execute(
        "INSERT INTO period VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
        (period.step, period.label, period.origin, period.digest, period.mark, period.people, json.dumps(period.exact)),
    )
    connection.execute("UPDATE stream SET pairs = ?", (pairs.to_bytes(),))


def read_pairs(connection: sqlite3.Connection) -> PairTable:
    """Return the table of every pair that was ever connected."""
    return PairTable.from_bytes(connection.execute("SELECT pairs FROM stream").fetchone()[0])


def number_people(connection: sqlite3.Connection, names: Sequence[Any]) -> list[int]:
    """The numbers of these people, who keep them; new ones get the next, in the order of their names."""
    known = dict(connection.execute("SELECT name, id FROM person"))
    fresh = sorted({str(name) for name in names} - known.keys())
    numbered = {name: len(known) + place for place, name in enumerate(fresh)}
    connection.executemany("INSERT INTO person (name, id) VALUES (?, ?)", numbered.items())
    known |= numbered
    return [known[str(name)] for name in names]


def people_by_number(connection: sqlite3.Connection) -> list[str]:
    """Everybody who was ever named in the stream."""
    return [name for (name,) in connection.execute("SELECT name FROM person ORDER BY id")]


def find_periods(connection: sqlite3.Connection) -> list[Period]:
    """All periods in order, inside a transaction."""
    return [
        Period(step, label, origin or "", digest or b"", mark, people, json.loads(exact), document)
        for step, label, origin, digest, mark, people, exact, document in connection.execute(
            "SELECT * FROM period ORDER BY step"
        )
    ]


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    connection.execute("PRAGMA synchronous = EXTRA")
    return connection
