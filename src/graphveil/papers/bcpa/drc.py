"""Joint-degree perturbation in groups of similar degree (DRC), as published.

Paper      Sala, Zhao, Wilson, Zheng, Zhao 2011; compared with in Huang, Wang, Tang, Zhang 2019
Unit       edge
Trust      central
Guarantee  claimed epsilon, refuted: no epsilon holds
Estimator  unbiased counts of the tuples that occur, standard deviation sqrt(2) (4 d_g + 1) / epsilon in group g
Cost       O(m)
Differs    noise on the integers instead of the reals; the noisy table is made realisable before a graph is drawn

Tuples are sorted by degree and cut into groups, each with its own largest degree. One edge changes tuples of many
groups, so that parallel composition over groups does not apply; what is published (which tuples, in which groups)
depends on the graph besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.papers.bcpa.betweenness_order import TupleOrder
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.privacy.guarantee import PublishedClaim, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Drc(TuplePerturbation):
    """Groups by degree.

    >>> from graphveil.graph.statistics.degree_table import exact_joint_degrees
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3), (4, 5)])
    >>> scheme = Drc(epsilon=Fraction(1), n_groups=2)
    >>> table = exact_joint_degrees(graph)
    >>> scheme.group_degrees(table, scheme.order(graph, table)).tolist()
    [1, 3]
    """

    claim: ClassVar[PublishedClaim] = PublishedClaim(
        paper="Sala et al. 2011; Huang et al. 2019, Theorems 4 and 5",
        statement="noise of scale (4 d_g + 1) / epsilon within every group of 2K tuples is epsilon-edge-private",
        verdict=Verdict.REFUTED,
        reason="only tuples that occur are published, groups and scales come from the private graph, and one edge "
        "changes many groups",
        true_epsilon=None,
    )

    n_groups: int = 20

    def order(self, graph: Graph, table: DegreeTable) -> TupleOrder:
        """By the larger degree, then by the smaller."""
        del graph
        return TupleOrder(np.lexsort((table.degrees[:, 0], table.degrees[:, 1])))
