"""What the constants of learning are worth: `python -m benchmarks.learn.constants [constant … graph …]`.

Each constant that was chosen by looking at graphs is set to other values, one constant at a time. For each graph the
value is then chosen by the mean accuracy on all other graphs (leave one graph out), and its accuracy on the graph that
was left out is compared with that of the value in the source, and with the best value in hindsight. Graphs are the five
with attributes and some generated kinds; accuracy is the mean over 75 % and 10 % labelled, epsilon .1 and 1, and two
seeds (one on the largest graph). The last table counts, with the values in the source, how often the accuracy on the
test set lies below and above the interval of the forecast, in which the noise of the test set is not included.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from benchmarks.learn._data import GRAPHS, load
from benchmarks.learn.families import FAMILIES

from graphveil.graph.core import Graph
from graphveil.learn import roles
from graphveil.learn.roles import prior_of, roles_of
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

VALUES: dict[str, tuple[float, ...]] = {  # the value in the source is among them
    "roles.READER_SHARE": (0.15, 0.3, 0.5),
    "roles.BLOCKS": (3, 6),
    "roles.RIDGE": (1.0, 2.0, 4.0),
    "features.TOPICS": (8, 15, 30),
    "roles.TELLING": (0.0, 0.6, 1.1),
    "edge.class_rows.MANY": (10, 20, 40),
    "affinity.LEAST_DOUBT": (2, 5, 12),
    "affinity.NOISE_DOUBT": (1, 2, 4),
    "combine.SCALE_PULL": (3.0, 10.0, 30.0),
    "combine.BIAS_PULL": (3.0, 10.0, 30.0),
    "combine.PEOPLE_A_CLASS": (3, 6, 12),
    "inference.LEAST_GAIN": (0.0, 1.0, 3.0),
    "inference.UNSEEN_ERROR": (0.05, 0.2, 0.8),
}
GENERATED = ("homophily", "no homophily", "heterophily", "hubs", "sparse", "30 classes")
SHARES, EPSILONS, SEEDS = (0.75, 0.1), ("0.1", "1"), 2


class Case(NamedTuple):
    """A graph, the table of its people with some labels, the names of the test set, and their classes."""

    graph: Graph
    table: dict[str, Any]
    label: str
    test: list[Any]
    truth: Any


def cases(name: str) -> Iterator[Case]:
    """All splits of a graph with attributes, or all generated graphs of a kind."""
    for share in SHARES:
        for seed in range(1 if name == "fb100-wisconsin" else SEEDS):
            if name in GRAPHS:
                data = load(name)
                table, test = data.hidden(share, seed)
                known = dict(zip(next(iter(data.table.values())), data.table[data.label], strict=True))
                yield Case(data.graph, table, data.label, test, np.array([known[person] for person in test]))
                continue
            graph, classes, shown = FAMILIES[name].draw(seed)
            hidden = np.random.default_rng(seed + 1000).permutation(graph.n_nodes) >= share * graph.n_nodes
            hidden[[classes.index(each) for each in sorted(set(classes))[:2]]] = False
            kept = ["" if hide else each for each, hide in zip(classes, hidden, strict=True)]
            table = {"person": list(range(graph.n_nodes)), "class": kept, "feature": shown}
            unknown = np.flatnonzero(hidden)
            yield Case(graph, table, "class", unknown.tolist(), np.array(classes)[unknown])


@contextmanager
def changed(constant: str, value: float) -> Iterator[float]:
    """Set a constant for a while; gives its value in the source."""
    place, _, name = constant.rpartition(".")
    module = import_module(f"graphveil.central.{place}" if "class_rows" in place else f"graphveil.learn.{place}")
    before = getattr(module, name)
    setattr(module, name, value)
    roles_of.cache_clear()
    try:
        yield before
    finally:
        setattr(module, name, before)
        roles_of.cache_clear()


def measure(name: str) -> list[tuple[float, float, float]]:
    """Accuracy on the test set and the interval of the forecast, of each run on a graph."""
    found = []
    for number, case in enumerate(cases(name)):
        for epsilon in EPSILONS:
            session = Session(case.graph, unit="edge", budget=1000, noise=SeededNoise(number + 1))
            model = session.learn(case.table, label=case.label, epsilon=Fraction(epsilon))
            if model.ridge != roles.RIDGE:  # the default of an argument does not change with the constant
                model.set_params(ridge=roles.RIDGE).fit()
            _, low, high = model.accuracy()
            found.append((model.score(case.test, case.truth), low, high))
    prior_of.cache_clear()
    return found


def compared(constant: str, graphs: list[str], usual: dict[str, float]) -> str:
    """A row: the values that are chosen without each graph, and what that graph loses by the choice."""
    values = VALUES[constant]
    reached = np.empty((len(values), len(graphs)))
    for place, value in enumerate(values):
        with changed(constant, value) as given:
            for column, name in enumerate(graphs):
                runs = [usual[name]] if value == given else [run[0] for run in measure(name)]
                reached[place, column] = 100 * np.mean(runs)
    own = values.index(given)
    others = [np.delete(reached, column, axis=1).mean(axis=1).argmax() for column in range(len(graphs))]
    chosen = reached[others, range(len(graphs))]
    picked = ", ".join(f"{values[each]:g} ({others.count(each)})" for each in sorted(set(others)))
    gain, hindsight = chosen - reached[own], reached.max(axis=0) - reached[own]
    spread = reached.max(axis=0) - reached.min(axis=0)
    moved = f"{gain.mean():+.2f} ({gain.min():+.2f} to {gain.max():+.2f})"
    told = ", ".join(f"{value:g}" for value in values)
    shown = f"{hindsight.mean():.2f} ({hindsight.max():.2f})"
    return f"| {constant} | {given:g} | {told} | {picked} | {moved} | {shown} | {spread.mean():.2f} |"


def main() -> None:
    asked = sys.argv[1:]
    graphs = [name for name in (*GRAPHS, *GENERATED) if name in asked] or [*GRAPHS, *GENERATED]
    constants = [name for name in VALUES if name in asked] or list(VALUES)
    runs = {name: measure(name) for name in graphs}
    print("| graph | runs | accuracy | below the forecast's interval | above |")
    print("|---" * 5 + "|")
    for name, found in runs.items():
        reached, low, high = np.array(found).T
        row = f"{100 * reached.mean():.1f} | {(reached < low).mean():.0%} | {(reached > high).mean():.0%}"
        print(f"| {name} | {len(found)} | {row} |", flush=True)
    usual = {name: float(np.mean([run[0] for run in found])) for name, found in runs.items()}
    print("\n| constant | in the source | tried | chosen without a graph (graphs) | gain of it there | best | spread |")
    print("|---" * 7 + "|")
    for constant in constants:
        print(compared(constant, graphs, usual), flush=True)


if __name__ == "__main__":
    main()
