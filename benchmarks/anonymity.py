"""The k family on the five graphs: `python -m benchmarks anonymity [GRAPH…]`.

Each cell makes an anonymous graph, has the independent certifier check it, and gives the edges added and removed as a
share of all, and the seconds both took. k-degree stands beside the construction of Liu and Terzi (2008) that only adds
edges. Then what is left for an attacker: the share of people (or pairs) an attack gets right, naive pseudonyms first.
One seeded run a cell; k-neighbourhood on ego-Twitter takes minutes. Peak memory is of a process that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from graphveil.anonymity.anonymize import anonymize
from graphveil.anonymity.methods import METHODS, method_named
from graphveil.audit.attacks.attack import ATTACKS, run_attack
from graphveil.errors import GraphveilError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset

DATA = os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data"
KS = (2, 5, 10, 50)
SHOWN = ("degree", "neighbourhood", "seed-and-propagate", "link", "community")


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    for name in DATASETS:
        graph = load_dataset(name, folder=DATA)
        print(f"\n{name}: {graph.n_nodes:,} people, {graph.n_edges:,} edges")
        print(f"{'':22}" + "".join(f"{f'k = {k}':>32}" for k in KS))
        for method in METHODS:
            print(f"{method:22}" + "".join(f"{cell(graph, method, k):>32}" for k in KS), flush=True)
    attacks()
    print(f"\nk-degree, k = 10, ego-Twitter: peak memory {memory('ego-Twitter')} MB, interpreter included")


def cell(graph: Graph, method: str, k: int) -> str:
    if not method_named(method).is_practical(graph):
        return "refused: too large"
    start = time.perf_counter()
    try:
        made = anonymize(graph, method=method, k=k, seed=1)
    except GraphveilError as refusal:
        return f"refused: {refusal}"[:28]
    changed = (made.report.edges_added, made.report.edges_removed)
    verdict = "holds" if made.certificate.holds else "FAILS"
    return f"+{changed[0]:,} -{changed[1]:,} {verdict} {time.perf_counter() - start:.1f}s"


def attacks() -> None:
    graph = load_dataset("ego-Facebook", folder=DATA)
    print("\nattacks on ego-Facebook, share right" + " " * 8 + "".join(f"{name:>20}" for name in SHOWN))
    published = {"the original's edges": (graph, None)}
    for method in METHODS:
        made = anonymize(graph, method=method, k=10, seed=1)
        published[f"{method}, k = 10"] = (made.graph, made.key)
    for label, (other, key) in published.items():
        rates = [run_attack(graph, other, attack=name, key=key).rate for name in SHOWN if name in ATTACKS]
        print(f"{label:44}" + "".join(f"{rate:>20.2%}" for rate in rates), flush=True)


def memory(name: str) -> int:
    """Peak of a process that reads a graph and makes it k-degree anonymous, in MB."""
    code = f"from benchmarks.anonymity import peak; print(peak({name!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def peak(name: str) -> int:
    anonymize(load_dataset(name, folder=DATA), method="k-degree", k=10, seed=1)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
