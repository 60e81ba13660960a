"""Transitivity under edge privacy: the share of pairs of friends of one person who are friends.

Paper      smoothed integer ladder, ours; it extends Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon: triangles and 2-stars together
Estimator  3 triangles / 2-stars of two noisy counts, cut to 0..1
Cost       one exact count of triangles and a pruned pass over wedges

Sensitivity: `central.edge.triangles` and `central.edge.k_stars`; their losses add up.

Interval. With errors x of the triangles T and y of the 2-stars S, the true h = T / S has |T~ - h S~| = |x - h y|, so it
lies with probability 1 - alpha in {h: |T~ - h S~| <= c(h)}, c(h) a bound on |x - h y| at failure alpha (Fieller 1954).
By `statistics.ladder.error_sum` c rises with h, so below h~ = T~ / S~ the set is all that lies above one h. It also
says that c(h) <= c(g) h / g for h >= g; so where g > h~ is outside, g S~ - T~ > c(g), everything above g is too: h S~ -
T~ - c(h) is at least h (S~ - c(g) / g) - T~, whose slope is positive. Both ends are found by halving, and rounded
outwards. Transitivity is 3 h, and 0 for a graph without 2-stars.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.arrays import Floats
from graphveil.central.edge.k_stars import TwoStars
from graphveil.central.edge.triangles import LadderTriangles
from graphveil.central.ladder_count import LEAST_EPSILON, NoisyBound
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.error_sum import sum_half_width

TRIANGLE_SHARE = Fraction(11, 20)
HALVINGS = 24
BOUND_FAILS = 0.05  # of the failure probability, for each of the two noisy bounds


@dataclass(frozen=True, slots=True)
class Transitivity(Query):
    """The global clustering coefficient.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(Transitivity(epsilon=Fraction(80)), graph, SeededNoise(1)).value
    0.6
    """

    query = "transitivity"
    unit = "edge"
    least_epsilon = 3 * LEAST_EPSILON  # two counts share it

    @property
    def parts(self) -> tuple[LadderTriangles, TwoStars]:
        """The two counts and what each may cost."""
        triangles = TRIANGLE_SHARE * self.epsilon
        return LadderTriangles(epsilon=triangles), TwoStars(epsilon=self.epsilon - triangles)

    def measure(self, graph: Graph) -> Measurements:
        """Both counts, each with the number that bounds its ladder."""
        triangles, two_stars = self.parts
        return *triangles.measure(graph), *two_stars.measure(graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The ratio of the two noisy counts."""
        n, (triangle_part, star_part) = facts.n_nodes, self.parts
        triangles, two_stars = triangle_part.read(outcomes[:2], n), star_part.read(outcomes[2:], n)
        accuracy = self._accuracy((triangles.value, two_stars.value), (triangles.bound, two_stars.bound), n)
        derived = {"triangles": triangles.value, "2-stars": two_stars.value}
        return Answer(accuracy.value, accuracy, (Stage("divided three times the triangles by the 2-stars"),), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """From guesses of both counts (`triangles`, `2-stars`) and of what bounds their ladders."""
        bounds = [NoisyBound(part.count.bound.guess(facts), part.interval_epsilon) for part in self.parts]
        guesses = facts.guess_triangles(), facts.guess_two_stars()
        around = self._accuracy(guesses, (bounds[0], bounds[1]), facts.n_nodes)
        return Accuracy(0, around.std, around.bands)

    def _accuracy(self, counts: tuple[float, float], bounds: tuple[NoisyBound, NoisyBound], n_nodes: int) -> Accuracy:
        triangles, two_stars = counts
        value = ratio(triangles, two_stars)
        errors = [part.error(bound, n_nodes) for part, bound in zip(self.parts, bounds, strict=True)]
        bands = []
        for level in LEVELS:
            widths = [error.widths_at_upper(BOUND_FAILS * (1 - level)) for error in errors]
            bands.append(Band(level, *ratio_spread(counts, widths, (1 - 2 * BOUND_FAILS) * (1 - level))))
        std = math.hypot(3 * errors[0].std, value * errors[1].std) / max(1.0, two_stars)
        return Accuracy(value, min(1.0, std), tuple(bands), support=(0, 1))


def ratio_spread(counts: tuple[float, float], widths: list[Floats], failure: float) -> tuple[float, float]:
    """How far transitivity may lie below and above that of two noisy counts, given half-widths at `FAILURES`."""
    triangles, two_stars = counts
    value = ratio(triangles, two_stars)
    if two_stars <= 0:
        return value, 1 - value

    def outside(transitivity: float) -> bool:
        h = transitivity / 3
        return abs(triangles - h * two_stars) > sum_half_width([(1.0, widths[0]), (h, widths[1])], failure)

    return value - _last_outside(outside, 0.0, value), _last_outside(outside, 1.0, value) - value


def _last_outside(outside: Callable[[float], bool], end: float, inside: float) -> float:
    """The point nearest to `inside` that is outside, going there from `end`; `end` itself if it is not outside."""
    if end == inside or not outside(end):
        return end
    for _ in range(HALVINGS):
        middle = (end + inside) / 2
        end, inside = (middle, inside) if outside(middle) else (end, middle)
    return end


def ratio(triangles: float, two_stars: float) -> float:
    """3 triangles / 2-stars, between 0 and 1; 0 without 2-stars."""
    return min(1.0, max(0.0, 3 * triangles / two_stars)) if two_stars > 0 else 0.0
