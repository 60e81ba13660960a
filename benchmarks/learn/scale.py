"""Time and memory of learning: `python -m benchmarks.learn.scale [people | graph]`, a million people by default.

A random graph in which three of four edges join people of one class (of four), 75 % labelled, one feature; or one of
the graphs of `benchmarks.learn.accuracy`. Prints the seconds of processor time of a release with its predictions, and
the largest memory of the process.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
from benchmarks.learn._data import GRAPHS, load

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

CLASSES, EDGES, SAME, LABELLED = 4, 10, 0.75, 0.75


def network(n_people: int) -> tuple[Graph, dict[str, list[str]]]:
    """The graph, and the table of its people."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, n_people, EDGES * n_people)
    within = (first + CLASSES * rng.integers(1, n_people // CLASSES, len(first))) % n_people
    second = np.where(rng.random(len(first)) < SAME, within, rng.integers(0, n_people, len(first)))
    shown = rng.random(n_people) < LABELLED
    labels = [f"k{place % CLASSES}" if show else "" for place, show in enumerate(shown.tolist())]
    names = [str(place) for place in range(n_people)]
    words = [f"w{word}" for word in rng.integers(0, 50, n_people)]
    graph = Graph.from_edges(np.column_stack((first, second)), n_nodes=n_people)
    return graph, {"person": names, "kind": labels, "word": words}


def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else "1000000"
    if asked in GRAPHS:
        data = load(asked)
        graph, table, label = data.graph, data.hidden(LABELLED, 0)[0], data.label
    else:
        (graph, table), label = network(int(asked)), "kind"
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, time.process_time()
    model = Session(graph, unit="edge", budget=1, noise=SeededNoise(1)).learn(table, label=label, epsilon=1)
    seconds = time.process_time() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    share, low, high = model.accuracy()
    print(f"{graph.n_nodes:,} people, {graph.n_edges:,} edges: {seconds:.0f} s of processor time")
    print(f"memory: {before:.1f} GB with the graph, {after:.1f} GB at most")
    print(f"right, forecast: {share:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
