"""How often stated 95 % intervals of releases hold, on every family of graphs and at three epsilons.

`python -m benchmarks.families.releases` prints a line for each algorithm that answers with numbers: how often its
interval held over all draws, and least often on one graph at one epsilon. The interval of a list holds if all entries
lie in it, or counts by its share of entries where it speaks of each by itself. A graph is measured once and drawn many
times, all draws with fresh noise. The truth is the edge query's answer at the largest epsilon.

The last columns count cells, graph and epsilon each, below the number of draws that a right interval misses with
probability 1/1000, and how many such cells chance alone would bring.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from benchmarks.families.defaults import named
from scipy.stats import binom

from graphveil.arrays import Bits
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import FAMILIES
from graphveil.mechanisms.algorithm import measured
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import MAX_EPSILON
from graphveil.registry import QUERIES, Row
from graphveil.release.draw import run

ROUNDING = 1e-6
OWN_TRUTH = {"transitivity", "degree-histogram", "degree-distribution"}  # under node privacy: of the truncated graph
RARE = 0.001


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help="families or public graphs")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--algorithms", nargs="*", help="names of these only")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--draws", type=int, default=100)
    options = parser.parse_args()
    noise, graphs = SeededNoise(2026), {name: named(name, options.people) for name in options.graphs}
    least = int(binom.ppf(RARE, options.draws, 0.95))  # fewer hold with a probability below RARE
    chance = binom.cdf(least - 1, options.draws, 0.95)
    print(f"{'algorithm':<30}{'unit':<6}{'draws':>7}{'held':>7}{'least':>7}{'low':>5}{'chance':>8}   where")
    for row in QUERIES:
        if (
            row.needs
            or getattr(row.cls, "reads", "edges") != "edges"
            or (row.unit == "node" and row.query in OWN_TRUTH)
        ):
            continue
        if options.algorithms and row.name not in options.algorithms:
            continue
        shares = {}
        for name, epsilon in product(graphs, options.epsilons):
            held = share_held(row, graphs[name], epsilon, options.draws, noise)
            if held is not None:
                shares[f"{name}, epsilon {epsilon}"] = held
        if shares:
            where, mean = min(shares, key=lambda key: shares[key]), sum(shares.values()) / len(shares)
            low = sum(share * options.draws < least for share in shares.values())
            print(
                f"{row.name:<30}{row.unit:<6}{len(shares) * options.draws:>7}{mean:>7.3f}{shares[where]:>7.2f}"
                f"{low:>5}{chance * len(shares):>8.2f}   {where}",
                flush=True,
            )


def share_held(row: Row, graph: Graph, epsilon: str, draws: int, noise: SeededNoise) -> float | None:
    """How often the interval holds, or None where the answer is a name or has no interval."""
    first = next(other for other in QUERIES if other.query == row.query)
    truth = run(first.build(Fraction(MAX_EPSILON)), graph, noise).value
    query = row.build(Fraction(epsilon))
    measurements, facts, held = measured(query, graph), PublicFacts.of(graph, query.unit), 0.0
    for _ in range(draws):
        accuracy = query.conclude(draw(measurements, noise), facts).accuracy
        if not accuracy.bands or accuracy.center is not None:
            return None
        holds = inside(truth, *accuracy.interval(0.95))
        held += holds.all() if accuracy.simultaneous else holds.mean()
    return held / draws


def inside(truth: Any, low: Any, high: Any) -> Bits:
    """For each entry whether it lies between the ends; entries that are not listed are 0."""
    truth, low, high = (np.atleast_1d(np.asarray(each, dtype=float)) for each in (truth, low, high))
    size = max(len(truth), len(low))
    truth, low, high = (np.pad(each, (0, size - len(each))) for each in (truth, low, high))
    return (low - ROUNDING <= truth) & (truth <= high + ROUNDING)


if __name__ == "__main__":
    main()
