"""Joint-degree perturbation in groups of similar betweenness (BCPA), as published.

Paper      Huang, Wang, Tang, Zhang 2019, Algorithms 1 and 2
Unit       edge
Trust      central
Guarantee  claimed epsilon, refuted: no epsilon holds
Estimator  unbiased counts of the tuples that occur, standard deviation sqrt(2) (4 d_g + 1) / epsilon in group g
Cost       O(n m) for the betweenness of all edges; above n m = 1e9 it is sampled, and the error reported
Differs    our reading: betweenness is the ordinary one, as the paper defines it in words (`betweenness`); noise on the
           integers instead of the reals; the noisy table is made realisable before a graph is drawn

Tuples are sorted by the mean betweenness of their edges and cut into groups, each with its own largest degree. One edge
can change the whole order, and with it the noise scale of any tuple.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.papers.bcpa.betweenness_order import BETWEENNESS, TupleOrder, betweenness_order
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.privacy.guarantee import PublishedClaim, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Bcpa(TuplePerturbation):
    """Groups by mean edge betweenness: the `ordinary` one, or that of the paper's `equation-2`.

    >>> from graphveil.graph.statistics.degree_table import exact_joint_degrees
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> scheme = Bcpa(epsilon=Fraction(1), n_groups=2)
    >>> scheme.order(path, exact_joint_degrees(path)).places.tolist()
    [0, 1]
    """

    claim: ClassVar[PublishedClaim] = PublishedClaim(
        paper="Huang et al. 2019, Theorems 4 and 5",
        statement="noise of scale (4 d_g + 1) / epsilon within every group of 2K tuples is epsilon-edge-private",
        verdict=Verdict.REFUTED,
        reason="only tuples that occur are published, order, groups and scales come from the private graph, and one "
        "edge changes many groups",
        true_epsilon=None,
    )

    n_groups: int = 20
    betweenness: str = "ordinary"

    def __post_init__(self) -> None:
        TuplePerturbation.__post_init__(self)
        if self.betweenness not in BETWEENNESS:
            raise ParameterError(f"betweenness is {' or '.join(BETWEENNESS)}, not {self.betweenness!r}")

    def order(self, graph: Graph, table: DegreeTable) -> TupleOrder:
        """By the mean betweenness of a tuple's edges, from small to large (Algorithm 2)."""
        return betweenness_order(graph, table, betweenness=self.betweenness)
