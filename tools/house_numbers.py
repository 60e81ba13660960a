"""How large the source is and how far a call travels through it: numbers to compare two versions by.

    python tools/house_numbers.py                    # this source tree
    python tools/house_numbers.py ../other-checkout  # another one: a folder with src/graphveil
    python tools/house_numbers.py --walk edges       # the modules that one call enters, in order

A module counts as *entered* by a call if one of its functions runs during the call, and not only because a module is
imported. Each call runs in a fresh process.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LONG_FILE, FULL_FOLDER, LONG_FUNCTION, SHORT_DOCSTRING = 300, 15, 40, 4

# Each call works on 0.1 and on later versions.
CALLS = {
    "edges": "gv.Session(graph, unit='edge', budget=2).edges(epsilon=1)",
    "node-degrees": "gv.Session(graph, unit='node', budget=2).degree_distribution(epsilon=1)",
    "triangle-campaign": """
from graphveil.local import collector as side
empty = getattr(side, 'CollectorState', None) or side.Standing
campaign = gv.Campaign.create('triangles', 'veil', unit='edge', epsilon=2, n_people=60, title='numbers')
collector, state = gv.Collector(campaign), empty()
clients = [gv.Client(campaign, user, graph.neighbors(user)) for user in range(60)]
for number in range(1, campaign.rounds + 1):
    reports = [client.answer(number, state.publications).encode() for client in clients]
    state, _ = collector.take(state, reports)
    state = collector.close_round(state)
collector.outcome(state)
""",
    "audit": "list(gv.run_audits(['edge-count'], samples=200))",
}
WALK = """
import json, sys, threading
from pathlib import Path
import graphveil as gv
gv.Session, gv.Collector, gv.Client, gv.Campaign
root = str(Path(gv.__file__).parent)
pairs = [(u, (u * 7 + 3 * k + 1) % 60) for u in range(60) for k in range(4)]
graph = gv.Graph.from_edges(pairs, n_nodes=60, labels=list(range(60)))
entered = {}
def importing(frame):
    while frame and not (frame.f_code.co_name == '<module>' and frame.f_code.co_filename.startswith(root)):
        frame = frame.f_back
    return frame is not None
def watch(frame, event, _):
    code = frame.f_code
    new = event == 'call' and code.co_filename.startswith(root) and code.co_filename not in entered
    if new and not importing(frame):
        entered[code.co_filename] = code.co_qualname
threading.setprofile(watch)
sys.setprofile(watch)
exec(sys.argv[1], {'gv': gv, 'graph': graph})
sys.setprofile(None)
imported = sum(name.split('.')[0] == 'graphveil' for name in sys.modules)
print(json.dumps({'imported': imported, 'entered': [[str(Path(k).relative_to(root)), v] for k, v in entered.items()]}))
"""
CLASSES = """
import importlib, inspect, json, pkgutil
import graphveil
names = [found.name for found in pkgutil.walk_packages(graphveil.__path__, 'graphveil.', onerror=lambda name: None)]
def chain(kind):
    own = kind.__module__.startswith('graphveil')
    return [kind.__name__, *max(map(chain, kind.__bases__), key=len, default=[])] if own else []
deepest = []
for name in names:
    if name.endswith('__main__') or '.migrations' in name:
        continue
    try:
        module = importlib.import_module(name)
    except ImportError:  # an optional part that is not installed
        continue
    for kind in vars(module).values():
        if inspect.isclass(kind) and kind.__module__ == name and len(chain(kind)) > len(deepest):
            deepest = chain(kind)
session = graphveil.Session
hidden = [name for name, member in inspect.getmembers(session, inspect.isfunction) if not name.startswith('_')
          and any(p.kind is p.VAR_KEYWORD for p in inspect.signature(member).parameters.values())]
print(json.dumps({'deepest': deepest, 'hidden': hidden}))
"""


def main() -> None:
    """Print the table, or the modules of one call."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("tree", nargs="?", type=Path, default=HERE, help="a folder with src/graphveil")
    options.add_argument("--walk", choices=CALLS, help="list the modules that this call enters, in order")
    options.add_argument("--json", action="store_true", help="one JSON document")
    chosen = options.parse_args()
    if chosen.walk:
        for path, function in walk(chosen.tree, chosen.walk)["entered"]:
            print(f"{path:55} {function}")
        return
    numbers = dict(measure(chosen.tree))
    if chosen.json:
        print(json.dumps(numbers, indent=1))
        return
    for name, number in numbers.items():
        print(f"{name:52} {number}")


def measure(tree: Path) -> Iterator[tuple[str, int | str]]:
    """Name and value of each number."""
    files = sorted((tree / "src" / "graphveil").rglob("*.py"))
    yield "modules", len(files)
    yield "modules without __init__.py", sum(path.name != "__init__.py" for path in files)
    for name in CALLS:
        found = walk(tree, name)
        yield f"modules entered by {name}", len(found["entered"])
        yield f"modules imported by {name}", found["imported"]
    classes = json.loads(fresh(tree, CLASSES))
    yield "deepest class chain", f"{len(classes['deepest'])} ({' < '.join(classes['deepest'])})"
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    yield "source lines", sum(lines.values())
    texts = [text for path in files for text in docstrings(path)]
    yield "docstrings", len(texts)
    yield f"docstrings of {SHORT_DOCSTRING} words or fewer", sum(is_short(text) for text in texts)
    yield f"files over {LONG_FILE} lines", sum(count > LONG_FILE for count in lines.values())
    folders = Counter(path.parent for path in files if path.name != "__init__.py")
    yield f"folders over {FULL_FOLDER} files", sum(count > FULL_FOLDER for count in folders.values())
    yield f"functions over {LONG_FUNCTION} lines", sum(length > LONG_FUNCTION for f in files for length in functions(f))
    yield "public queries with **options", len(classes["hidden"])


def walk(tree: Path, name: str) -> dict[str, list[list[str]]]:
    """The modules that a call enters, each with the first function that ran, and how many are imported by then."""
    found: dict[str, list[list[str]]] = json.loads(fresh(tree, WALK, CALLS[name]))
    return found


def fresh(tree: Path, code: str, *words: str) -> str:
    """What a program prints last in a fresh process that sees this tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree.resolve() / "src")}
    command = [sys.executable, "-W", "ignore", "-c", code, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def docstrings(path: Path) -> Iterator[str]:
    """All docstrings of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield text


def is_short(text: str) -> bool:
    """Whether a docstring has so few words that it can hardly say more than the name."""
    return len(text.split()) <= SHORT_DOCSTRING


def functions(path: Path) -> Iterator[int]:
    """The number of lines of each function of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or 0) - node.lineno + 1


if __name__ == "__main__":
    main()
