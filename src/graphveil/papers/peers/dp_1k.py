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
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyVector
from graphveil.mechanisms.old_measurement import draw_all
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, fit_falling
from graphveil.synthetic.synthesizer import Fit, Synthesizer
from graphveil.synthetic.veil.degrees import whole_degrees

SENSITIVITY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DpDegrees(Synthesizer):
    """Degrees alone.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> DpDegrees(epsilon=Fraction(50)).fit(star, SeededNoise(1)).targets
    {'edges': 3, 'degrees': [3, 1, 1, 1]}
    """

    def measurements(self, graph: Graph) -> tuple[NoisyVector]:
        """The degrees in falling order."""
        return (NoisyVector(np.sort(graph.degrees)[::-1], self.epsilon / SENSITIVITY),)

    def fit(self, graph: Graph, noise: Noise) -> Fit:
        """Noisy sorted degrees, made to fall."""
        rate, n = self.epsilon / SENSITIVITY, graph.n_nodes
        (noisy,) = draw_all(self.measurements(graph), noise)
        ranks = np.arange(n)
        falling = fit_falling(FallingTiles(max(0, n - 1), n, rate, ranks, np.ones_like(ranks), noisy))
        edges = int(np.rint(falling.sum() / 2))
        degrees = whole_degrees(falling, edges)
        return Fit(n, {"edges": int(degrees.sum()) // 2, "degrees": degrees.tolist()})

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """A random graph with these degrees."""
        return configuration(fit.targets["degrees"], seed=seed)
