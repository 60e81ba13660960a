"""Check every proof in proofs/ with Coq, and record what was proved in proofs/checked.json.

`make proofs` runs this. It compiles the files in the order of _CoqProject, asks Coq what each theorem rests on, and
refuses any axiom and any gap. For each theorem the record holds its statement, and the constants that the statement
names. All constants stand in it as Coq computes them: a number, or the values of a function at 1, 2, ..., 6. Tests
compare them with the code. proofs/README.md lists all theorems in words; the list is written here too.
`--compare` writes nothing and fails where the record says something else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROOFS = ROOT / "proofs"
RECORD = PROOFS / "checked.json"
README = PROOFS / "README.md"
LISTED = "## The theorems in order"
LIBRARY = "Graphveil"
GAPS = r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|bypass_check)\b"
CLOSED = "Closed under the global context"
THEOREM = r"^Theorem (?P<name>\w+)(?P<statement>.*?)\.\nProof\."
CONSTANT = r"^Definition (?P<name>\w+_constant)(?P<arguments>.*?) :="
POINTS = 6
LIMIT = 600  # seconds for one file


def sources() -> list[Path]:
    """The files of the proofs, each after those it needs."""
    words = (PROOFS / "_CoqProject").read_text(encoding="utf-8").split()
    return [PROOFS / word for word in words if word.endswith(".v")]


def digest(paths: list[Path]) -> str:
    """One hash of all sources but for comments, by which a test sees that the record is the one of these files."""
    texts = (" ".join(bare(path.read_text(encoding="utf-8")).split()) for path in paths)
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def bare(text: str) -> str:
    """A source without its comments."""
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def theorems(path: Path) -> dict[str, str]:
    """Name and statement, as written, of every theorem of a file."""
    found = re.finditer(THEOREM, bare(path.read_text(encoding="utf-8")), flags=re.DOTALL | re.MULTILINE)
    return {match["name"]: " ".join(match["statement"].split()) for match in found}


def words(name: str, file: str) -> str:
    """The last comment before a theorem, which says it in words."""
    before = re.split(rf"^Theorem {name}\b", (PROOFS / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    return " ".join(re.findall(r"\(\*(.*?)\*\)", before, flags=re.DOTALL)[-1].split())


def definition(name: str, file: str) -> str:
    """How a constant is defined, as written."""
    text = bare((PROOFS / file).read_text(encoding="utf-8"))
    found = re.search(rf"^Definition {name}\b.*?\.$", text, flags=re.DOTALL | re.MULTILINE)
    assert found, f"{file} does not define {name}"
    return " ".join(found[0].split())


def readme() -> str:
    """proofs/README.md with the list of theorems that follows from the sources: each with the comment before it."""
    lines = [README.read_text(encoding="utf-8").partition(LISTED)[0] + LISTED]
    for path in sources():
        title = " ".join(
            re.findall(r"\(\*(.*?)(?:\*\)|\n\n)", path.read_text(encoding="utf-8"), flags=re.DOTALL)[0].split()
        )
        if found := theorems(path):
            lines += ["", f"### {path.name}", "", title, ""]
            lines += [f"- `{name}`: {words(name, path.name)}" for name in found]
    return "\n".join([*lines, ""])


def constants(paths: list[Path]) -> dict[str, bool]:
    """Name of every constant, and whether it is a function."""
    found: dict[str, bool] = {}
    for path in paths:
        for match in re.finditer(CONSTANT, path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            found[match["name"]] = bool(match["arguments"].strip())
    return found


def check(paths: list[Path], build: Path) -> dict[str, Any]:
    """Compile everything in a folder of its own, and return the record; raises SystemExit where a proof is none."""
    for path in paths:
        if gap := re.search(GAPS, bare(path.read_text(encoding="utf-8"))):
            raise SystemExit(f"{path.name} says {gap[0]}: proofs may not assume anything")
        shutil.copy(path, build)
    compile_all(paths, build)
    ask = [
        f"From {LIBRARY} Require Import {' '.join(path.stem for path in paths)}.",
        "From mathcomp Require Import seq.",
    ]
    is_function = constants(paths)
    names = {name: path for path in paths for name in theorems(path)}
    for name in names:
        ask += [f'Redirect "{name}.assumptions" Print Assumptions {name}.']
    for name, function in is_function.items():
        points = f"[seq {name} d | d <- iota 1 {POINTS}]" if function else name
        ask += [f'Redirect "{name}.value" Eval vm_compute in {points}.']
    (build / "Report.v").write_text("\n".join([*ask, ""]), encoding="utf-8")
    _coqc(build, "Report.v")
    for name in names:
        rests_on = " ".join((build / f"{name}.assumptions.out").read_text(encoding="utf-8").split())
        print(f"{name}: {rests_on}")
        if rests_on != CLOSED:
            raise SystemExit(f"{name} rests on an axiom: {rests_on}")
    values = {name: _value((build / f"{name}.value.out").read_text(encoding="utf-8")) for name in is_function}
    return {
        "sources": digest(paths),
        "constants": values,
        "theorems": {
            name: {
                "file": path.name,
                "statement": (text := theorems(path)[name]),
                "constants": re.findall(r"\b\w+_constant\b", text),
            }
            for name, path in names.items()
        },
    }


def compile_all(paths: list[Path], build: Path) -> None:
    """Compile on all cores, each file as soon as those that it needs are done."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made: dict[str, Future[None]] = {}

        def one(path: Path) -> None:
            needs = re.findall(rf"From {LIBRARY} Require Import ([\w ]+)\.", path.read_text(encoding="utf-8"))
            for need in " ".join(needs).split():
                made[need].result()  # was handed in before this one, so nobody waits for ever
            started = time.perf_counter()
            _coqc(build, path.name)
            print(f"{path.name:<20} {time.perf_counter() - started:5.1f} s")

        for path in paths:
            made[path.stem] = pool.submit(one, path)
        for done in made.values():
            done.result()


def _coqc(folder: Path, name: str) -> None:
    quiet = "-notation-overridden,-ambiguous-paths"
    command = ["coqc", "-q", "-w", quiet, "-Q", ".", LIBRARY, name]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)
    if made.returncode:
        raise SystemExit(f"Coq does not accept {name}:\n{made.stderr}")


def _value(printed: str) -> Any:
    """A number or a list of numbers as Coq prints it."""
    text = printed.partition("=")[2].rpartition("\n     :")[0].strip()
    return json.loads(text.replace("[::", "[").replace(";", ","))


def written(record: dict[str, Any]) -> str:
    """The record as text, with every constant in one line."""
    text = json.dumps(record, indent=1)
    return re.sub(r"\[[\d\s,\[\]]*\]", lambda found: re.sub(r"\s+", "", found[0]).replace(",", ", "), text) + "\n"


def main() -> None:
    """Check, then write the record or compare it."""
    if not shutil.which("coqc"):
        raise SystemExit("coqc is missing: apt-get install coq libcoq-mathcomp-algebra libcoq-mathcomp-zify")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as build:
        record = check(sources(), Path(build))
    print(f"{len(record['theorems'])} theorems, no axioms, {time.perf_counter() - started:.0f} s")
    if "--compare" not in sys.argv[1:]:
        RECORD.write_text(written(record), encoding="utf-8")
        README.write_text(readme(), encoding="utf-8")
    elif json.loads(RECORD.read_text(encoding="utf-8")) != record:
        raise SystemExit("proofs/checked.json is not the record of these proofs: run `make proofs` and commit it")


if __name__ == "__main__":
    main()
