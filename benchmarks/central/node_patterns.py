"""Edges, 2-stars and triangles under node privacy: our default, the methods of 0.1 and Race-to-the-Top.

`python -m benchmarks.central.node_patterns --queries triangles --graphs ca-GrQc` prints a line for each method: median
and mean relative error over the draws at every epsilon, then how often the 95 % lower end held over all of them.
Families of graphs can be named as well as public graphs. Where there is no such pattern, errors are counts. The exact
optimum of a linear program is found once for a graph and a bound. Race-to-the-Top tries bounds that most people are
above: there the optimum is replaced by a number that it cannot pass, which is in its favour.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from unittest.mock import patch

import numpy as np
from benchmarks.families.defaults import named

from graphveil.central.node.patterns import count
from graphveil.central.node.patterns.optimum import find_optimum
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, Pattern, Program, count_patterns
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import FAMILIES
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.peers import race_to_the_top
from graphveil.registry import QUERIES

PATTERNS = {pattern.name: pattern for pattern in (EDGES, TWO_STARS, TRIANGLES)}
MOST_ROWS = 100  # of a program of Race-to-the-Top that is solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", nargs="*", default=["triangles"], choices=list(PATTERNS))
    parser.add_argument("--graphs", nargs="*", default=["ca-GrQc"], help=f"public graphs, or {', '.join(FAMILIES)}")
    parser.add_argument("--people", type=int, default=200, help="in a graph of a family")
    parser.add_argument("--epsilons", nargs="*", default=["0.25", "0.5", "1", "2"])
    parser.add_argument("--draws", type=int, default=31)
    options = parser.parse_args()
    print(f"{'graph':21}{'method':20}" + "".join(f"{epsilon:>17}" for epsilon in options.epsilons) + "   held")
    for name in options.graphs:
        graph = named(name, options.people)
        for query in options.queries:
            pattern = PATTERNS[query]
            truth, known = count_patterns(pattern, pattern.loads(graph)), Known(graph, pattern)
            with (
                patch.object(count, "find_optimum", known.exact),
                patch.object(race_to_the_top, "find_optimum", known.generous),
            ):
                for row in QUERIES:
                    if row.query == query and row.unit == "node":
                        cells, held = [], []
                        for epsilon in options.epsilons:
                            algorithm = row.build(Fraction(epsilon))
                            measurements = algorithm.measure(graph)
                            errors = []
                            for seed in range(options.draws):
                                answer = algorithm.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(0))
                                errors.append(abs(answer.value - truth) / max(1, truth))
                                held.append(answer.accuracy.interval(0.95)[0] <= truth)
                            cells.append(f"{np.median(errors):9.3f} ({np.mean(errors):5.2g})")
                        print(f"{name:21}{row.name:20}{''.join(cells)}   {np.mean(held):.2f}", flush=True)


class Known:
    """Optima of one pattern in one graph, found once for each bound."""

    def __init__(self, graph: Graph, pattern: Pattern) -> None:
        self._graph, self._pattern = graph, pattern
        self._found: dict[int, Fraction] = {}

    def exact(self, program: Program) -> Fraction:
        """The optimum."""
        if program.tau not in self._found:
            self._found[program.tau] = find_optimum(program)
        return self._found[program.tau]

    def generous(self, program: Program) -> Fraction:
        """The optimum, or for a large program something above it."""
        if program.n_heavy <= MOST_ROWS:
            return self.exact(program)
        shared = int(np.minimum(self._pattern.loads(self._graph), program.tau).sum())
        return min(Fraction(program.total), Fraction(shared, self._pattern.size))


if __name__ == "__main__":
    main()
