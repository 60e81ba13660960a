"""How often stated 95 % intervals of released numbers hold, on every family of graphs and at three epsilons.

`python -m benchmarks.families.releases` prints a line for each algorithm that answers with one number: how often its
interval held over all draws, and least often on one graph at one epsilon. A graph is measured once and drawn many
times, all draws with fresh noise. The truth is the edge query's answer at the largest epsilon.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import product

from benchmarks.families.defaults import named

from graphveil.central.query import PublicFacts
from graphveil.graph.generate.families import FAMILIES
from graphveil.mechanisms.algorithm import measured
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import MAX_EPSILON
from graphveil.registry import QUERIES
from graphveil.release.draw import run

ROUNDING = 1e-6
OWN_TRUTH = {"transitivity"}  # under node privacy it is that of the truncated graph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help="families or public graphs")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--algorithms", nargs="*", help="names of these only")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--draws", type=int, default=100)
    options = parser.parse_args()
    noise, graphs = SeededNoise(2026), {name: named(name, options.people) for name in options.graphs}
    print(f"{'algorithm':<30}{'unit':<6}{'draws':>7}{'held':>7}{'least':>7}   where")
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
        first = next(other for other in QUERIES if other.query == row.query)
        for name, epsilon in product(graphs, options.epsilons):
            graph, query = graphs[name], row.build(Fraction(epsilon))
            truth = run(first.build(Fraction(MAX_EPSILON)), graph, noise).value
            if not isinstance(truth, int | float):
                break
            measurements, facts = measured(query, graph), PublicFacts.of(graph, query.unit)
            held = 0
            for _ in range(options.draws):
                accuracy = query.conclude(draw(measurements, noise), facts).accuracy
                if not accuracy.bands:
                    break
                low, high = accuracy.interval(0.95)
                held += low - ROUNDING <= truth <= high + ROUNDING
            else:
                shares[f"{name}, epsilon {epsilon}"] = held / options.draws
        if shares:
            where, mean = min(shares, key=lambda key: shares[key]), sum(shares.values()) / len(shares)
            drawn = len(shares) * options.draws
            print(f"{row.name:<30}{row.unit:<6}{drawn:>7}{mean:>7.3f}{shares[where]:>7.2f}   {where}", flush=True)


if __name__ == "__main__":
    main()
