"""A random graph with about as many edges as the private one.

Paper      Erdős and Rényi 1959, the model with a fixed number of edges
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  the number of edges is unbiased before it is cut to what is possible; nothing else is kept
Cost       O(m)

Sensitivity: one edge more or less changes the number of edges by 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes
from graphveil.synthetic.synthesizer import Fit, Synthesizer


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomEdges(Synthesizer):
    """A noisy number of edges between random people.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> star = Graph.from_edges([(0, friend) for friend in range(1, 9)])
    >>> run(RandomEdges(epsilon=Fraction(40)), star, SeededNoise(1)).targets
    {'edges': 8}
    """

    def measure(self, graph: Graph) -> tuple[NoisyInteger]:
        """The number of edges with all of epsilon."""
        return (NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """The noisy number, cut to what is possible among this public number of people."""
        most = math.comb(facts.n_nodes, 2)
        return Fit(facts.n_nodes, {"edges": int(min(max(0, outcomes[0]), most))})

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Pairs of people, each as likely as any other; made from the fit alone, so it costs nothing."""
        return erdos_renyi(fit.n_nodes, m=fit.targets["edges"], seed=seed)
