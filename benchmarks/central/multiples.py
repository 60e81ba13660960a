"""Which multiple of the h-index suits node-private counts, chosen without the graph it is judged on.

`python -m benchmarks.central.multiples` prints, for edges, 2-stars and triangles: how far from the best of the grid
each multiple is on average over graphs and epsilons (geometric mean) and at worst; which multiple is best on average
with each graph left out in turn, and how far it is from the best on the graph left out. The error is the expected one,
bias and Laplace noise, at the exact h-index. Where a linear program has many rows its optimum is replaced by what it
cannot pass.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter

import numpy as np
from benchmarks.central.node_patterns import Known
from benchmarks.families.defaults import named

from graphveil.central.node.patterns.count import H_INDEX_SHARE
from graphveil.central.node.patterns.optimum import ETA
from graphveil.central.node.patterns.programs import count_patterns
from graphveil.central.node.patterns.queries import BoundedCount, BoundedEdges, BoundedTriangles, BoundedTwoStars
from graphveil.graph.generate.families import FAMILIES
from graphveil.graph.statistics.degrees import exact_h_index

MULTIPLES = (0.5, 1, 1.5, 2, 3, 4, 5, 7, 10)
EPSILONS = (0.25, 0.5, 1, 2, 4)
QUERIES: tuple[type[BoundedCount], ...] = (BoundedEdges, BoundedTwoStars, BoundedTriangles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--graphs", nargs="*", default=["ca-GrQc", "feather-lastfm-asia", *sorted(set(FAMILIES) - {"tiny"})]
    )
    parser.add_argument("--people", nargs="*", type=int, default=[200, 1000], help="in graphs of families")
    options = parser.parse_args()
    for query in QUERIES:
        ratios = {}
        for name in options.graphs:
            for people in options.people if name in FAMILIES else [0]:
                errors = expected_errors(query, name, people)
                if errors is not None:
                    ratios[f"{name} {people or ''}".strip()] = errors / errors.min(axis=1, keepdims=True)
        print(f"\n{query.query}, {len(ratios)} graphs; the default is {query.counted.choice.multiple}")
        everything = np.stack(list(ratios.values()))  # graph, epsilon, multiple
        for place, multiple in enumerate(MULTIPLES):
            column = everything[:, :, place]
            print(f"  {multiple:>4g}: {np.exp(np.log(column).mean()):6.2f} on average, {column.max():7.1f} at worst")
        chosen, apart = Counter(), []
        for place in range(len(everything)):
            others = np.delete(everything, place, axis=0)
            best = int(np.log(others).mean(axis=(0, 1)).argmin())
            chosen[MULTIPLES[best]] += 1
            apart.append(np.exp(np.log(everything[place, :, best]).mean()))
        print(f"  one left out: {dict(chosen)} chosen; there {min(apart):.2f} to {max(apart):.2f} of the best")


def expected_errors(query: type[BoundedCount], name: str, people: int) -> np.ndarray | None:
    """A row for each epsilon, a column for each multiple; None where there is nothing to count."""
    graph, counted = named(name, people), query.counted
    loads = counted.pattern.loads(graph)
    truth, known, h_index = (
        count_patterns(counted.pattern, loads),
        Known(graph, counted.pattern),
        exact_h_index(graph.degrees),
    )
    if not truth:
        return None
    table = np.empty((len(EPSILONS), len(MULTIPLES)))
    for row, epsilon in enumerate(EPSILONS):
        least = max(counted.choice.least, math.ceil(1 / (epsilon * float(H_INDEX_SHARE))))
        for place, multiple in enumerate(MULTIPLES):
            bound = max(least, round(multiple * epsilon**counted.choice.power * h_index))
            tau = max(1, counted.load(bound))
            bias = truth - float(known.value(tau))
            scale = math.ceil((1 + ETA) * tau) / (epsilon * (1 - float(H_INDEX_SHARE)))
            table[row, place] = bias + scale * math.exp(-bias / scale)
    return table


if __name__ == "__main__":
    main()
