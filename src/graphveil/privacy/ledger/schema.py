"""The tables of a ledger file, the marks by which one is known, and how a file of an older format becomes a newer one.

Rows are only ever added: triggers stop every update, every delete, and an insert that would replace a row. Columns are
never removed and never change their meaning. A file must carry this text to the letter: to edit it needs a new FORMAT.

Format 2 adds which entry a row is a part of (format 1 said so in `what`), a keyed fingerprint of the graph, and which
data sets were declared to be of other people. Format 3 adds whether the people were listed. Format 4 adds limits that a
person raised on their own device. New files and upgraded files have the same table definitions.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x67766C67  # "gvlg" in the file header
FORMAT = 4

_TABLES = (
    """
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
)""",
    """
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
)""",
    """
CREATE INDEX spend_of_dataset ON spend (dataset, id)""",
    """
CREATE TABLE release (
    spend_id INTEGER PRIMARY KEY REFERENCES spend (id),
    json TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL
)""",
)

_SEPARATE = """
CREATE TABLE separate (        -- data sets of people of whom nobody is in another data set of this ledger
    dataset TEXT PRIMARY KEY NOT NULL REFERENCES budget (dataset),
    time TEXT NOT NULL,
    version TEXT NOT NULL
)"""

_RAISED = """
CREATE TABLE raised (          -- limits of the local model that the person on whose device this lies has raised
    id INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL REFERENCES budget (dataset),
    epsilon TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL
)"""

_NO_UPDATE = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END"""
_GUARDS = (
    _NO_UPDATE,
    """
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END""",
    """
CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
    WHEN EXISTS (SELECT 1 FROM {table} WHERE {clash})
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END""",
)

_CLASHES = {
    "budget": "dataset = NEW.dataset",
    "spend": "id = NEW.id OR request_id = NEW.request_id",
    "release": "spend_id = NEW.spend_id",
}


def _guards(table: str, clash: str) -> tuple[str, ...]:
    return tuple(guard.format(table=table, clash=clash) for guard in _GUARDS)


_FIND_PARTS = """
UPDATE spend SET part_of = CAST(substr(what, length(char(9) || 'part of entry ') + 1) AS INTEGER)
WHERE what LIKE char(9) || 'part of entry %'
"""  # so began `what` in format 1 in a row that belongs to the entry of that number; no caller can give a tab

_FIND_LISTED = """
UPDATE spend SET people = 'declared' WHERE id IN
    (SELECT spend_id FROM release WHERE json LIKE '%"the set of people is public"%')
"""  # so format 2 says in a release that the people were listed

STEPS: dict[int, tuple[str, ...]] = {  # by format: what makes one of the format before, or of nothing
    1: (
        f"PRAGMA application_id = {APPLICATION_ID}",
        *_TABLES,
        *(guard for table, clash in _CLASHES.items() for guard in _guards(table, clash)),
        "PRAGMA user_version = 1",
    ),
    2: (
        "ALTER TABLE spend ADD COLUMN part_of INTEGER REFERENCES spend (id)",
        "ALTER TABLE spend ADD COLUMN edges TEXT",  # keyed fingerprints, see `fingerprint`
        "ALTER TABLE spend ADD COLUMN graph TEXT",
        "CREATE INDEX spend_of_edges ON spend (edges)",
        "DROP TRIGGER spend_no_update",
        _FIND_PARTS,
        _NO_UPDATE.format(table="spend"),
        _SEPARATE,
        *_guards("separate", "dataset = NEW.dataset"),
        "PRAGMA user_version = 2",
    ),
    3: (
        "ALTER TABLE spend ADD COLUMN people TEXT",
        "DROP TRIGGER spend_no_update",
        _FIND_LISTED,
        _NO_UPDATE.format(table="spend"),
        "PRAGMA user_version = 3",
    ),
    4: (_RAISED, *_guards("raised", "id = NEW.id"), "PRAGMA user_version = 4"),
}


def make(connection: sqlite3.Connection, *, before: int = 0, until: int = FORMAT) -> None:
    """Bring a database of an older format, or an empty one, to a newer format; the caller holds the transaction."""
    for number in range(before + 1, until + 1):
        for statement in STEPS[number]:
            connection.execute(statement)


def format_of(connection: sqlite3.Connection) -> int | None:
    """The format of a ledger file; None if it is not one."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version) if mark == APPLICATION_ID else None


def definitions(connection: sqlite3.Connection) -> list[object]:
    """Tables, indexes and guards as text."""
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
