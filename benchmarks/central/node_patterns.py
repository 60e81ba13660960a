"""Edges, 2-stars and triangles under node privacy: our default, the methods of 0.1 and Race-to-the-Top.

`python -m benchmarks.central.node_patterns 1 31 triangles ca-GrQc` takes epsilon, draws, a query and graphs; without
them triangles at epsilon 1 on one graph. Every row is a method: median and mean relative error over the draws, how
often the 95 % lower end held, and the seconds of measuring, which depend on the machine.
"""

from __future__ import annotations

import os
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, count_patterns
from graphveil.central.query import PublicFacts
from graphveil.graph.files.read import read_graph
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES

PATTERNS = {pattern.name: pattern for pattern in (EDGES, TWO_STARS, TRIANGLES)}


def main() -> None:
    given = sys.argv[1:]
    epsilon, draws, query, *names = given if len(given) > 3 else ("1", "15", "triangles", "ca-GrQc")
    folder = Path(os.environ.get("GRAPHVEIL_DATA", "../shared/data"))
    print(f"{'graph':22}{'method':20}{'median':>8}{'mean':>8}{'held':>6}{'seconds':>9}")
    for name in names:
        graph = read_graph(folder / f"{name}.txt.gz")
        truth = count_patterns(PATTERNS[query], PATTERNS[query].loads(graph))
        for row in QUERIES:
            if row.query != query or row.unit != "node":
                continue
            algorithm, start = row.build(Fraction(epsilon)), time.perf_counter()
            measurements = algorithm.measure(graph)
            seconds, errors, held = time.perf_counter() - start, [], 0
            for seed in range(int(draws)):
                answer = algorithm.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(0))
                errors.append(abs(answer.value - truth) / truth)
                held += not answer.accuracy.bands or answer.accuracy.interval(0.95)[0] <= truth
            median, mean = float(np.median(errors)), float(np.mean(errors))
            print(f"{name:22}{row.name:20}{median:8.3f}{mean:8.3f}{held / int(draws):6.2f}{seconds:9.1f}", flush=True)


if __name__ == "__main__":
    main()
