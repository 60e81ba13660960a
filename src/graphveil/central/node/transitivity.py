"""Transitivity under node privacy: the share of pairs of friends of one person who are friends.

Paper      smoothed ladders on a rank projection, ours; projection: Blocki, Blum, Datta, Sheffet 2013
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people and both counts together
Estimator  3 triangles / 2-stars of the graph in which people keep their first D edges, limited to 0..1; truncation
           lowers both counts, and their ratio less
Cost       O(m log m) for the public order of the edges, then one exact count of triangles

Sensitivity: both counts are drawn from ladders on the same truncated graph (`central.node.ladder` has the proofs).

Band: of the truncated graph, as in `central.edge.transitivity`, with ladders that are above the true ones but for a
part of the failure probability. Those ladders jump where the bound comes within the noise of the h-index, so it
gets more of epsilon here, the bound is 1.8 of it, and ladders fall faster than counts alone would need: the answers
stay about as good as with the best bound, 1.5, and bands are half as wide. The constants were set on ego-Facebook,
wiki-Vote, ca-AstroPh and email-Enron at epsilon 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.edge.transitivity import ratio, ratio_spread
from graphveil.central.node.degree_bound import check_bound
from graphveil.central.node.ladder import (
    LEAST_LADDER_EPSILON,
    MOST_BOUND,
    TRIANGLES,
    TWO_STARS,
    LadderCounts,
    Shares,
    Truncation,
)
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import ladder_half_widths
from graphveil.statistics.ladder.error_sum import FAILURES

BOUND_FAILS = 0.3  # of the failure probability, for the noisy numbers that bound the ladders
MULTIPLE = 1.8  # the bound over the noisy h-index
H_INDEX_SHARE, PEOPLE_SHARE = Fraction(3, 20), Fraction(1, 100)
TRIANGLE_SHARE = Fraction(3, 5)  # of what the counts get
KAPPA_SHARE = Fraction(1, 5)
GUESSED_RATIO = 0.2  # transitivity that a forecast takes for granted


@dataclass(frozen=True, slots=True)
class NodeTransitivity(Query):
    """The global clustering coefficient of the graph in which people keep their first edges.

    `max_degree` is the bound if it is public; `declared_people` a public size of the graph, for the forecast.

    >>> graph = Graph.from_edges([(i, j) for i in range(30) for j in range(i)])
    >>> run(NodeTransitivity(epsilon=Fraction(100), max_degree=29), graph, SeededNoise(1)).value
    1.0
    """

    query = "transitivity"
    unit = "node"
    least_epsilon = LEAST_LADDER_EPSILON

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, least=2, most=MOST_BOUND)

    @property
    def counts(self) -> LadderCounts:
        """Triangles and 2-stars, and how they share epsilon."""
        h_index, people = H_INDEX_SHARE * self.epsilon, PEOPLE_SHARE * self.epsilon
        shares = Shares(h_index, people, self.epsilon - h_index - people, KAPPA_SHARE)
        triangles = TRIANGLE_SHARE * shares.counts
        parts = (TRIANGLES, triangles), (TWO_STARS, shares.counts - triangles)
        return LadderCounts(shares, parts, self.max_degree, MULTIPLE)

    def measure(self, graph: Graph) -> Measurements:
        """The h-index, the number of people, and both counts after truncation."""
        return self.counts.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """Three times the noisy triangles over the noisy 2-stars."""
        truncation, (triangles, two_stars), stages = self.counts.conclude(outcomes)
        divided = Stage("divided three times the triangles by the 2-stars")
        derived = truncation.derived | {"triangles": triangles, "2-stars": two_stars}
        accuracy = self._accuracy(triangles, two_stars, truncation)
        return Answer(accuracy.value, accuracy, (*stages, divided), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """From guesses of the h-index and of the number of 2-stars."""
        truncation = self.counts.guess(facts)
        two_stars = max(1.0, min(facts.guess_two_stars(), facts.n_nodes * math.comb(truncation.bound, 2)))
        around = self._accuracy(GUESSED_RATIO * two_stars / 3, two_stars, truncation)
        return Accuracy(0, around.std, around.bands, scope=around.scope)

    def _accuracy(self, triangles: float, two_stars: float, truncation: Truncation) -> Accuracy:
        value, counts = ratio(triangles, two_stars), self.counts.counts
        bands = []
        for level in LEVELS:
            laws = [truncation.law(count, epsilon, BOUND_FAILS * (1 - level)) for count, epsilon in counts]
            widths = [ladder_half_widths(law, FAILURES) for law in laws]
            bands.append(Band(level, *ratio_spread((triangles, two_stars), widths, (1 - BOUND_FAILS) * (1 - level))))
        of_triangles, of_two_stars = (truncation.std(count, epsilon) for count, epsilon in counts)
        return Accuracy(
            value,
            min(1.0, (3 * of_triangles + value * of_two_stars) / max(1.0, two_stars)),
            tuple(bands),
            bias=f"that of truncation at degree {truncation.bound}, of either sign",
            support=(0, 1),
            scope=f"of the graph in which people keep at most their first {truncation.bound} edges, not of the whole "
            "one",
        )
