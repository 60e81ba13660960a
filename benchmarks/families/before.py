"""Every default before and after: its mean error in this checkout over that of 0.1, at one epsilon for an entry.

`python -m benchmarks.families.before` checks 0.1 out (commit 6db6b03) into a temporary folder, runs both on the same
graphs with the same seeds, and prints a line for each question: the ratio at each epsilon on each graph, in brackets
where it is within two standard errors of 1, and a star where it is above 1 beyond that. Errors are mean absolute
errors against the statistic of the whole graph, also under node privacy. Families are among the graphs, `--graphs`
names others.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from benchmarks.families.defaults import named

from graphveil.graph.core import Graph
from graphveil.local.statistics import find_statistic
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import MAX_EPSILON
from graphveil.registry import QUERIES
from graphveil.release.draw import run

BEFORE = "6db6b03"
ROOT = Path(__file__).parents[2]
RELEASED = {  # by unit, as far as 0.1 answers it
    "edge": (
        *("edges", "max-degree", "degree-histogram", "degree-distribution", "degree-sequence", "triangles", "2-stars"),
        *("3-stars", "transitivity", "average-clustering", "clustering-by-degree", "assortativity", "joint-degrees"),
    ),
    "node": ("nodes", "edges", "2-stars", "triangles", "h-index", "degree-histogram", "degree-distribution"),
}
COLLECTED = {
    "edge": ("degree-distribution", "triangles", "triangle-sequence", "clustering", "transitivity"),
    "node": ("degree-distribution",),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=["cliques", "hubs", "triads", "communities", "ego-Facebook"])
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--people", type=int, default=200, help="in graphs of families")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--questions", nargs="*", help="of these only, as release|edges|node")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", old, BEFORE], cwd=ROOT, check=True)
        try:
            for name in options.graphs:
                given = Path(folder) / "graph.npz"
                write(given, named(name, options.people), options)
                report(name, options.epsilons, *(errors(tree, given) for tree in (old, ROOT)))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", old], cwd=ROOT, check=True)


def write(path: Path, graph: Graph, options: argparse.Namespace) -> None:
    """The graph, and the truth of every question."""
    truths = {}
    for unit, queries in RELEASED.items():
        for query in queries:
            row = next(row for row in QUERIES if row.query == query and row.unit in ("edge", unit))
            truths[f"release|{query}|{unit}"] = (row.build(MAX_EPSILON), graph)
    truths = {key: run(*exact, SeededNoise(0)).value for key, exact in truths.items()}
    for unit, statistics in COLLECTED.items():
        truths |= {f"collect|{name}|{unit}": find_statistic(name).exact(graph) for name in statistics}
    asked = {key: truth for key, truth in truths.items() if key in (options.questions or truths)}
    about = {"edges": graph.edges(), "n_nodes": graph.n_nodes, "epsilons": options.epsilons, "draws": options.draws}
    np.savez(path, **about, **asked)


def errors(tree: Path, given: Path) -> dict[str, list[float]]:
    """What the graphveil of one tree prints."""
    script = ROOT / "benchmarks" / "families" / "_errors_of_defaults.py"
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    done = subprocess.run(
        [sys.executable, "-P", script, given], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{tree}:\n{done.stderr}")
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def report(name: str, epsilons: list[str], before: dict[str, list[float]], after: dict[str, list[float]]) -> None:
    print(f"\n{name:<46}" + "".join(f"{f'epsilon {epsilon}':>16}" for epsilon in epsilons))
    for question in dict.fromkeys(key.rpartition("|")[0] for key in after):
        cells = "".join(f"{ratio(before[f'{question}|{e}'], after[f'{question}|{e}']):>16}" for e in epsilons)
        print(f"{question:<46}{cells}", flush=True)


def ratio(before: list[float], after: list[float]) -> str:
    old, new = (np.asarray(each) for each in (before, after))
    if not old.mean():
        return "both exact" if not new.mean() else "0 before *"
    spread = np.sqrt((old.var(ddof=1) + new.var(ddof=1)) / len(old))
    text = f"{new.mean() / old.mean():.2f}"
    if abs(new.mean() - old.mean()) <= 2 * spread:
        return f"({text})"
    return f"{text} *" if new.mean() > old.mean() else text


if __name__ == "__main__":
    main()
