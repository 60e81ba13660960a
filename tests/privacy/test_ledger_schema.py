import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from graphveil.errors import BudgetExceeded, LedgerError
from graphveil.privacy.ledger import schema
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Trust

MADE_BY_0_1 = Path(__file__).with_name("ledger-0.1.sql")  # two data sets; entry 2 is a batch of three losses
EIGHTH = Pure(Fraction(1, 8))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.ledger"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(MADE_BY_0_1.read_text(encoding="utf-8"))
    return path


def rows_of(path: Path) -> dict[str, list[object]]:
    tables = {
        "budget": "*",
        "release": "*",
        "spend": "id, dataset, epsilon, delta, rho, request_id, what, time, version",
    }
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(f"SELECT {columns} FROM {name}").fetchall() for name, columns in tables.items()
        }


def test_an_older_ledger_is_upgraded_and_forgets_nothing(old: Path) -> None:
    before = rows_of(old)
    assert [len(rows) for rows in before.values()] == [2, 3, 5]
    ledger = Ledger.open(old)
    assert rows_of(old) == before
    assert [(entry.id, len(entry.losses)) for entry in ledger.entries()] == [(1, 1), (2, 3), (5, 1)]
    assert '"value": 170' in ledger.stored("monday")
    assert list(old.parent.iterdir()) == [old]
    with closing(sqlite3.connect(old)) as connection:
        assert schema.format_of(connection) == schema.FORMAT
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute("UPDATE spend SET what = ''")
    assert Ledger.open(old).entries() == ledger.entries()


def test_data_sets_that_nobody_declared_separate_count_together(old: Path) -> None:
    """0.1 gave every file name a budget of its own; a person in both files lost the sum."""
    ledger = Ledger.open(old)
    assert ledger.spent("friends-01.csv") == ledger.spent("friends-02.csv") == (Fraction(7, 8), 0)
    ledger.spend("friends-02.csv", EIGHTH, request_id=None, what="edges")
    with pytest.raises(BudgetExceeded, match="nothing more would fit"):
        ledger.spend("friends-01.csv", EIGHTH, request_id=None, what="edges")
    ledger.declare("friends-02.csv", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), separate=True)
    assert ledger.left("friends-01.csv")[0] == ledger.left("friends-02.csv")[0] - Fraction(1, 2) == Fraction(1, 4)


def test_a_process_of_an_older_version_spends_nothing_after_the_upgrade(old: Path) -> None:
    """It has opened the file, and writes a row of the shape that it knows."""
    with closing(sqlite3.connect(old, isolation_level=None)) as older:
        Ledger.open(old)
        row = ("friends-01.csv", "1/8", None, None, None, "edges", "now", "0.1.0")
        with pytest.raises(sqlite3.OperationalError, match="columns"):
            older.execute("INSERT INTO spend VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    assert len(Ledger.open(old).entries()) == 3


def test_an_upgrade_that_breaks_off_leaves_the_old_ledger(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows_of(old)
    for place in range(1, len(schema.STEPS[2])):
        with monkeypatch.context() as patch:
            patch.setitem(schema.STEPS, 2, (*schema.STEPS[2][:place], "broken off"))
            with pytest.raises(LedgerError):
                Ledger.open(old)
        with closing(sqlite3.connect(old)) as connection:
            assert schema.format_of(connection) == 1
        assert rows_of(old) == before
    assert len(Ledger.open(old).entries()) == 3


def test_an_older_ledger_without_its_guards_is_not_upgraded(old: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("DROP TRIGGER release_no_delete")
    copy = shutil.copy(old, tmp_path / "copy")
    with pytest.raises(LedgerError, match="damaged"):
        Ledger.open(old)
    assert old.read_bytes() == Path(copy).read_bytes()


def test_an_upgrade_finds_out_which_releases_had_a_list_of_people(tmp_path: Path) -> None:
    path, listed = tmp_path / "second.ledger", '{"assumes": ["the set of people is public"]}'
    with closing(sqlite3.connect(path)) as connection:
        schema.make(connection, until=2)
        connection.execute("INSERT INTO budget VALUES ('a', 'edge', 'central', '1', '0', '0', NULL, '', '')")
        for number, text in enumerate((listed, listed.replace("public", "public and equals")), 1):
            row = (number, "a", "1/8", *[None] * 3, "edges", "", "", None, f"edges {number}", f"graph {number}")
            connection.execute(f"INSERT INTO spend VALUES ({', '.join('?' * len(row))})", row)
            connection.execute("INSERT INTO release VALUES (?, ?, '', '')", (number, text))
        connection.commit()
    entries = Ledger.open(path).entries()
    assert [entry.fingerprint.people for entry in entries if entry.fingerprint] == ["declared", None]
