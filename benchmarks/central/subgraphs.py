"""Triangles, stars, clustering and assortativity under edge privacy on the five public graphs at epsilon 1.

Others by `python -m benchmarks.central.subgraphs 0.1 0.5`. Every page runs as it does in a session, interval included,
under seeded noise, 400 times (Twitter 100 times). Shown are the median error (relative for counts, absolute for shares
and correlations), the middle half of the errors, how often the 95 % interval held, its mean half-width over the
95 % quantile of the errors that were drawn (the shortest half-width that would have held), and the time of a run over
that of one exact count of triangles in the same process. Kappas and shares were set on Facebook, wiki-Vote, Enron and
AstroPh; Twitter was not used for that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.central.assortativity import Assortativity
from graphveil.central.average_clustering import AverageClustering
from graphveil.central.clustering_by_degree import ClusteringByDegree, exact_class_sums
from graphveil.central.k_stars import ThreeStars, TwoStars
from graphveil.central.transitivity import Transitivity
from graphveil.central.triangles import LadderTriangles
from graphveil.central.triangles_published_ladder import PublishedLadderTriangles
from graphveil.central.triangles_smooth_sensitivity import SmoothSensitivityTriangles
from graphveil.graph.assortativity import exact_assortativity
from graphveil.graph.clustering import exact_average_clustering, exact_transitivity
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.stars import exact_k_stars
from graphveil.graph.triangles import exact_triangles
from graphveil.mechanisms.degree_classes import DegreeClasses, Q
from graphveil.mechanisms.source import SeededNoise

DRAWS, DRAWS_OF_LARGE_GRAPHS, LARGE = 400, 100, 500_000  # edges
TRIANGLES = {"ego-Facebook": 0.00018, "wiki-Vote": 0.0010, "email-Enron": 0.0006, "ego-Twitter": 0.0002}

PAGES: list[tuple[str, type, Callable[[Graph], float], dict[str, float]]] = [
    ("triangles", LadderTriangles, exact_triangles, TRIANGLES),
    ("  published ladder", PublishedLadderTriangles, exact_triangles, {}),
    ("  smooth sensitivity", SmoothSensitivityTriangles, exact_triangles, {}),
    ("2-stars", TwoStars, lambda graph: exact_k_stars(graph, 2), {}),
    ("3-stars", ThreeStars, lambda graph: exact_k_stars(graph, 3), {}),
    ("transitivity", Transitivity, exact_transitivity, {"ego-Facebook": 0.0005}),
    ("average clustering", AverageClustering, exact_average_clustering, {"ego-Facebook": 0.002}),
    ("assortativity", Assortativity, exact_assortativity, {"ego-Facebook": 0.003}),
]


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument.replace(".", "").isdigit()]
    columns = f"{'median':>9} {'middle half':>19} {'held':>5} {'width':>6} {'time':>6} {'target':>8}"
    print(f"{'page':21} {'graph':13} {'eps':>4} {columns}")
    for name in DATASETS:
        graph = load_dataset(name)
        once = time_of_one_count(graph)
        for epsilon in map(Fraction, arguments or ["1"]):
            for title, page, exact, targets in PAGES:
                row = measure(page(epsilon=epsilon), graph, exact(graph), once)
                target = targets.get(name) if epsilon == 1 else None
                print(f"{title:21} {name:13} {float(epsilon):4g} {row} {target or '':>8}", flush=True)
            print(
                f"{'clustering by degree':21} {name:13} {float(epsilon):4g} {curve(graph, epsilon, once)}", flush=True
            )


def time_of_one_count(graph: Graph) -> float:
    exact_triangles(graph)  # compiled before the clock starts
    return min(timed(lambda: exact_triangles(graph)) for _ in range(3))


def timed(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def measure(page: Any, graph: Graph, truth: float, once: float) -> str:
    noise, scale = SeededNoise(2026), truth if isinstance(truth, int) else 1.0
    errors, widths, held = [], [], 0
    draws = DRAWS if graph.n_edges < LARGE else DRAWS_OF_LARGE_GRAPHS
    page.run(graph, noise)
    start = time.process_time()
    for _ in range(draws):
        answer = page.run(graph, noise)
        low, high = answer.accuracy.interval(0.95)
        errors.append(abs(answer.value - truth) / scale)
        widths.append((high - low) / 2 / scale)
        held += low <= truth <= high
    ratio = (time.process_time() - start) / draws / once
    quarter, median, three_quarters, needed = np.quantile(errors, [0.25, 0.5, 0.75, 0.95])
    spread = f"{quarter:9.6f}-{three_quarters:9.6f}"
    return f"{median:9.6f} {spread} {held / draws:5.2f} {np.mean(widths) / needed:6.2f} {ratio:6.1f}"


def curve(graph: Graph, epsilon: Fraction, once: float) -> str:
    """Errors of all classes with at least 20 people, and how often all intervals held together."""
    page, noise, classes = ClusteringByDegree(epsilon=epsilon), SeededNoise(2026), DegreeClasses(graph.n_nodes)
    sums, scaled = exact_class_sums(graph, classes)
    people = scaled / 2.0 ** np.arange(1, classes.count)
    truth = np.divide(sums / Q, people, out=np.zeros(len(sums)), where=people > 0)
    draws = 10 if graph.n_edges >= LARGE else 50
    errors, held, start = [], 0, time.process_time()
    for _ in range(draws):
        answer = page.run(graph, noise)
        low, high = (np.array(end) for end in answer.accuracy.interval(0.95))
        errors.extend(np.abs(np.array(answer.value) - truth)[people >= 20])
        held += bool(np.all(low <= truth + 1e-9) and np.all(truth <= high + 1e-9))
    ratio = (time.process_time() - start) / draws / once
    quarter, median, three_quarters = np.quantile(errors, [0.25, 0.5, 0.75])
    return f"{median:9.6f} {quarter:9.6f}-{three_quarters:9.6f} {held / draws:5.2f} {'':6} {ratio:6.1f}"


if __name__ == "__main__":
    main()
