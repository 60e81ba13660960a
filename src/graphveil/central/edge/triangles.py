"""Number of triangles under edge privacy.

Paper      smoothed integer ladder, ours; it extends Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; mean error about J_0 / epsilon, J_0 the most common
           neighbours of a pair or a little more
Cost       one exact count of triangles and a pruned pass over wedges
Differs    the ladder as published has twice the noise (`papers.peers.published_ladder`)

Sensitivity: the ladder function is local sensitivity at distance t (`statistics.ladder.functions`). The interval
rests on LS_0, the most common neighbours of any pair: an edge between u and w gives u one more common neighbour with
each neighbour of w, and w with each neighbour of u, so this maximum changes by at most 1. As LS_t <= LS_0 + t it
bounds the whole ladder.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.forecast_guesses import guess_common_neighbors
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.statistics.ladder.functions import rising_ladder, triangle_ladder
from graphveil.statistics.ladder.ladder import Ladder


@dataclass(frozen=True, slots=True)
class LadderTriangles(LadderStatistic):
    """The number of triangles on a smoothed ladder.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(LadderTriangles(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    1
    """

    query = "triangles"
    what = "number of triangles"
    bound = "max_common_neighbors"
    bound_text = "largest number of common neighbours of two people"

    def exact(self, graph: Graph) -> int:
        """The number of triangles."""
        return exact_triangles(graph)

    def ladder(self, graph: Graph) -> Ladder:
        """Local sensitivity at every distance."""
        return triangle_ladder(neighbour_front(graph), graph.n_nodes)

    def exact_bound(self, graph: Graph, ladder: Ladder) -> int:  # noqa: ARG002 - the ladder starts with it
        """The most common neighbours of a pair."""
        return int(ladder.steps[0])

    def ladder_above(self, bound: int, n_nodes: int) -> Ladder:
        """LS_0 + t, and no pair has more than everybody else in common."""
        return rising_ladder(bound, max(0, n_nodes - 2))

    def largest_bound(self, n_nodes: int) -> int:
        """Everybody else."""
        return max(0, n_nodes - 2)

    def most(self, n_nodes: int) -> int:
        """Everybody knows everybody."""
        return math.comb(n_nodes, 3)

    def guess_bound(self, facts: PublicFacts) -> int:
        """`max_common_neighbors`, or two fifths of the largest degree."""
        return guess_common_neighbors(facts)
