"""Several processes on one ledger, and processes that are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Trust

# One interpreter that forks a worker for every line it reads: a kill then costs milliseconds, not an interpreter start.
NURSERY = """
import json, os, signal, sqlite3, sys
from fractions import Fraction
from graphveil.errors import BudgetExceeded
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Trust

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def race(path, dataset, request_id):
    try:
        ledger = Ledger.open(path)
        ledger.declare(dataset, unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), separate=True)
        entry = ledger.spend(dataset, Pure(Fraction(3, 5)), request_id=request_id or None, what="race")
        say("got", ledger.settle(entry, json.dumps(os.urandom(8).hex())))
    except BudgetExceeded:
        say("refused")

def loop(path):
    ledger = Ledger.open(path)
    while True:
        request = os.urandom(8).hex()
        try:
            entry = ledger.spend("friends", Pure(Fraction(1, 50)), request_id=request, what="loop")
        except BudgetExceeded:
            say("refused")
            signal.pause()  # until killed
        value = int.from_bytes(os.urandom(4), "big")  # the draw
        say("value", request, ledger.settle(entry, json.dumps({"request": request, "value": value})))

def crash(path, steps):
    ledger = Ledger.open(path)
    remaining = int(steps)

    class Doomed(sqlite3.Connection):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.set_progress_handler(self.step, 1)  # called after every instruction of the database

        def step(self):
            nonlocal remaining
            remaining -= 1
            if not remaining:
                os.kill(os.getpid(), signal.SIGKILL)
            return 0

    plain = sqlite3.connect
    sqlite3.connect = lambda *arguments, **options: plain(*arguments, factory=Doomed, **options)
    entry = ledger.spend("friends", Pure(Fraction(1)), request_id="one", what="crash")
    say("spent")
    say("value", ledger.settle(entry, json.dumps(os.urandom(8).hex())))

for line in sys.stdin:
    worker = os.fork()
    if not worker:
        try:
            job, *arguments = json.loads(line)
            globals()[job](*arguments)
        except BaseException as error:
            say("error", type(error).__name__)
        os._exit(0)
    say("born", worker)
    os.waitpid(worker, 0)
    say("dead")
"""


class Nursery:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._said: list[str] = []

    def begin(self, *job: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()

    def kill(self, *, after_first_word: bool) -> None:
        (pid,) = self._until("born")
        if after_first_word and len(self._said) == 0:
            assert self._process.stdout is not None
            self._said.append(self._process.stdout.readline().strip())
        os.kill(int(pid), signal.SIGKILL)

    def words(self) -> list[list[str]]:
        """What the worker said, once it is dead."""
        self._until("dead")
        said, self._said = self._said, []
        return [line.split(" ", 2) for line in said if not line.startswith("born ")]

    def close(self) -> None:
        self._process.communicate()

    def _until(self, word: str) -> list[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            first, *rest = line.split()
            if first == word:
                return rest
            self._said.append(line.strip())
        raise AssertionError(f"the nursery ended before {word}")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a folder: a kill loses nothing the system has taken, and no disk is waited for."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


@pytest.fixture
def nurseries() -> Iterator[tuple[Nursery, Nursery]]:
    pair = Nursery(), Nursery()
    yield pair
    for nursery in pair:
        nursery.close()


def _race(nurseries: tuple[Nursery, Nursery], *job: object) -> list[list[str]]:
    for nursery in nurseries:
        nursery.begin("race", *job)
    return [words for nursery in nurseries for words in nursery.words()]


def test_of_two_processes_racing_for_the_last_of_a_budget_one_gets_it(folder: Path, nurseries) -> None:
    path = folder / "a.ledger"
    for number in range(20):
        outcomes = _race(nurseries, str(path), f"d{number}", "")
        assert sorted(words[0] for words in outcomes) == ["got", "refused"]
        assert Ledger.open(path).spent(f"d{number}") == (Fraction(3, 5), 0)


def test_under_one_request_id_one_value_leaves_and_is_paid_once(folder: Path, nurseries) -> None:
    path = folder / "a.ledger"
    for number in range(12):
        first, second = _race(nurseries, str(path), f"d{number}", f"shared {number}")
        assert first == second
        assert first[0] == "got"
        assert len(Ledger.open(path).entries(f"d{number}")) == 1


def test_a_ledger_created_by_two_processes_at_once_is_one_ledger(folder: Path, nurseries) -> None:
    for number in range(12):
        fresh = folder / str(number)
        fresh.mkdir()
        outcomes = _race(nurseries, str(fresh / "a.ledger"), "d", "")
        assert sorted(words[0] for words in outcomes) == ["got", "refused"]
        assert [path.name for path in fresh.iterdir()] == ["a.ledger"]


def test_killed_processes_lose_budget_at_most(folder: Path, nurseries) -> None:
    """kill -9 at random points of spend, draw, settle, two at a time; every printed value is on record."""
    path = folder / "a.ledger"
    ledger = Ledger.open(path)
    ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(4))
    clock = random.Random(20)
    printed: dict[str, str] = {}
    for trial in range(30):
        for nursery in nurseries:
            nursery.begin("loop", str(path))
        time.sleep(clock.uniform(0, 0.01))
        for nursery in nurseries:
            nursery.kill(after_first_word=trial % 2 == 0)
        for kind, *rest in [words for nursery in nurseries for words in nursery.words()]:
            assert kind in ("value", "refused")
            printed |= [rest] if rest else []
        entries = {entry.request_id: entry for entry in Ledger.open(path).entries()}
        assert printed.keys() <= entries.keys()
        assert sum(entry.losses[0].epsilon for entry in entries.values() if isinstance(entry.losses[0], Pure)) <= 4
    assert printed, "no worker lived long enough to release anything"
    assert all(ledger.stored(request) == release for request, release in printed.items())
    for entry in ledger.entries():
        if not entry.settled:  # whoever repeats a lost request pays nothing more
            again = ledger.spend("friends", entry.losses[0], request_id=entry.request_id, what=entry.what)
            assert again == entry
            assert ledger.settle(again, '{"value": 1}') == '{"value": 1}'
    assert ledger.spent("friends")[0] == Fraction(len(ledger.entries()), 50)


def test_a_kill_at_any_step_of_the_database_leaves_all_or_nothing(folder: Path, nurseries) -> None:
    """The worker dies after 1, 10, 19 and so on instructions of the database, until one survives."""
    seen = set()
    for number in range(200):
        path = folder / f"{number}.ledger"
        ledger = Ledger.open(path)
        ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
        nurseries[0].begin("crash", str(path), 1 + 9 * number)
        said = {words[0] for words in nurseries[0].words()}
        entries = Ledger.open(path).entries()
        assert len(entries) in ((1,) if "spent" in said else (0, 1))
        assert ledger.left("friends")[0] == 1 - len(entries)
        if "value" in said:
            assert entries[0].settled
            break
        seen.add((len(entries), any(entry.settled for entry in entries)))
    else:
        raise AssertionError("no worker survived")
    assert {(0, False), (1, False)} <= seen
