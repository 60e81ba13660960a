"""Degree releases on the five public graphs at epsilon 1; others by `python -m benchmarks.central.degrees 0.1 0.5`.

Every page runs as it does in a session, under seeded noise, 200 times (Twitter 50 times); everything it learns is
charged. Shown are mean, its standard error, median and largest error, and how often the 95 % interval held for the
whole answer at once (that of transitivity speaks of the cut graph only). Targets are for the mean, of triangles for
the median. Histograms: L1 distance over the number of people. Sequences: mean distance of a degree. Counts: relative
error. Constants of the pages were set on Facebook, wiki-Vote, Enron and AstroPh; Twitter was not used for that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.central.degree_histogram import DegreeHistogram
from graphveil.central.degree_sequence import DegreeSequence
from graphveil.central.node_degree_histogram import NodeDegreeHistogram
from graphveil.central.node_edges import NodeEdgeCount
from graphveil.central.node_stars import NodeThreeStars, NodeTwoStars
from graphveil.central.node_transitivity import NodeTransitivity
from graphveil.central.node_triangles import NodeTriangles
from graphveil.central.young_degree_sequence import YoungDegreeSequence
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.stars import exact_k_stars
from graphveil.graph.triangles import exact_triangles
from graphveil.mechanisms.source import SeededNoise

DRAWS, DRAWS_OF_LARGE_GRAPHS, LARGE = 200, 50, 500_000  # edges
Truth = Callable[[Graph], Any]
Error = Callable[[np.ndarray, np.ndarray], float]


def histogram(graph: Graph) -> np.ndarray:
    return np.bincount(graph.degrees)


def sequence(graph: Graph) -> np.ndarray:
    return np.sort(graph.degrees)[::-1]


def shared_out(released: np.ndarray, truth: np.ndarray) -> float:
    size = max(len(released), len(truth))
    a, b = np.pad(released, (0, size - len(released))), np.pad(truth, (0, size - len(truth)))
    return float(np.abs(a - b).sum() / truth.sum())


def mean_distance(released: np.ndarray, truth: np.ndarray) -> float:
    return float(np.abs(released - truth).mean())


def relative(released: np.ndarray, truth: np.ndarray) -> float:
    return abs(float(released) - float(truth)) / float(truth)


def distance(released: np.ndarray, truth: np.ndarray) -> float:
    return abs(float(released) - float(truth))


def transitivity(graph: Graph) -> float:
    return 3 * exact_triangles(graph) / exact_k_stars(graph, 2)


PAGES: list[tuple[str, type, Truth, Error, dict[str, float]]] = [
    ("edge histogram", DegreeHistogram, histogram, shared_out,
     {"ego-Facebook": 0.14, "wiki-Vote": 0.10, "email-Enron": 0.02}),
    ("edge sequence, ranks", DegreeSequence, sequence, mean_distance, {}),
    ("edge sequence, tiles", YoungDegreeSequence, sequence, mean_distance, {}),
    ("node histogram", NodeDegreeHistogram, histogram, shared_out,
     {"ego-Facebook": 0.31, "wiki-Vote": 0.41, "email-Enron": 0.32, "ca-AstroPh": 0.18}),
    ("node edges", NodeEdgeCount, lambda graph: graph.n_edges, relative,
     {"ego-Facebook": 0.02, "wiki-Vote": 0.02, "email-Enron": 0.05}),
    ("node 2-stars", NodeTwoStars, lambda graph: exact_k_stars(graph, 2), relative, {}),
    ("node 3-stars", NodeThreeStars, lambda graph: exact_k_stars(graph, 3), relative, {}),
    ("node triangles", NodeTriangles, exact_triangles, relative, {"ego-Facebook": 0.05, "ca-AstroPh": 0.05}),
    ("node transitivity", NodeTransitivity, transitivity, distance, {}),
]  # fmt: skip


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument.replace(".", "").isdigit()]
    columns = f"{'mean':>8} {'s.e.':>7} {'median':>7} {'worst':>8} {'held':>5} {'s':>6} {'target':>7}"
    print(f"{'page':21} {'graph':13} {'eps':>4} {columns}")
    for name in DATASETS:
        graph = load_dataset(name)
        for epsilon in map(Fraction, arguments or ["1"]):
            for title, page, truth, error, targets in PAGES:
                try:
                    asked = page(epsilon=epsilon)
                except ParameterError:  # refused at this epsilon
                    continue
                row = measure(asked, graph, np.asarray(truth(graph)), error)
                target = targets.get(name) if epsilon == 1 else None
                print(f"{title:21} {name:13} {float(epsilon):4g} {row} {target or '':>7}", flush=True)


def measure(page: Any, graph: Graph, truth: np.ndarray, error: Error) -> str:
    noise = SeededNoise(2026)
    draws = DRAWS if graph.n_edges < LARGE else DRAWS_OF_LARGE_GRAPHS
    errors, held, start = [], 0, time.process_time()
    for _ in range(draws):
        answer = page.run(graph, noise)
        errors.append(error(np.asarray(answer.value), truth))
        low, high = (np.atleast_1d(end) for end in answer.accuracy.interval(0.95))
        known = np.pad(np.atleast_1d(truth), (0, max(0, len(low) - np.size(truth))))[: len(low)]
        held += bool(np.all(low <= known + 1e-6) and np.all(known <= high + 1e-6))
    seconds = (time.process_time() - start) / draws
    spread = np.std(errors, ddof=1) / np.sqrt(draws)
    middle = f"{np.mean(errors):8.4f} {spread:7.4f} {np.median(errors):7.4f} {max(errors):8.4f}"
    return f"{middle} {held / draws:5.2f} {seconds:6.3f}"


if __name__ == "__main__":
    main()
