"""Mutation testing: break one thing at a time in a copy of the source, and see whether a test notices.

    python tools/mutate.py privacy mechanisms/noise/samplers.py --sample 15 --seed 1 --record mutants.txt

A name is a module or folder under src/graphveil; its tests are its own doctests and the test files that import it, of
the folder of the same name and of laws before others (all of that folder, if none does), quick tests first; the long
laws are left out. So are kernels: they are compiled, and the laws watch them. Every mutant is tried in a fork of one
process that has the heavy libraries loaded already. Prints the survivors (the others on stderr), then the score of each
folder. What a record says was caught is not tried again: a run can be broken off, and repeated for the survivors once
there are tests for them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from mutants import mutants

ROOT = Path(__file__).parent.parent
HEAVY = ("numba", "numpy", "scipy.stats", "pytest", "hypothesis", "schemathesis", "dp_accounting", "opendp", "polars")
SECONDS = 40  # of processor time for one mutant; one that needs more is counted as caught: it hangs
TIMES = "times.json"


class Mutant(NamedTuple):
    """A module with one thing changed."""

    path: Path
    told: str
    text: str


class QuickFirst:
    """Runs tests by the time they took before any mutant; the first run writes it down."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[str, float] = json.loads(file.read_text()) if file.is_file() else {}
        self.spent = Counter[str]()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """The quickest first."""
        items.sort(key=lambda item: self.known.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Preparing, running and clearing up count."""
        self.spent[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Once, before any mutant."""
        if not self.known:
            self.file.write_text(json.dumps(self.spent))


def caught(folder: Path, tests: list[str]) -> bool:
    """Whether a test fails, in a fork of this process."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = run_tests(folder, tests)
        except BaseException:  # noqa: BLE001 - told where it is looked for
            traceback.print_exc()
        finally:
            os._exit(status)  # nothing of the parent's may be cleaned up here
    _, status = os.waitpid(pid, 0)
    return status != 0


def run_tests(folder: Path, tests: list[str]) -> int:
    quiet = os.open(os.environ.get("MUTATE_LOG", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    order = QuickFirst(folder / TIMES)
    if order.known:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    import pytest

    options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not laws"]
    status = pytest.main([*options, *tests], plugins=[order])
    sys.stdout.flush()
    return int(status)


def tests_of(folder: Path, path: Path) -> list[str]:
    """The module's own doctests, and the tests that import it; else those of its folder."""
    *parents, name = path.relative_to(folder / "src").with_suffix("").parts
    parent = re.escape(".".join(parents))
    imports = re.compile(rf"from {parent}\.{name} import|from {parent} import .*\b{name}\b")
    every = sorted((folder / "tests").rglob("test_*.py"))
    importing = [test for test in every if imports.search(test.read_text(encoding="utf-8"))]
    own = [test for test in importing if test.parent.name in (path.parent.name, "laws")]
    nearest = own or importing or [test for test in every if test.parent.name == path.parent.name]
    return [str(test.relative_to(folder)) for test in (path, *nearest)]


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="+", help="modules or folders under src/graphveil")
    asked.add_argument("--sample", type=int, default=10, help="mutants of each module")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--minutes", type=float, default=10, help="stop after so many, beyond the first run")
    asked.add_argument("--tests", nargs="*", default=[], help="further tests, such as tests/release/test_session.py")
    asked.add_argument("--record", type=Path, help="file of what was caught, read and added to")
    return asked.parse_args()


def copy_to(folder: Path) -> Path:
    """What tests need; returns the copy's package."""
    for name in ("src", "tests", "pyproject.toml", "docs", "README.md"):
        place = ROOT / name
        (shutil.copytree if place.is_dir() else shutil.copy)(place, folder / name)
    return folder / "src" / "graphveil"


def choose(source: Path, names: list[str], sample: int, seed: int) -> list[Mutant]:
    """So many mutants of every module, in an order in which all modules have had a share whenever time runs out."""
    chosen, told = [], Counter[str]()
    for path in (path for name in names for path in modules(source / name)):
        every = []
        for line, what, text in mutants(path.read_text("utf-8")):
            place = f"{path.relative_to(source)}:{line}  {what}"
            told[place] += 1
            every.append(Mutant(path, place + (f"  ({told[place]})" if told[place] > 1 else ""), text))
        chosen += random.Random(seed).sample(every, min(sample, len(every)))
    random.Random(seed).shuffle(chosen)
    return chosen


def modules(place: Path) -> list[Path]:
    return sorted(place.glob("*.py")) if place.is_dir() else [place]


def main() -> None:
    given = arguments()
    for library in HEAVY:
        import_module(library)  # once, before any fork
    known = set(given.record.read_text().splitlines()) if given.record and given.record.is_file() else set()
    score = Counter[tuple[str, bool]]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = copy_to(folder)
        chosen = choose(source, given.names, given.sample, given.seed)
        tests = {test for path in {mutant.path for mutant in chosen} for test in tests_of(folder, path)}
        if caught(folder, sorted(tests | set(given.tests))):
            sys.exit("the tests fail without any mutant; MUTATE_LOG=FILE keeps what they say")
        end = time.monotonic() + 60 * given.minutes
        for mutant in chosen:
            found = mutant.told in known
            if not found:
                if time.monotonic() > end:
                    break
                original = mutant.path.read_text("utf-8")
                mutant.path.write_text(mutant.text, "utf-8")
                found = caught(folder, [*tests_of(folder, mutant.path), *given.tests])
                mutant.path.write_text(original, "utf-8")
                tell(mutant.told, found=found, record=given.record)
            score[mutant.path.relative_to(source).parts[0], found] += 1
    for group in sorted({group for group, _ in score}):
        total = score[group, True] + score[group, False]
        print(f"{group}: {score[group, True]} of {total} mutants caught ({100 * score[group, True] / total:.0f} %)")


def tell(what: str, *, found: bool, record: Path | None) -> None:
    print(f"{'caught' if found else 'survived':9} {what}", file=sys.stderr if found else sys.stdout, flush=True)
    if found and record:
        with record.open("a") as lines:
            lines.write(what + "\n")


if __name__ == "__main__":
    main()
