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

from graphveil.central.ladder_statistic import LadderBound, LadderCount, LadderStatistic
from graphveil.central.query import PublicFacts
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.statistics.ladder.functions import rising_ladder, star_ladder, star_ladder_above


def _two_times_others(n_nodes: int) -> int:
    """Both ends of an edge know everybody else at most."""
    return max(0, 2 * (n_nodes - 2))


TWO_STARS = LadderCount(
    what="number of 2-stars",
    exact=lambda graph: exact_k_stars(graph, 2),
    ladder=lambda graph: star_ladder(star_front(graph), graph.n_nodes, 2),
    most=lambda n_nodes: n_nodes * math.comb(max(0, n_nodes - 1), 2),
    bound=LadderBound(
        name="largest_degree_sum",
        what="largest sum of the degrees of two people",  # their own edge left out
        exact=lambda _, ladder: int(ladder.steps[0]),
        ladder_above=lambda bound, n_nodes: rising_ladder(bound, _two_times_others(n_nodes)),  # LS_0 + t
        most=_two_times_others,
        guess=lambda facts: 2 * facts.guess_max_degree(),
    ),
)
THREE_STARS = LadderCount(
    what="number of 3-stars",
    exact=lambda graph: exact_k_stars(graph, 3),
    ladder=lambda graph: star_ladder(star_front(graph), graph.n_nodes, 3),
    most=lambda n_nodes: n_nodes * math.comb(max(0, n_nodes - 1), 3),
    bound=LadderBound(
        name="max_degree",
        what="largest degree",
        exact=lambda graph, _: int(graph.degrees.max(initial=0)),
        ladder_above=lambda bound, n_nodes: star_ladder_above(bound, n_nodes, 3),
        most=lambda n_nodes: max(0, n_nodes - 1),
        guess=PublicFacts.guess_max_degree,
    ),
)


@dataclass(frozen=True, slots=True)
class TwoStars(LadderStatistic):
    """The number of pairs of friends of one person.

    >>> from fractions import Fraction
    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(TwoStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    3
    """

    query = "2-stars"
    count = TWO_STARS


@dataclass(frozen=True, slots=True)
class ThreeStars(LadderStatistic):
    """The number of groups of three friends of one person.

    >>> from fractions import Fraction
    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(ThreeStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    1
    """

    query = "3-stars"
    count = THREE_STARS
