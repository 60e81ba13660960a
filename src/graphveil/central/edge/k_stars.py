"""Number of k-stars under edge privacy, for any k and by name for 2 and 3: the sum of C(degree, k) over all people.

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
most 1, and LS_t <= LS_0 + t. For more leaves it rests on the largest degree d, also of sensitivity 1: two people with d
friends each have a ladder above the true one, for every k.

Counts and ladders are integers of any size. Standard deviations are floats, which hold the cube of what one edge makes
up to MOST_MADE; a public limit on people and leaves follows from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.ladder_statistic import LadderBound, LadderCount, LadderStatistic
from graphveil.central.query import PublicFacts, Query
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.mechanisms.measurement import Measurements
from graphveil.statistics.ladder.functions import rising_ladder, star_ladder, star_ladder_above

MOST_MADE = 2**300  # stars that one edge makes: their cube, summed over a ladder, is a float


def _two_times_others(n_nodes: int) -> int:
    """Both ends of an edge know everybody else at most."""
    return max(0, 2 * (n_nodes - 2))


def _largest_degree(k: int) -> LadderBound:
    """The largest degree, which bounds the ladder of k-stars for every k."""
    return LadderBound(
        name="max_degree",
        what="largest degree",
        exact=lambda graph, _: int(graph.degrees.max(initial=0)),
        ladder_above=lambda bound, n_nodes: star_ladder_above(bound, n_nodes, k),
        most=lambda n_nodes: max(0, n_nodes - 1),
        guess=PublicFacts.guess_max_degree,
    )


_LARGEST_DEGREE_SUM = LadderBound(
    name="largest_degree_sum",
    what="largest sum of the degrees of two people",  # their own edge left out
    exact=lambda _, ladder: int(ladder.steps[0]),
    ladder_above=lambda bound, n_nodes: rising_ladder(bound, _two_times_others(n_nodes)),  # LS_0 + t
    most=_two_times_others,
    guess=lambda facts: 2 * facts.guess_max_degree(),
)


def star_count(k: int, bound: LadderBound) -> LadderCount:
    """The number of k-stars and its ladder, with what bounds that."""
    return LadderCount(
        what=f"number of {k}-stars",
        exact=lambda graph: exact_k_stars(graph, k),
        ladder=lambda graph: star_ladder(star_front(graph), graph.n_nodes, k),
        most=lambda n_nodes: n_nodes * math.comb(max(0, n_nodes - 1), k),
        bound=bound,
    )


@dataclass(frozen=True, slots=True)
class TwoStars(LadderStatistic):
    """The number of pairs of friends of one person.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(TwoStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    3
    """

    query = "2-stars"
    count = star_count(2, _LARGEST_DEGREE_SUM)


@dataclass(frozen=True, slots=True)
class ThreeStars(LadderStatistic):
    """The number of groups of three friends of one person.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> run(ThreeStars(epsilon=Fraction(20)), graph, SeededNoise(1)).value
    1
    """

    query = "3-stars"
    count = star_count(3, _largest_degree(3))


@dataclass(frozen=True, slots=True)
class KStars(LadderStatistic):
    """The number of groups of k friends of one person.

    >>> graph = Graph.from_edges([(0, friend) for friend in range(1, 7)])
    >>> run(KStars(epsilon=Fraction(100), k=5), graph, SeededNoise(1)).value
    6
    """

    query = "k-stars"
    why_one_unit = ("one person can be a leaf of everybody's stars: noise of n^k / epsilon", "2-stars or 3-stars")

    k: int = 4

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        if self.k < 2:
            raise ParameterError(f"k must be at least 2, not {self.k}; a star with 1 leaf is an edge: ask for edges")

    @property
    def kappa_share(self) -> Fraction:
        """In proportion to k - 1: next to a person with d friends a step of the ladder grows by the part (k - 1) / d.

        So from about 40 / epsilon friends on smoothing costs no more than this share, whatever k is. A fifth is most.
        """
        return min(Fraction(self.k - 1, 40), Fraction(1, 5))

    @property
    def count(self) -> LadderCount:
        """What is counted, for this k."""
        return star_count(self.k, _largest_degree(self.k))

    def check_people(self, n_people: int) -> None:
        """Refuse a k that so many people cannot have, and one whose counts are too large for the interval."""
        if self.k >= n_people:
            raise ParameterError(
                f"k is {self.k}, and among {n_people:,} people nobody has more than {max(0, n_people - 1):,} friends: "
                f"the number of {self.k}-stars is 0 whatever the edges are; ask for a smaller k"
            )
        self._check_size(n_people)

    def measure(self, graph: Graph) -> Measurements:
        """The count on the ladder of this graph, and the largest degree."""
        self._check_size(graph.n_nodes)
        return LadderStatistic.measure(self, graph)

    def _check_size(self, n_people: int) -> None:
        others = max(0, n_people - 2)
        too_many = (leaves for leaves in range(1, self.k) if math.comb(others, leaves) > MOST_MADE)
        if fits := next(too_many, None):  # so many leaves and one more edge: C(others, fits - 1) is small enough
            raise ParameterError(
                f"k is {self.k}, and among {n_people:,} people one edge can make more than 2^300 stars with so many "
                f"leaves, which no error bar can state; ask for a k of at most {fits}"
            )
