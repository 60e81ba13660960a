"""How often predictions from private records are right: `python -m benchmarks.learn.records [graph … epsilon …]`.

75 % labelled, delta 1e-5; mean of two splits in per cent (one of the largest graph), and how many of them read edges.
"""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
from benchmarks.learn._data import GRAPHS, load

from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

EPSILONS = ("1", "3", "4", "8", "16")
DELTA = Fraction(1, 10**5)


def measure(name: str, epsilon: str) -> tuple[float, int, int]:
    """The mean accuracy, how many splits read edges, and how many splits there were."""
    data = load(name)
    truth = dict(zip(next(iter(data.table.values())), data.table[data.label], strict=True))
    right, read = [], 0
    for seed in range(1 if name == "fb100-wisconsin" else 2):
        table, test = data.hidden(0.75, seed)
        session = Session(data.graph, unit="record", budget=epsilon, delta=DELTA, noise=SeededNoise(seed + 1))
        model = session.learn(table, label=data.label, epsilon=epsilon, delta=DELTA)
        right.append(100 * model.score(test, [truth[person] for person in test]))
        read += int(model.release.provenance.derived["bound"]) >= 0
    return float(np.mean(right)), read, len(right)


def main() -> None:
    asked = sys.argv[1:]
    names = [name for name in GRAPHS if name in asked] or list(GRAPHS)
    epsilons = [word for word in asked if word not in GRAPHS] or list(EPSILONS)
    print(f"| graph | {' | '.join(epsilons)} |")
    print("|---" * (1 + len(epsilons)) + "|")
    for name in names:
        found = [measure(name, epsilon) for epsilon in epsilons]
        print(f"| {name} | {' | '.join(f'{right:.1f} ({read} of {n})' for right, read, n in found)} |", flush=True)


if __name__ == "__main__":
    main()
