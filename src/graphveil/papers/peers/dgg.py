"""A graph of dense blocks from everybody's noisy degree (DGG).

Paper      Qin et al. 2017 (the degree-based baseline of LDPGen); blocks by Seshadhri, Kolda, Pinar 2012
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  degrees person by person; clustering is a public guess, not measured
Cost       O(n log n + m)
Differs    noise of scale 2 / epsilon: one edge changes two degrees; benchmarks of this method have used 1 / epsilon

Sensitivity: one edge changes two of the n degrees by 1 each: 2 in L1.

People are followed: node u of a drawn graph has about the degree of person u. The guess at clustering is 0.95
e^(-(d - 1) / 20) for degree d, the same for every graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Outcomes
from graphveil.papers.peers.block_graph import block_graph
from graphveil.synthetic.synthesizer import Fit, Synthesizer

SENSITIVITY = 2
MOST_CLUSTERING = 0.95
FALL = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeBlocks(Synthesizer):
    """Everybody's degree, and blocks.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(DegreeBlocks(epsilon=Fraction(50)), star, SeededNoise(1)).targets
    {'edges': 3, 'degrees': [3, 1, 1, 1]}
    """

    def measure(self, graph: Graph) -> tuple[NoisyVector]:
        """Everybody's degree, in the order of the nodes."""
        what = "degree of every person"
        return (NoisyVector(what=what, exact=graph.degrees, sensitivity=SENSITIVITY, epsilon=self.epsilon),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """Everybody's noisy degree, cut to what n people allow."""
        degrees = np.clip(outcomes[0], 0, max(0, facts.n_nodes - 1))
        targets = {"edges": int(degrees.sum()) // 2, "degrees": degrees.tolist()}
        return Fit(facts.n_nodes, targets, follows_people=True, labels=facts.labels)

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """Blocks of similar degrees, and edges anywhere."""
        degrees = np.array(fit.targets["degrees"], dtype=np.float64)
        clustering = MOST_CLUSTERING * np.exp(-np.maximum(degrees - 1, 0) / FALL)
        return block_graph(degrees, clustering, seed=seed)
