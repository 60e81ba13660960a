"""Degree assortativity under edge privacy: do people with many friends know each other.

Paper      four sums on smoothed integer ladders, ours; the coefficient: Newman 2002
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon: edges, 2-stars, 3-stars, degree products and two numbers for the interval
Estimator  the coefficient of four noisy sums, cut to -1..1
Cost       O(n + m)

With m edges, S2 2-stars, S3 3-stars and M the sum of degree products over edges, r = (M - X) / (K - X),
K = 3 S3 + 3 S2 + m (half the sum of d^3) and X = (S2 + m)^2 / m; 0 where the degrees at all ends are equal.

Sensitivity: m changes by 1; for the other sums see `statistics.ladder.functions`. The interval rests on the largest
degree (sensitivity 1) for the stars and on the level of the ladder for M (`statistics.ladder.ladder`).

Interval. The true r solves (M - X) - r (K - X) = 0. Noisy sums leave an error there: a sum of independent errors e_M,
e_3, e_2, e_m with weights of at most 1, 3 |r|, 3 |r| + |1 - r| L and |r| + |1 - r| L', L and L' bounds on the
derivatives of X in S2 and m between noise and truth. With c(r) a bound on that sum (`statistics.ladder.error_sum`), r
is within {r: |r - r~| (K~ - X~) <= c(r)}. For any d, |r - r~| >= d gives c(r) <= c~ |r - r~| / d, c~ being c with |r~|
+ d and |1 - r~| + d for |r| and |1 - r|; if c~ / (K~ - X~) <= d, the set is within that distance of r~.

The losses of the six numbers add up to epsilon. Their shares follow what each contributes to the error of assortativity
on the benchmark graphs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats
from graphveil.central.ladder_count import LEAST_EPSILON, NoisyBound
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_degree_products, exact_k_stars, neighbour_degree_sums, two_largest
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import ladder_half_widths, ladder_std
from graphveil.statistics.ladder.error_sum import FAILURES, half_width_at, sum_half_width
from graphveil.statistics.ladder.functions import product_ladder, star_ladder, star_ladder_above
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder, ladder_from_level, level_of

PARTS = ("edges", "2-stars", "3-stars", "degree products", "largest degree", "level")
PERCENT = dict(zip(PARTS, (2, 21, 17, 48, 4, 8), strict=True))
PERCENT_BELOW_A_QUARTER = dict(zip(PARTS, (2, 18, 15, 40, 10, 15), strict=True))  # else noise drowns the bounds


@dataclass(frozen=True, slots=True)
class DegreeSums:
    """Edges, 2-stars, 3-stars and the sum of degree products over edges."""

    edges: float
    two_stars: float
    three_stars: float
    products: float


@dataclass(frozen=True, slots=True)
class DegreeSumErrors:
    """What two noisy bounds say about the errors of the four sums."""

    epsilon: Fraction
    n_nodes: int
    largest_degree: NoisyBound
    level: NoisyBound

    def half_widths(self, bound_failure: float) -> list[Floats]:
        """Of each sum at `error_sum.FAILURES`, unless one of the two bounds fails, each at most this often."""
        rate = share(self.epsilon, "edges")
        edges = np.array([discrete_laplace_quantile(rate, 1 - failure) for failure in FAILURES], dtype=np.float64)
        laws = self._laws(self.largest_degree.upper(bound_failure), self.level.upper(bound_failure))
        return [edges, *(ladder_half_widths(law, FAILURES) for law in laws)]

    @property
    def stds(self) -> list[float]:
        """Standard deviations of the four, as if the noisy bounds were true."""
        laws = self._laws(self.largest_degree.noisy, self.level.noisy)
        return [discrete_laplace_std(share(self.epsilon, "edges")), *(ladder_std(law) for law in laws)]

    def _laws(self, degree: int, level: int) -> list[SmoothedLadder]:
        ladders = [star_ladder_above(degree, self.n_nodes, k) for k in (2, 3)]
        needed = math.ceil(80 / float(share(self.epsilon, "degree products")))
        return _laws([*ladders, ladder_from_level(level, level_q(self.epsilon), needed)], self.epsilon)


def sum_measurements(graph: Graph, epsilon: Fraction) -> Measurements:
    """Edges and the two bounds with discrete Laplace noise, the three sums between them on ladders."""
    largest = two_largest(graph.degrees.astype(np.int64))
    front = star_front(graph)
    products = product_ladder(largest, two_largest(neighbour_degree_sums(graph)), graph.n_nodes)
    ladders = [star_ladder(front, graph.n_nodes, 2), star_ladder(front, graph.n_nodes, 3), products]
    exact = [exact_k_stars(graph, 2), exact_k_stars(graph, 3), exact_degree_products(graph)]
    sums = zip(("number of 2-stars", "number of 3-stars", "sum of degree products over edges"), exact, strict=True)
    laws = _laws(ladders, epsilon)

    def noisy(what: str, value: int, part: str) -> NoisyInteger:
        return NoisyInteger(what=what, exact=value, sensitivity=1, epsilon=share(epsilon, part))

    return (
        noisy("number of edges", graph.n_edges, "edges"),
        *(LadderInteger(what=what, exact=value, rungs=law) for (what, value), law in zip(sums, laws, strict=True)),
        noisy("largest degree", largest[0], "largest degree"),
        noisy("level of the ladder of degree products", level_of_products(products, epsilon), "level"),
    )


def read_degree_sums(outcomes: Outcomes, epsilon: Fraction, n_nodes: int) -> tuple[DegreeSums, DegreeSumErrors]:
    """The noisy sums, and what the two bounds say about their errors."""
    *sums, largest, level = (int(outcome) for outcome in outcomes)
    bounds = NoisyBound(largest, share(epsilon, "largest degree")), NoisyBound(level, share(epsilon, "level"))
    return DegreeSums(*(max(0, value) for value in sums)), DegreeSumErrors(epsilon, n_nodes, *bounds)


def share(epsilon: Fraction, part: str) -> Fraction:
    """What one part may cost."""
    percent = PERCENT if epsilon >= Fraction(1, 4) else PERCENT_BELOW_A_QUARTER
    return Fraction(percent[part], 100) * epsilon


def level_kappa(epsilon: Fraction) -> Fraction:
    """Kappa over epsilon for levels: finer than that of the draw, so that they tell more."""
    return Fraction(1, 200) if epsilon >= Fraction(1, 2) else Fraction(1, 100)


def level_q(epsilon: Fraction) -> int:
    """1 / kappa of the same."""
    return math.ceil(1 / (level_kappa(epsilon) * epsilon))


def level_of_products(ladder: Ladder, epsilon: Fraction) -> int:
    """Level of the ladder of degree products."""
    return level_of(int(SmoothedLadder(ladder, epsilon, level_kappa(epsilon)).widths(1)[0]), level_q(epsilon))


def _laws(ladders: list[Ladder], epsilon: Fraction) -> list[SmoothedLadder]:
    parts = ("2-stars", "3-stars", "degree products")
    return [SmoothedLadder(ladder, share(epsilon, part)) for ladder, part in zip(ladders, parts, strict=True)]


BOUND_FAILS = 0.08  # of the failure probability, for each of the two noisy bounds
RANGE_FAILS = 0.01  # and for the ranges of S2 and m that L and L' are taken over


@dataclass(frozen=True, slots=True)
class Assortativity(Query):
    """The correlation of the degrees at the two ends of an edge.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3), (3, 4)])
    >>> round(run(Assortativity(epsilon=Fraction(2000)), graph, SeededNoise(1)).value, 3)
    -0.667
    """

    query = "assortativity"
    unit = "edge"
    why_one_unit = (
        "one person moves the sum of degree products by 3 D^3 with degrees cut at D: noise of 8e7 / epsilon for D 300",
        "edges and 2-stars",
    )
    least_epsilon = LEAST_EPSILON

    def measure(self, graph: Graph) -> Measurements:
        """The four sums and the two numbers that bound their errors."""
        return sum_measurements(graph, self.epsilon)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The coefficient of the noisy sums."""
        sums, errors = read_degree_sums(outcomes, self.epsilon, facts.n_nodes)
        accuracy = _accuracy(sums, errors)
        derived = {"edges": sums.edges, "2-stars": sums.two_stars, "3-stars": sums.three_stars}
        return Answer(accuracy.value, accuracy, (Stage("computed the correlation from the noisy sums"),), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """For a correlation near 0, from guesses of the sums (`edges`, `2-stars`, `3-stars`) and the largest degree."""
        degree = facts.guess_max_degree()
        edges, two, three = facts.guess_edges(), facts.guess_two_stars(), facts.guess_three_stars()
        sums = DegreeSums(edges, two, three, (two + edges) ** 2 / edges)
        q = level_q(self.epsilon)
        level = level_of(max(q, round(1.2 * degree**2)), q)  # hubs joined to hubs, and a fifth more for their friends
        errors = DegreeSumErrors(
            self.epsilon,
            facts.n_nodes,
            NoisyBound(degree, share(self.epsilon, "largest degree")),
            NoisyBound(level, share(self.epsilon, "level")),
        )
        around = _accuracy(sums, errors)
        return Accuracy(0, around.std, around.bands)


def coefficient(sums: DegreeSums) -> float:
    """(M - X) / (K - X) within -1..1, 0 where it is undefined."""
    top, bottom = _terms(sums)
    return min(1.0, max(-1.0, top / bottom)) if bottom > 0 else 0.0


def _terms(sums: DegreeSums) -> tuple[float, float]:
    """M - X and K - X."""
    if sums.edges <= 0:
        return 0.0, 0.0
    spread = (sums.two_stars + sums.edges) ** 2 / sums.edges
    return sums.products - spread, 3 * sums.three_stars + 3 * sums.two_stars + sums.edges - spread


def _accuracy(sums: DegreeSums, errors: DegreeSumErrors) -> Accuracy:
    value = coefficient(sums)
    bands = []
    for level in LEVELS:
        reach = _half_width(sums, errors, 1 - level)
        bands.append(Band(level, min(2.0, reach), min(2.0, reach)))
    std = min(1.0, _std(sums, errors))  # no number between -1 and 1 has more
    return Accuracy(value, std, tuple(bands), support=(-1, 1))


def _half_width(sums: DegreeSums, errors: DegreeSumErrors, failure: float) -> float:
    """A distance from r~ that the true r keeps; infinite where the sums do not tell."""
    top, bottom = _terms(sums)
    if bottom <= 0:
        return math.inf
    widths = errors.half_widths(BOUND_FAILS * failure)
    slack = [half_width_at(width, RANGE_FAILS * failure) for width in widths[:2]]
    if slack[0] >= sums.edges:
        return math.inf
    steepness = (sums.two_stars + slack[1]) / (sums.edges - slack[0])
    distance = 2.5 * _std(sums, errors)
    while distance < 2:
        weights = _weights(abs(top / bottom) + distance, abs(1 - top / bottom) + distance, steepness)
        left = (1 - 2 * BOUND_FAILS - 2 * RANGE_FAILS) * failure
        reach = sum_half_width(list(zip(weights, widths, strict=True)), left) / bottom
        if reach <= distance:
            return reach
        distance *= 2
    return math.inf


def _std(sums: DegreeSums, errors: DegreeSumErrors) -> float:
    """Of r~ to first order."""
    top, bottom = _terms(sums)
    if bottom <= 0:
        return 1.0
    r = top / bottom
    weights = _weights(abs(r), abs(1 - r), sums.two_stars / sums.edges)
    return math.hypot(*(weight * std for weight, std in zip(weights, errors.stds, strict=True))) / bottom


def _weights(r: float, other: float, steepness: float) -> tuple[float, float, float, float]:
    """What an error of 1 in m, S2, S3 and M moves the equation by, at most, where S2 / m is at most the steepness."""
    return r + other * max(1.0, steepness**2), 3 * r + other * 2 * (steepness + 1), 3 * r, 1.0
