"""Number of 2-stars and of 3-stars under edge privacy: the sum of C(degree, 2), of C(degree, 3).

Paper      smoothed integer ladder, ours; it extends Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; mean error about J_0 / epsilon, J_0 the stars that an edge
           between the two most connected people makes, or a little more
Cost       O(n + m)
Differs    half the noise of the published ladder; a pair's own edge is left out of its degrees, else (b) fails

Sensitivity: the ladder function is local sensitivity at distance t (`statistics.ladder.functions`). The interval of
2-stars rests on LS_0, the largest p + q of any pair: one edge raises only one of p and q, by 1, so LS_0 changes by at
most 1, and LS_t <= LS_0 + t. That of 3-stars rests on the largest degree d, also of sensitivity 1: two people with d
friends each have a ladder above the true one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphveil.central.forecast_guesses import guess_max_degree
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.statistics.ladder.functions import rising_ladder, star_ladder, star_ladder_above
from graphveil.statistics.ladder.ladder import Ladder


@dataclass(frozen=True, slots=True)
class TwoStars(LadderStatistic):
    """The number of pairs of friends of one person.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(TwoStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    3
    """

    query = "2-stars"
    what = "number of 2-stars"
    bound = "largest_degree_sum"
    bound_text = "largest sum of the degrees of two people"

    def exact(self, graph: Graph) -> int:
        """The number of 2-stars."""
        return exact_k_stars(graph, 2)

    def ladder(self, graph: Graph) -> Ladder:
        """Local sensitivity at every distance."""
        return star_ladder(star_front(graph), graph.n_nodes, 2)

    def exact_bound(self, graph: Graph, ladder: Ladder) -> int:  # noqa: ARG002 - the ladder starts with it
        """The largest sum of the degrees of two people, their own edge left out."""
        return int(ladder.steps[0])

    def ladder_above(self, bound: int, n_nodes: int) -> Ladder:
        """LS_0 + t, and both know everybody else at most."""
        return rising_ladder(bound, max(0, 2 * (n_nodes - 2)))

    def largest_bound(self, n_nodes: int) -> int:
        """Twice everybody else."""
        return max(0, 2 * (n_nodes - 2))

    def most(self, n_nodes: int) -> int:
        """Everybody knows everybody."""
        return n_nodes * math.comb(max(0, n_nodes - 1), 2)

    def guess_bound(self, facts: PublicFacts) -> int:
        """Twice the largest degree."""
        return 2 * guess_max_degree(facts)


@dataclass(frozen=True, slots=True)
class ThreeStars(LadderStatistic):
    """The number of groups of three friends of one person.

    >>> from fractions import Fraction
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(ThreeStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    1
    """

    query = "3-stars"
    what = "number of 3-stars"
    bound = "max_degree"
    bound_text = "largest degree"

    def exact(self, graph: Graph) -> int:
        """The number of 3-stars."""
        return exact_k_stars(graph, 3)

    def ladder(self, graph: Graph) -> Ladder:
        """Local sensitivity at every distance."""
        return star_ladder(star_front(graph), graph.n_nodes, 3)

    def exact_bound(self, graph: Graph, ladder: Ladder) -> int:  # noqa: ARG002 - the ladder holds other numbers
        """The largest degree."""
        return int(graph.degrees.max(initial=0))

    def ladder_above(self, bound: int, n_nodes: int) -> Ladder:
        """The ladder of two people of that degree."""
        return star_ladder_above(bound, n_nodes, 3)

    def largest_bound(self, n_nodes: int) -> int:
        """Everybody else."""
        return max(0, n_nodes - 1)

    def most(self, n_nodes: int) -> int:
        """Everybody knows everybody."""
        return n_nodes * math.comb(max(0, n_nodes - 1), 3)

    def guess_bound(self, facts: PublicFacts) -> int:
        """The largest degree."""
        return guess_max_degree(facts)
