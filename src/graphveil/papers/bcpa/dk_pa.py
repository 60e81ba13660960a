"""Joint-degree perturbation in one group (dK-PA), as published.

Paper      Sala, Zhao, Wilson, Zheng, Zhao 2011; compared with in Huang, Wang, Tang, Zhang 2019
Unit       edge
Trust      central
Guarantee  claimed epsilon, refuted: no epsilon holds
Estimator  unbiased counts of the tuples that occur, standard deviation sqrt(2) (4 d_max + 1) / epsilon
Cost       O(m)
Differs    noise on the integers instead of the reals; the noisy table is made realisable before a graph is drawn

One more edge can create a tuple that was not there. It is then published with probability 1 instead of 0. Even on a
fixed support, noise of scale 4 d_max + 1 with the true largest degree gives itself away in its tails.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.papers.bcpa.betweenness_order import TupleOrder
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.privacy.guarantee import PublishedClaim, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class DkPa(TuplePerturbation):
    """All tuples in one group.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> published = DkPa(epsilon=Fraction(200)).perturb(star, SeededNoise(1))
    >>> published.degrees.tolist(), published.counts.tolist()
    ([[1, 3]], [[3]])
    """

    claim: ClassVar[PublishedClaim] = PublishedClaim(
        paper="Sala et al. 2011; Huang et al. 2019, Theorem 3 and Definition 2",
        statement="Laplace noise of scale (4 d_max + 1) / epsilon on the 2K tuples is epsilon-edge-private",
        verdict=Verdict.REFUTED,
        reason="only tuples that occur are published, and the scale uses the true largest degree",
        true_epsilon=None,
    )

    n_groups: int = field(default=1, init=False)

    def order(self, graph: Graph, table: DegreeTable) -> TupleOrder:
        """The tuples as they come: with one group, any order is the same."""
        del graph
        return TupleOrder(np.arange(len(table)))
