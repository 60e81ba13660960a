"""Four sums over degrees, measured together with what bounds their errors: edges, 2-stars, 3-stars, degree products.

Their losses add up to epsilon. The shares follow what each sum contributes to the error of assortativity on the
benchmark graphs; the largest degree bounds the ladders of both stars, the level (`mechanisms.ladder_level`) that of the
products.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.central.ladder_count import NoisyBound
from graphveil.graph.core import Graph
from graphveil.graph.degree_products import exact_degree_products, neighbour_degree_sums, two_largest
from graphveil.graph.pair_extremes import star_front
from graphveil.graph.stars import exact_k_stars
from graphveil.mechanisms.accuracy import discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.error_sum import FAILURES
from graphveil.mechanisms.ladder import Ladder, SmoothedLadder
from graphveil.mechanisms.ladder_accuracy import Floats, ladder_half_widths, ladder_std
from graphveil.mechanisms.ladder_functions import product_ladder, star_ladder, twin_star_ladder
from graphveil.mechanisms.ladder_level import ladder_from_level, level_of
from graphveil.mechanisms.measurement import Measurements
from graphveil.mechanisms.noisy_numbers import NoisyInteger, OnLadder

PARTS = ("edges", "2-stars", "3-stars", "degree products", "largest degree", "level")
PERCENT = dict(zip(PARTS, (2, 21, 17, 48, 4, 8), strict=True))
PERCENT_BELOW_A_QUARTER = dict(zip(PARTS, (2, 18, 15, 40, 10, 15), strict=True))  # else noise drowns the bounds


@dataclass(frozen=True, slots=True)
class DegreeSums:
    """The four sums."""

    edges: float
    two_stars: float
    three_stars: float
    products: float


@dataclass(frozen=True, slots=True)
class DegreeSumErrors:
    """What is known about their errors."""

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
        ladders = [twin_star_ladder(degree, self.n_nodes, k) for k in (2, 3)]
        needed = math.ceil(80 / float(share(self.epsilon, "degree products")))
        return _laws([*ladders, ladder_from_level(level, level_q(self.epsilon), needed)], self.epsilon)


def sum_measurements(graph: Graph, epsilon: Fraction) -> Measurements:
    """Edges and the two bounds with discrete Laplace noise, the three sums between them on ladders."""
    largest = two_largest(graph.degrees.astype(np.int64))
    front = star_front(graph)
    products = product_ladder(largest, two_largest(neighbour_degree_sums(graph)), graph.n_nodes)
    ladders = [star_ladder(front, graph.n_nodes, 2), star_ladder(front, graph.n_nodes, 3), products]
    exact = [exact_k_stars(graph, 2), exact_k_stars(graph, 3), exact_degree_products(graph)]
    return (
        NoisyInteger(graph.n_edges, share(epsilon, "edges")),
        *(OnLadder(value, law) for value, law in zip(exact, _laws(ladders, epsilon), strict=True)),
        NoisyInteger(largest[0], share(epsilon, "largest degree")),
        NoisyInteger(level_of_products(products, epsilon), share(epsilon, "level")),
    )


def conclude_degree_sums(noisy: Sequence[int], epsilon: Fraction, n_nodes: int) -> tuple[DegreeSums, DegreeSumErrors]:
    """What the outcomes say."""
    *sums, largest, level = noisy
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
