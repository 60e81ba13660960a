"""The tables of a ledger file, and the marks by which one is known.

Rows are only ever added: triggers stop every update, every delete, and an insert that would replace a row. Columns are
never removed and never change their meaning. A file must carry this text to the letter: to edit it needs a new FORMAT.
"""

from __future__ import annotations

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
