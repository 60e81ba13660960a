"""How synthesis by veil grows from 10^5 to 10^7 edges: `python -m benchmarks.veil_growth --most 1e7`.

Everything runs in one process after a small run that compiles, so no start is in it: processor time of measuring and
drawing at epsilon 1, and peak memory beyond that of the graph, on Barabási-Albert networks of 10 edges a person. The
growth is the slope of log time over log edges: 1 is linear. Times are medians of three seeds, since noise decides how
many rounds of swaps there are. Without options: up to a million edges.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks._peak import peak

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import barabasi_albert
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import find_synthesizer
from graphveil.release.draw import run

SIZES = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
RUNS, SHORT = 3, 30.0  # seconds: what takes longer is run once


class Cost(NamedTuple):
    """Of one synthetic graph."""

    measured: float
    drawn: float
    wall: float
    bytes: int

    @property
    def seconds(self) -> float:
        """Of the processor, both steps."""
        return self.measured + self.drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=1e6)
    sizes = [size for size in SIZES if size <= parser.parse_args().most]
    once(network(10_000), 0)
    print(f"{'edges':>12}{'measure s':>11}{'draw s':>9}{'both s':>9}{'of the clock':>14}{'bytes an edge':>15}")
    costs = []
    for size in sizes:
        graph = network(size)
        runs = [once(graph, 1)]
        while len(runs) < RUNS and runs[0].seconds < SHORT:
            runs.append(once(graph, len(runs) + 1))
        cost = sorted(runs, key=lambda each: each.seconds)[len(runs) // 2]
        costs.append(cost.seconds)
        print(
            f"{size:12,}{cost.measured:11.2f}{cost.drawn:9.2f}{cost.seconds:9.2f}{cost.wall:14.2f}"
            f"{cost.bytes / size:15.0f}",
            flush=True,
        )
    if len(sizes) > 1:
        print(f"growth {np.polyfit(np.log(sizes), np.log(costs), 1)[0]:.2f}")


def network(edges: int) -> Graph:
    return barabasi_albert(edges // 10 + 10, 10, seed=1)


def once(graph: Graph, seed: int) -> Cost:
    """Measure and draw once; memory is counted from here on (Linux)."""
    method = find_synthesizer("veil").build(epsilon=Fraction(1))
    Path("/proc/self/clear_refs").write_text("5")
    held, wall, start = peak(), time.perf_counter(), time.process_time()
    fit = run(method, graph, SeededNoise(seed))
    measured = time.process_time() - start
    method.sample(fit, seed=seed)
    drawn = time.process_time() - start - measured
    return Cost(measured, drawn, time.perf_counter() - wall, peak() - held)


if __name__ == "__main__":
    main()
