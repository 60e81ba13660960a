"""Every exact answer about graphs that an engine gives, and releases drawn from a seed, as JSON.

    python tools/engine_answers.py friends.parquet                                   # in one process
    python tools/engine_answers.py friends.parquet --master spark://127.0.0.1:7077   # on Spark

Two engines agree if they print the same answers: long ones are told apart by their SHA-256. Seconds are those of the
wall. `--wait FILE` lets the first task that counts triangles write the number of its process and wait there, so that
somebody can kill it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.central.edge.average_clustering import heaviest_change
from graphveil.engines.engine import InProcess
from graphveil.graph.core import Graph
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_degeneracy
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.graph.statistics.degrees import exact_assortativity, neighbour_degree_sums
from graphveil.graph.statistics.pareto_pairs import neighbour_front, star_front
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.job import Request
from graphveil.release.session import Session
from graphveil.statistics.degrees.degree_classes import DegreeClasses, exact_class_sums
from graphveil.statistics.joint_degrees.soft import count_soft_cells

STATISTICS: dict[str, Callable[[Graph], Any]] = {
    "degrees": lambda graph: graph.degrees,
    "triangles": exact_triangles_per_node,
    "degrees of friends": neighbour_degree_sums,
    "joint degrees": lambda graph: sorted(exact_joint_degrees(graph).to_dict().items()),
    "soft joint degrees": lambda graph: count_soft_cells(graph)[1],
    "assortativity": exact_assortativity,
    "components": lambda graph: exact_components(graph).labels,
    "degeneracy": exact_degeneracy,
    "pair with most in common": neighbour_front,
    "pair of largest degrees": star_front,
    "pair that moves clustering most": heaviest_change,
    "clustering by degree": lambda graph: exact_class_sums(graph, DegreeClasses(graph.n_nodes))[0],
}
QUERIES = ("edges", "triangles", "degree-histogram")
WAIT = 120  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--master", help="of Spark; without it, one process")
    parser.add_argument("--edges-per-task", type=int, default=8_000_000)
    parser.add_argument("--threads", type=int, help="of one process; all cores by default")
    parser.add_argument("--wait", type=Path, metavar="FILE")
    parser.add_argument("--statistics", nargs="+", default=list(STATISTICS), choices=STATISTICS)
    options = parser.parse_args()
    if options.master is None:
        if options.threads is not None:
            os.cpu_count = lambda: options.threads
        engine: Any = InProcess()
        print(json.dumps([answers(engine, file, options.statistics) for file in options.files]))
        return
    from graphveil.engines.spark.engine import SparkEngine
    from graphveil.engines.spark.start import running_spark

    with running_spark(options.master) as spark, waiting_task(options.wait):
        engine = SparkEngine(spark, edges_per_task=options.edges_per_task)
        print(json.dumps([answers(engine, file, options.statistics) for file in options.files]))


def answers(engine: Any, file: str, names: list[str]) -> dict[str, dict[str, Any]]:
    """All answers by name, and the seconds that each took."""
    found: dict[str, Any] = {}
    seconds: dict[str, float] = {}

    def time_of(name: str, task: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        result = task()
        seconds[name] = round(time.perf_counter() - begin, 2)
        return result

    graph = time_of("reading", lambda: engine.read(file).graph)
    for name in names:
        found[name] = short(time_of(name, lambda name=name: STATISTICS[name](graph)))
    session = Session(graph, unit="edge", budget=9, noise=SeededNoise(5))
    requests = [Request(query, Fraction(1)) for query in QUERIES]
    released = time_of("release", lambda: session.release_all(requests))
    found["release"] = short([{**item.to_json(), "provenance": None} for item in released])
    return {"answers": found, "seconds": seconds}


def short(value: Any) -> str:
    """A text that tells this value from any other."""
    text = json.dumps(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) < 60 else hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def waiting_task(file: Path | None) -> Iterator[None]:
    """Let the first task that counts triangles say where it runs, and wait; those after it do not."""
    from graphveil.engines.spark import triangles

    count = triangles.count_in_task

    def wait_once(batches: Any, n_colours: int) -> Any:
        try:
            with Path(str(file)).open("x") as marker:
                marker.write(str(os.getpid()))
            time.sleep(WAIT)
        except FileExistsError:
            pass
        return count(batches, n_colours)

    if file is not None:
        triangles.count_in_task = wait_once
    try:
        yield
    finally:
        triangles.count_in_task = count


if __name__ == "__main__":
    main()
