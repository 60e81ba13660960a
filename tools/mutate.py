"""Mutation testing: break one thing at a time in a copy of the source, and see whether a test notices.

    python tools/mutate.py privacy mechanisms/exact.py --sample 15 --seed 1

A name is a module or folder under src/graphveil; its tests are its own doctests and the test files that import it, of
the folder of the same name under tests before others (all of that folder, if none does). Kernels are left out: they are
compiled, and the law tests watch them. Every mutant is tried in a fork of one process that has the heavy libraries
loaded already. Prints the survivors (the others on
stderr), then the score of each folder.
"""

from __future__ import annotations

import argparse
import ast
import copy
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
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECONDS = 120  # of processor time for one mutant; one that needs more is counted as caught: it hangs
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "all": "any", "any": "all", "ceil": "floor", "floor": "ceil"}


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may be replaced by."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        yield ast.Compare(node.left, [COMPARISONS[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.Name) and node.id in NAMES and isinstance(node.ctx, ast.Load):
        yield ast.Name(NAMES[node.id], ast.Load())
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield ast.Attribute(node.value, NAMES[node.attr], ast.Load())
    elif isinstance(node, ast.Raise):
        yield ast.Pass()


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, what was changed, and the changed source; annotations, docstrings and kernels stay as they are."""
    tree = ast.parse(source)
    skipped = set()
    for node in ast.walk(tree):
        kernel = isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(d) for d in node.decorator_list)
        typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if kernel or typing:
            skipped |= {id(part) for part in ast.walk(node)}
        for name in ("annotation", "returns"):
            if part := getattr(node, name, None):
                skipped |= {id(below) for below in ast.walk(part)}
        for decorator in getattr(node, "decorator_list", ()):
            skipped |= {id(below) for below in ast.walk(decorator)}
    places = [(parent, name, index, child) for parent in ast.walk(tree) for name, index, child in children(parent)]
    for parent, name, index, child in places:
        if id(child) in skipped:
            continue
        for other in changed(copy.deepcopy(child)):
            put(parent, name, index, ast.copy_location(other, child))
            text = ast.unparse(ast.fix_missing_locations(tree))
            put(parent, name, index, child)
            yield child.lineno, f"{ast.unparse(child)[:70]}  ->  {ast.unparse(other)[:70]}", text


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None, value
        elif isinstance(value, list):
            yield from ((name, i, entry) for i, entry in enumerate(value) if isinstance(entry, ast.AST))


def put(parent: ast.AST, name: str, index: int | None, child: ast.AST) -> None:
    if index is None:
        setattr(parent, name, child)
    else:
        getattr(parent, name)[index] = child


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
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    import pytest

    status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not laws", *tests])
    sys.stdout.flush()
    return int(status)


def tests_of(folder: Path, path: Path) -> list[str]:
    """The module's own doctests, and the tests that import it; else those of its folder."""
    *parents, name = path.relative_to(folder / "src").with_suffix("").parts
    parent = re.escape(".".join(parents))
    imports = re.compile(rf"from {parent}\.{name} import|from {parent} import .*\b{name}\b")
    every = [test for test in sorted((folder / "tests").rglob("test_*.py")) if "laws" not in test.parts]
    importing = [test for test in every if imports.search(test.read_text(encoding="utf-8"))]
    own = [test for test in importing if test.parent.name == path.parent.name]
    nearest = own or importing or [test for test in every if test.parent.name == path.parent.name]
    return [str(test.relative_to(folder)) for test in (path, *nearest)]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="+", help="modules or folders under src/graphveil")
    asked.add_argument("--sample", type=int, default=10, help="mutants of each module")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--minutes", type=float, default=10, help="stop after so many")
    asked.add_argument("--tests", nargs="*", default=[], help="further tests, such as tests/release/test_session.py")
    given = asked.parse_args()
    for library in ("numba", "numpy", "scipy.stats", "pytest"):
        import_module(library)  # once, before any fork

    end, score = time.monotonic() + 60 * given.minutes, Counter[tuple[str, bool]]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("src", "tests", "pyproject.toml", "docs", "README.md"):
            place = ROOT / name
            (shutil.copytree if place.is_dir() else shutil.copy)(place, folder / name)
        source = folder / "src" / "graphveil"
        modules = [
            p
            for n in given.names
            for p in (sorted((source / n).glob("*.py")) if (source / n).is_dir() else [source / n])
        ]
        chosen = []
        for path in modules:
            every = list(mutants(path.read_text(encoding="utf-8")))
            picked = random.Random(given.seed).sample(every, min(given.sample, len(every)))
            chosen += [(path, line, what, text) for line, what, text in picked]
        random.Random(given.seed).shuffle(chosen)  # whatever time runs out, all modules have had a share
        if caught(folder, sorted({test for path in modules for test in tests_of(folder, path)} | set(given.tests))):
            sys.exit("the tests fail without any mutant; MUTATE_LOG=FILE keeps what they say")
        for path, line, what, text in chosen:
            if time.monotonic() > end:
                break
            original = path.read_text(encoding="utf-8")
            group = path.relative_to(source).parts[0]
            path.write_text(text, encoding="utf-8")
            found = caught(folder, [*tests_of(folder, path), *given.tests])
            path.write_text(original, encoding="utf-8")
            score[group, found] += 1
            told = f"{path.relative_to(source)}:{line}  {what}"
            print(f"{'caught' if found else 'survived':9} {told}", file=sys.stderr if found else sys.stdout, flush=True)
    for group in sorted({group for group, _ in score}):
        total = score[group, True] + score[group, False]
        print(f"{group}: {score[group, True]} of {total} mutants caught ({100 * score[group, True] / total:.0f} %)")


if __name__ == "__main__":
    main()
