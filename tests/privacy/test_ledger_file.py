"""Files that are no ledger, or that cannot be used: one clear line, and nothing left behind."""

import hashlib
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest

from graphveil.errors import GraphveilError, LedgerError
from graphveil.privacy.ledger.file import LedgerFile
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.schema import FORMAT, STEPS
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Trust

TENTH = Pure(Fraction(1, 10))


def _ledger(path: Path) -> Ledger:
    ledger = Ledger.open(path, wait_seconds=0.05)
    ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(100))
    return ledger


def _refused(path: Path) -> str:
    with pytest.raises(LedgerError) as refusal:
        Ledger.open(path, wait_seconds=0.05)
    message = str(refusal.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def test_a_new_ledger_is_one_file(tmp_path: Path) -> None:
    _ledger(tmp_path / "a.ledger").spend("friends", TENTH, request_id=None, what="edges")
    assert [path.name for path in tmp_path.iterdir()] == ["a.ledger"]


def test_a_ledger_that_is_gone_is_not_begun_anew_beside_its_key(tmp_path: Path) -> None:
    """A new one would forget what was spent."""
    path = tmp_path / "a.ledger"
    _ledger(path).new_fingerprint((b"edges", b"graph", None))
    path.unlink()
    assert "restore the ledger" in _refused(path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.ledger.key"]
    (tmp_path / "a.ledger.key").unlink()
    assert not _ledger(path).entries()


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    with LedgerFile(tmp_path / "a.ledger", 1).transaction(write=False) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (3,)  # EXTRA: file, journal and folder
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.parametrize("content", [b"", b"rubbish", b"SQLite format 3\x00", bytes(range(256)) * 64])
def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.ledger"
    path.write_bytes(content)
    message = _refused(path)
    assert "not a ledger" in message
    assert ("an empty file; remove it" in message) == (content == b"")
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE spend (id INTEGER)")
    connection.close()
    before = path.read_bytes()
    assert "not a ledger" in _refused(path)
    assert path.read_bytes() == before


def test_the_format_is_not_edited_in_passing() -> None:
    digests = {number: hashlib.sha256(";".join(steps).encode()).hexdigest()[:16] for number, steps in STEPS.items()}
    assert (FORMAT, digests) == (
        4,
        {1: "11459ff1c36045f7", 2: "706dd5e36dfcfe5e", 3: "5d3affc741722daf", 4: "07eaaa60ab58c589"},
    ), "ledgers on disk carry this text: a change needs a new FORMAT"


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    _ledger(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    message = _refused(path)
    assert "format 7" in message
    assert "upgrade" in message


@pytest.mark.parametrize("keep", [1000, 4096, 20_000])
def test_a_cut_file_is_damage_not_a_fresh_budget(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    for number in range(5):
        ledger.spend("friends", TENTH, request_id=None, what="x" * 4000 + str(number))
    path.write_bytes(path.read_bytes()[:keep])
    message = _refused(path)
    assert "damaged" in message or "not a ledger" in message


def test_overwritten_pages_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    for number in range(20):
        ledger.spend("friends", TENTH, request_id=None, what="x" * 1000 + str(number))
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = os.urandom(len(content) - 4096 * 2)
    path.write_bytes(content)
    assert "damaged" in _refused(path)


def test_random_damage_never_ends_in_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    for number in range(5):
        entry = ledger.spend("friends", TENTH, request_id=f"r{number}", what="edges")
        ledger.settle(entry, '{"value": 1}')
    whole = path.read_bytes()
    noise = random.Random(4)
    refusals = []
    for _ in range(400):
        content = bytearray(whole)
        for _ in range(noise.choice([1, 4])):
            content[noise.randrange(noise.choice([100, 4096, len(content)]))] = noise.randrange(256)
        path.write_bytes(content)
        try:
            opened = Ledger.open(path, wait_seconds=0.05)
            assert len(opened.entries()) == 5
            opened.left("friends")
            opened.stored("r1")
        except GraphveilError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert not any("\n" in message for message in refusals)


def test_a_ledger_without_its_guards_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    _ledger(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER spend_no_delete")
    connection.close()
    assert "damaged" in _refused(path)


@pytest.mark.parametrize("name", ["with space", "what?mode=ro#x", "100%41", "größe'\"", "-"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    _ledger(tmp_path / name).spend("friends", TENTH, request_id=None, what="edges")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_relative_path_outlives_a_change_of_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    ledger = _ledger(Path("a.ledger"))
    monkeypatch.chdir("/")
    ledger.spend("friends", TENTH, request_id=None, what="edges")
    assert len(Ledger.open(tmp_path / "a.ledger").entries()) == 1


def test_a_folder_and_a_missing_folder(tmp_path: Path) -> None:
    assert "not a file" in _refused(tmp_path)
    assert "No such file" in _refused(tmp_path / "nowhere" / "a.ledger")
    (tmp_path / "plain").write_text("")
    assert "Not a directory" in _refused(tmp_path / "plain" / "a.ledger")


def test_a_locked_ledger_says_so_and_spends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerError, match="locked by another process"):
        ledger.spend("friends", TENTH, request_id="a", what="edges")
    other.execute("ROLLBACK")
    other.close()
    assert ledger.entries() == []


def test_reading_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    entry = ledger.spend("friends", TENTH, request_id="a", what="edges")
    ledger.settle(entry, "12")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert ledger.stored("a") == "12"
    assert ledger.entries() == [entry]
    assert [budget.name for budget in ledger.datasets()] == ["friends"]
    assert (ledger.spent("friends")[0], ledger.left("friends")[0]) == (TENTH.epsilon, 100 - TENTH.epsilon)
    writer.execute("ROLLBACK")
    writer.close()


@pytest.mark.parametrize("text", ["rubbish", "1/0", ""])
def test_a_loss_that_is_no_number_is_damage(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    with sqlite3.connect(path) as connection:
        row = (7, "friends", text, None, None, None, "edges", "now", "0.1.0", *[None] * 4)
        connection.execute(f"INSERT INTO spend VALUES ({', '.join('?' * len(row))})", row)
    connection.close()
    for look in (ledger.entries, lambda: ledger.left("friends")):
        with pytest.raises(LedgerError, match="the ledger is damaged"):
            look()


def test_a_vanished_ledger_does_not_come_back_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = _ledger(path)
    path.unlink()
    with pytest.raises(LedgerError, match="cannot be opened"):
        ledger.spend("friends", TENTH, request_id="a", what="edges")
    assert list(tmp_path.iterdir()) == []


FORK_SCRIPT = """
import os
from fractions import Fraction
from graphveil.errors import LedgerError
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.unit import EDGE, Trust

ledger = Ledger.in_memory()
ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
if not os.fork():
    try:
        ledger.left("friends")
    except LedgerError as error:
        os.write(1, str(error).encode())
    os._exit(0)
os.wait()
assert ledger.left("friends") == (1, 0)
"""


def test_a_memory_ledger_does_not_cross_a_fork() -> None:
    run = subprocess.run([sys.executable, "-c", FORK_SCRIPT], capture_output=True, text=True, check=True)
    assert "belongs to one process" in run.stdout


READ_ONLY_SCRIPT = """
import os, sys
from fractions import Fraction
from graphveil.errors import LedgerError
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Trust

rehearsal = Ledger.in_memory()  # whatever is imported late is imported before the rights are dropped
rehearsal.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
rehearsal.spend("friends", Pure(Fraction(1)), request_id=None, what="edges")
Ledger.open(sys.argv[1]).left("friends")
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
ledger = Ledger.open(sys.argv[1])
print(ledger.left("friends")[0])
for attempt in (
    lambda: ledger.spend("friends", Pure(Fraction(1)), request_id=None, what="edges"),
    lambda: Ledger.open(sys.argv[2]),
):
    try:
        attempt()
    except LedgerError as error:
        print(error)
"""


def test_a_ledger_without_write_access_can_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder = Path(name)
        path = folder / "a.ledger"
        _ledger(path)
        path.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY_SCRIPT, path, folder / "new.ledger"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        folder.chmod(0o755)
        assert [entry.name for entry in folder.iterdir()] == ["a.ledger"]
    left, spend, create = run.stdout.splitlines()
    assert left == "100"
    assert "cannot be written" in spend
    assert "Permission denied" in create
