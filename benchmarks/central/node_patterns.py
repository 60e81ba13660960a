"""Edges, 2-stars and triangles under node privacy: our default, the methods of 0.1 and Race-to-the-Top.

`python -m benchmarks.central.node_patterns --queries triangles --graphs ca-GrQc` prints a line for each method: median
and mean relative error over the draws at every epsilon, then how often the 95 % lower end held over all of them.
Families of graphs can be named as well as public graphs. Where there is no such pattern, errors are counts. The exact
optimum of a linear program is found once for a graph and a bound. Race-to-the-Top tries bounds that many people are
above: there the optimum is replaced by a number that it cannot pass, which is in its favour.
"""

from __future__ import annotations

import argparse
import math
from fractions import Fraction
from functools import cached_property
from unittest.mock import patch

import numpy as np
from benchmarks.families.defaults import named

from graphveil.central.node.patterns import count
from graphveil.central.node.patterns.optimum import ETA, find_optimum
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, Pattern, Program, count_patterns
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import FAMILIES
from graphveil.graph.subgraph import induced_subgraph
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.peers.race_to_the_top import Race
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
    parser.add_argument("--methods", nargs="*", help="names of these only")
    options = parser.parse_args()
    print(f"{'graph':21}{'method':20}" + "".join(f"{epsilon:>17}" for epsilon in options.epsilons) + "   held")
    for name in options.graphs:
        graph = named(name, options.people)
        for query in options.queries:
            pattern = PATTERNS[query]
            truth, known = count_patterns(pattern, pattern.loads(graph)), Known(graph, pattern)
            with (
                patch.object(count, "find_optimum", known.exact),
                patch.object(Race, "measure", lambda race, _, known=known: known.race(race)),
            ):
                for row in QUERIES:
                    if row.query == query and row.unit == "node" and row.name in (options.methods or [row.name]):
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
        self._graph, self._pattern, self._loads = graph, pattern, pattern.loads(graph)
        self._found: dict[int, Fraction] = {}

    def exact(self, program: Program) -> Fraction:
        """The optimum."""
        if program.tau not in self._found:
            self._found[program.tau] = find_optimum(program)
        return self._found[program.tau]

    def race(self, race: Race) -> Measurements:
        """Race-to-the-Top's measurements, larger programs than `MOST_ROWS` are not even listed."""
        return tuple(self._noisy(race, tau) for tau in race.bounds)

    def _noisy(self, race: Race, tau: int) -> NoisyInteger:
        changes, share = math.ceil((1 + ETA) * tau), race.epsilon / len(race.bounds)
        return NoisyInteger(what=f"at {tau}", exact=math.ceil(self.value(tau)), sensitivity=changes, epsilon=share)

    def value(self, tau: int) -> Fraction:
        """The optimum, or of a large program something above it."""
        if np.count_nonzero(self._loads > tau) > MOST_ROWS:
            return self._above(tau)
        return self.exact(self._pattern.program(self._graph, self._loads, tau))

    def _above(self, tau: int) -> Fraction:
        """Each person keeps tau or less; and hubs keep tau each, beside all patterns without hubs."""
        shared = Fraction(int(np.minimum(self._loads, tau).sum()), self._pattern.size)
        return min(shared, *(Fraction(hubs * tau + left) for hubs, left in self._without_hubs))

    @cached_property
    def _without_hubs(self) -> list[tuple[int, int]]:
        """How many patterns are left without the people who are part of most of them."""
        order, left = np.argsort(-self._loads), []
        for hubs in (0, *(2**power for power in range(12) if 2**power < len(order))):
            graph = induced_subgraph(self._graph, np.isin(np.arange(len(order)), order[hubs:]))
            left.append((hubs, count_patterns(self._pattern, self._pattern.loads(graph))))
        return left


if __name__ == "__main__":
    main()
