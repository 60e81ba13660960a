"""Errors of every default on one graph, by whichever graphveil is on the path: that of this checkout, or 0.1.

Reads a file that `benchmarks.families.before` wrote, prints JSON: for each question and epsilon the mean absolute error
of every draw. It imports nothing from beside it, since 0.1 has none of that.
"""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.local.simulate import simulate

try:
    from graphveil.mechanisms.noise.source import SeededNoise
except ImportError:  # 0.1
    from graphveil.mechanisms.source import SeededNoise


def main() -> None:
    given = np.load(sys.argv[1])
    graph = Graph.from_edges(given["edges"], n_nodes=int(given["n_nodes"]))
    errors = {}
    for key in given.files:
        if key.count("|") == 2:
            job, query, unit = key.split("|")
            for epsilon in given["epsilons"].tolist():
                for seed in range(int(given["draws"])):
                    value = ANSWERS[job](graph, query, unit, epsilon)(seed)
                    errors.setdefault(f"{key}|{epsilon}", []).append(off(value, given[key]))
    print(json.dumps(errors))


def off(value: Any, truth: Any) -> float:
    """The mean distance of entries, with zeros where one list is longer."""
    value, truth = (np.atleast_1d(np.asarray(each, dtype=np.float64)) for each in (value, truth))
    size = max(len(value), len(truth))
    return float(np.abs(np.pad(value, (0, size - len(value))) - np.pad(truth, (0, size - len(truth)))).mean())


def release(graph: Graph, query: str, unit: str, epsilon: str) -> Callable[[int], Any]:
    """Draws of the first algorithm that answers a query."""
    try:
        from graphveil.registry import QUERIES
        from graphveil.release.draw import run
    except ImportError:
        from graphveil.release.registry import algorithms

        row = next(row for row in algorithms() if (row.query, row.unit) == (query, unit))
        return lambda seed: row.build(Fraction(epsilon), {}).run(graph, SeededNoise(seed)).value
    row = next(row for row in QUERIES if (row.query, row.unit) == (query, unit))
    return lambda seed: run(row.build(Fraction(epsilon)), graph, SeededNoise(seed)).value


def collect(graph: Graph, statistic: str, unit: str, epsilon: str) -> Callable[[int], Any]:
    """Simulated campaigns by `veil`."""
    try:
        from graphveil.registry import build_protocol as build
    except ImportError:
        from graphveil.local.registry import build
    protocol = build(statistic, "veil", unit=unit, epsilon=epsilon, n_people=graph.n_nodes)
    return lambda seed: np.asarray(simulate(protocol, graph, seed=seed).estimate.value)


ANSWERS = {"release": release, "collect": collect}

if __name__ == "__main__":
    main()
