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
from fractions import Fraction

from graphveil.central.ladder_statistic import LadderBound, LadderCount, LadderStatistic
from graphveil.central.query import PublicFacts
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.statistics.ladder.functions import rising_ladder, triangle_ladder


def _others_of_two(n_nodes: int) -> int:
    """No pair has more common neighbours than everybody else."""
    return max(0, n_nodes - 2)


TRIANGLES = LadderCount(
    what="number of triangles",
    exact=exact_triangles,
    ladder=lambda graph: triangle_ladder(neighbour_front(graph), graph.n_nodes),
    most=lambda n_nodes: math.comb(n_nodes, 3),
    bound=LadderBound(
        name="max_common_neighbors",
        what="largest number of common neighbours of two people",
        exact=lambda _, ladder: int(ladder.steps[0]),
        ladder_above=lambda bound, n_nodes: rising_ladder(bound, _others_of_two(n_nodes)),  # LS_0 + t
        most=_others_of_two,
        guess=PublicFacts.guess_common_neighbors,
    ),
)


@dataclass(frozen=True, slots=True)
class LadderTriangles(LadderStatistic):
    """The number of triangles on a smoothed ladder.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(LadderTriangles(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    1
    """

    query = "triangles"
    count = TRIANGLES

    @property
    def kappa_share(self) -> Fraction:
        """A tenth. Half of that costs twice the noise where no two people have more than a few friends in common.

        Where a ladder starts high, as in large networks, it would cost 6 % less.
        """
        return Fraction(1, 10)
