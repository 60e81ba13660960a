"""Degree histogram under edge privacy.

Paper      tiles of the Young diagram, ours; they extend Hay, Li, Miklau, Jensen 2009 from ranks to levels
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  heights C(j) = #{v: d_v >= j} from noisy tiles, made to fall and interpolated; then C(d) - C(d + 1)
Cost       O(n) and a few hundred noise draws
Differs    Hay et al. add noise to n sorted degrees; here to a few hundred tile counts, whose noise does not grow with
           their width; no bound on the degree is needed

Sensitivity: 2 in L1 for all tile counts together, however they are chosen (`statistics.degrees.edge_tiles`).

Width of the tiles: common degrees are measured one by one, rare ones pooled
(`statistics.degrees.edge_tiles.pooled_width`); where the noisy height is mostly noise, tiles grow in proportion to the
level.

Band: bounds on tile counts and on their differences, all at once, bound every C(d) - C(d + 1), since C falls
(`statistics.degrees.histogram_bounds`). The list of entries goes on to where the widest of the bands knows that nobody
is beyond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_std
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, LevelTiles, pooled_width, read_levels
from graphveil.statistics.degrees.histogram_bounds import bound_drops, forecast_drop_slack
from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, distances, fit_falling

SPARSE = 8  # heights below this over epsilon are mostly noise: tiles then grow in proportion to the level
SPARSE_GROWTH = 20  # level over width of such a tile
LEAST_SUM = 7  # over the rate of the noise: a last tile with less in it is taken for empty
SCOPE = "all degrees at once, and nobody beyond the last; holds even if all people of pooled degrees have the same"


@dataclass(frozen=True, slots=True)
class DegreeHistogram(Query):
    """How many people have each degree; entry d of the value estimates it, and the entries sum to n.

    >>> graph = Graph.from_edges([(0, 1), (0, 2), (0, 3)], n_nodes=5)
    >>> histogram = run(DegreeHistogram(epsilon=Fraction(200)), graph, SeededNoise(1)).value
    >>> [round(people, 2) for people in histogram]
    [1.0, 3.0, 0.0, 1.0]
    """

    query = "degree-histogram"
    unit = "edge"
    sensitivity: ClassVar[int] = SENSITIVITY  # an edge raises the degrees of two people

    def degrees(self, graph: Graph) -> AnyArray:
        """The numbers that the histogram is of; one unit raises them by the sensitivity in all."""
        return graph.degrees

    @property
    def rate(self) -> Fraction:
        """Rate of the noise of every tile: epsilon over the sensitivity."""
        return self.epsilon / self.sensitivity

    def measure(self, graph: Graph) -> tuple[LevelTiles]:
        """Tiles from low degrees to high, whose widths follow from the noisy sums before."""
        degrees = self.degrees(graph)
        return (LevelTiles(degrees=degrees, epsilon=self.epsilon, width=self.width, sensitivity=self.sensitivity),)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The histogram that fits the noisy tiles."""
        tiles = read_levels(outcomes[0], facts.n_nodes, self.rate, self.width)
        value = fit_histogram(tiles)
        stages = (
            Stage(
                f"fitted the number of people with at least d neighbours to {len(tiles.sums):,} noisy counts, falling "
                "in d, and took differences"
            ),
        )
        return Answer(value, histogram_accuracy(value, tiles, bias="smoothed over pooled degrees"), stages)

    def width(self, level: int, height: float) -> int:
        """Width of the next tile, from the noisy height at this level."""
        return tile_width(self.rate, level, height)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """Where degrees are common enough to be measured one by one."""
        return forecast_histogram(self.rate, facts.n_nodes, "degrees that many people share; rare degrees")


def tile_width(rate: Fraction, level: int, height: float) -> int:
    """Width of the next tile at this rate of noise, from the noisy height at a level."""
    pooled = pooled_width(rate)(level, height)
    return pooled if height * SENSITIVITY * rate >= SPARSE else max(pooled, level // SPARSE_GROWTH)


def fit_histogram(tiles: FallingTiles) -> tuple[float, ...]:
    """The histogram from noisy tiles; degrees that surely nobody has are left out at the end."""
    n = tiles.ceiling
    if n == 0:
        return ()
    fitted = fit_falling(tiles, threshold=LEAST_SUM / float(tiles.rate), at_zero=n)
    reached = int(np.count_nonzero(bound_falling(tiles, 1 - LEVELS[-1])[1]))
    nobody = np.zeros(max(0, reached - len(fitted)) + 1)
    heights = np.concatenate((np.array([float(n)]), fitted, nobody))
    people: list[float] = (heights[:-1] - heights[1:]).tolist()
    return tuple(people)


def histogram_accuracy(value: tuple[float, ...], tiles: FallingTiles, *, bias: str, scope: str = SCOPE) -> Accuracy:
    """The bands of all entries at once, and the deviation of a difference of two noisy counts."""
    entries, near = np.array(value), tiles.up_to(len(value))
    bands = tuple(
        Band(level, *distances(entries, least[: len(value)], most[: len(value)]))
        for level in LEVELS
        for least, most in (bound_drops(near, 1 - level),)
    )
    return Accuracy(value, drop_std(tiles.rate), bands, bias=bias, support=(0, tiles.ceiling), scope=scope)


def forecast_histogram(rate: Fraction, n_people: int, shared: str) -> Accuracy:
    """The accuracy of entries that are measured one by one: two noises of the same rate."""
    reach = {level: forecast_drop_slack(rate, n_people, 1 - level) for level in LEVELS}
    bands = tuple(Band(level, slack, slack) for level, slack in reach.items())
    return Accuracy(0, drop_std(rate), bands, scope=f"{shared} are pooled, and known as a group")


def drop_std(rate: Fraction) -> float:
    """The standard deviation of the difference of two noisy counts."""
    return math.sqrt(2) * discrete_laplace_std(rate)
