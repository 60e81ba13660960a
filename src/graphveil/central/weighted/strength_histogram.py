"""How many people have each strength (the weight of all their edges together), under edge privacy.

Paper      as `degree-histogram`: tiles of the Young diagram
Unit       edge; two people connected or not, with whatever weight; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  isotonic fit of tile means; biased where many strengths are pooled, and by what the caps cut off
Cost       O(m + number of tiles)

Every weight is cut at W. One edge more or less changes the strength of either end by at most W, so the Young
diagram of the strengths gains or loses at most 2 W boxes, and so do the sums of disjoint tiles. Strengths above a
public highest one count as that one: cutting takes boxes away and adds none. W is public, or a tenth of epsilon finds
it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.central.edge.degree_histogram import LEAST_SUM, SCOPE, SPARSE, SPARSE_GROWTH
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.central.weighted.total import WEIGHT_ASSUMES
from graphveil.central.weighted.weight_cap import WeightCap
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.weighted import with_weights
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_std
from graphveil.mechanisms.entries import LAST_ENTRY
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, LevelTiles, pooled_width, read_levels
from graphveil.statistics.degrees.histogram_bounds import bound_drops, forecast_drop_slack
from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, distances, fit_falling

MOST_STRENGTH = 100_000  # strengths above count as this one


@dataclass(frozen=True, slots=True)
class StrengthHistogram(Query):
    """How many people have each strength; entry s of the value estimates it, and the entries sum to n.

    >>> from graphveil.graph.weighted import WeightedGraph
    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> from graphveil.release.draw import run
    >>> graph = WeightedGraph.from_ties([(0, 1), (0, 2)], [1, 2], n_nodes=4)
    >>> histogram = run(StrengthHistogram(epsilon=Fraction(2000), max_weight=2), graph, SeededNoise(1)).value
    >>> [round(people, 2) for people in histogram]
    [1.0, 1.0, 1.0, 1.0]
    """

    query = "strength-histogram"
    unit = "edge"
    reads = "weights"
    assumes = (WEIGHT_ASSUMES,)
    why_one_unit = (
        "one person may change the strength of everybody: noise of n times the cap / epsilon",
        "weighted-total",
    )

    max_weight: int | None = None
    max_strength: int = MOST_STRENGTH

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        self.cap.__post_init__()
        if not 1 <= self.max_strength <= 100 * MOST_STRENGTH:
            raise ParameterError(
                f"max_strength must lie from 1 to {100 * MOST_STRENGTH:,} here, not at {self.max_strength:,}"
            )

    @property
    def cap(self) -> WeightCap:
        """How the weight of one edge is bounded."""
        return WeightCap(self.max_weight, self.epsilon)

    def measure(self, graph: Graph) -> Measurements:
        """Tiles from low strengths to high, whose widths follow from the noisy sums before."""
        weighted, cap = with_weights(graph), self.cap

        def tiles(most: int) -> Measurements:
            strengths = np.minimum(weighted.strengths(most), self._highest(most, graph.n_nodes))
            return (
                LevelTiles(
                    degrees=strengths,
                    epsilon=cap.rest,
                    width=partial(self._width, self.rate(most)),
                    sensitivity=SENSITIVITY * most,
                    highest=self._highest(most, graph.n_nodes),
                ),
            )

        return cap.measure(weighted, tiles)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The histogram that fits the noisy tiles."""
        cap, derived, (noisy,) = self.cap.conclude(outcomes)
        rate = self.rate(cap)
        width = partial(self._width, rate)
        tiles = read_levels(noisy, facts.n_nodes, rate, width, self._highest(cap, facts.n_nodes))
        value = _estimate(tiles)
        stages = (
            self.cap.stage(cap),
            Stage(f"fitted the number of people of at least each strength to {len(tiles.sums):,} noisy counts"),
        )
        last = {LAST_ENTRY: f"{self.max_strength:,} or more"} if len(value) > self.max_strength else {}
        return Answer(value, _accuracy(value, tiles, cap), stages, {**derived, **last})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """Where strengths are common enough to be measured one by one."""
        rate = self.rate(self.cap.guess())
        reach = {level: forecast_drop_slack(rate, max(1, facts.n_nodes), 1 - level) for level in LEVELS}
        bands = tuple(Band(level, slack, slack) for level, slack in reach.items())
        scope = "strengths that many people share; rare ones are pooled, and known as a group"
        return Accuracy(0, math.sqrt(2) * discrete_laplace_std(rate), bands, scope=scope)

    def rate(self, cap: int) -> Fraction:
        """Rate of the noise of every tile at a cap."""
        return self.cap.rest / (SENSITIVITY * cap)

    def _highest(self, cap: int, n_people: int) -> int:
        """The largest strength there is for public reasons."""
        return min(self.max_strength, cap * max(0, n_people - 1))

    def _width(self, rate: Fraction, level: int, height: float) -> int:
        """Width of the next tile, as for degrees."""
        pooled = pooled_width(rate)(level, height)
        return pooled if height * SENSITIVITY * rate >= SPARSE else max(pooled, level // SPARSE_GROWTH)


def _estimate(tiles: FallingTiles) -> tuple[float, ...]:
    """The histogram from noisy tiles; strengths that surely nobody has are left out at the end."""
    if tiles.ceiling == 0:
        return ()
    fitted = fit_falling(tiles, threshold=LEAST_SUM / float(tiles.rate), at_zero=tiles.ceiling)
    reached = int(np.count_nonzero(bound_falling(tiles, 1 - LEVELS[-1])[1]))
    nobody = np.zeros(max(0, reached - len(fitted)) + 1)
    heights = np.concatenate((np.array([float(tiles.ceiling)]), fitted, nobody))
    people: list[float] = (heights[:-1] - heights[1:]).tolist()
    return tuple(people)


def _accuracy(value: tuple[float, ...], tiles: FallingTiles, cap: int) -> Accuracy:
    entries, near = np.array(value), tiles.up_to(len(value))
    bands = tuple(
        Band(level, *distances(entries, least[: len(value)], most[: len(value)]))
        for level in LEVELS
        for least, most in (bound_drops(near, 1 - level),)
    )
    std = math.sqrt(2) * discrete_laplace_std(tiles.rate)
    bias = f"smoothed over pooled strengths; weights are cut at {cap:,}"
    scope = f"{SCOPE}; of strengths with every weight cut at {cap:,}"
    return Accuracy(value, std, bands, bias=bias, support=(0, tiles.ceiling), scope=scope)
