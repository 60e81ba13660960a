"""A graph with noisy degrees (DP-1K).

Paper      Wang and Wu 2013 (dK-1 with noise); degrees by Hay, Li, Miklau, Jensen 2009
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a random graph with the falling degree sequence nearest to the noisy one
Cost       O(n log n + m)
Differs    noise on the sorted degrees, where sensitivity is 2, with no bound taken from the graph; nodes in random
           order and edges switched at random, so that no order passes for knowledge about people

Sensitivity: one edge changes the sorted degrees by 2 in L1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, fit_falling
from graphveil.synthetic.degrees import whole_degrees
from graphveil.synthetic.synthesizer import Fit, Synthesizer

SENSITIVITY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DpDegrees(Synthesizer):
    """Degrees alone.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(DpDegrees(epsilon=Fraction(50)), star, SeededNoise(1)).targets
    {'edges': 3, 'degrees': [3, 1, 1, 1]}
    """

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """All degrees in falling order, which one edge changes by 2 in total."""
        falling = np.sort(graph.degrees)[::-1]
        what = "degrees in falling order"
        return (NoisyVector(what=what, exact=falling, sensitivity=SENSITIVITY, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The falling whole degrees of a simple graph that are nearest to the noisy ones."""
        n, (noisy,) = facts.n_nodes, outcomes
        ranks = np.arange(n)
        tiles = FallingTiles(max(0, n - 1), n, self.epsilon / SENSITIVITY, ranks, np.ones_like(ranks), noisy)
        falling = fit_falling(tiles)
        degrees = whole_degrees(falling, int(np.rint(falling.sum() / 2)))
        return Fit(n, {"edges": int(degrees.sum()) // 2, "degrees": degrees.tolist()})

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """A random graph with these degrees."""
        return configuration(fit.targets["degrees"], seed=seed)
