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

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from graphveil.central.edge.degree_histogram import (
    SCOPE,
    fit_histogram,
    forecast_histogram,
    histogram_accuracy,
    tile_width,
)
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.central.weighted.total import WEIGHT_ASSUMES
from graphveil.central.weighted.weight_cap import WeightCap
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.weighted import with_weights
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.entries import LAST_ENTRY
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, LevelTiles, read_levels

MOST_STRENGTH = 100_000  # strengths above count as this one


@dataclass(frozen=True, slots=True)
class StrengthHistogram(Query):
    """How many people have each strength; entry s of the value estimates it, and the entries sum to n.

    >>> from graphveil.graph.weighted import WeightedGraph
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
                    width=partial(tile_width, self.rate(most)),
                    sensitivity=SENSITIVITY * most,
                    highest=self._highest(most, graph.n_nodes),
                ),
            )

        return cap.measure(weighted, tiles)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        """The histogram that fits the noisy tiles."""
        cap, derived, (noisy,) = self.cap.conclude(outcomes)
        rate = self.rate(cap)
        tiles = read_levels(noisy, facts.n_nodes, rate, partial(tile_width, rate), self._highest(cap, facts.n_nodes))
        value = fit_histogram(tiles)
        stages = (
            self.cap.stage(cap),
            Stage(f"fitted the number of people of at least each strength to {len(tiles.sums):,} noisy counts"),
        )
        last = {LAST_ENTRY: f"{self.max_strength:,} or more"} if len(value) > self.max_strength else {}
        bias = f"smoothed over pooled strengths; weights are cut at {cap:,}"
        scope = f"{SCOPE}; of strengths with every weight cut at {cap:,}"
        return Answer(value, histogram_accuracy(value, tiles, bias=bias, scope=scope), stages, {**derived, **last})

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """Where strengths are common enough to be measured one by one."""
        rate, n_people = self.rate(self.cap.guess()), max(1, facts.n_nodes)
        return forecast_histogram(rate, n_people, "strengths that many people share; rare ones")

    def rate(self, cap: int) -> Fraction:
        """Rate of the noise of every tile at a cap."""
        return self.cap.rest / (SENSITIVITY * cap)

    def _highest(self, cap: int, n_people: int) -> int:
        """The largest strength there is for public reasons."""
        return min(self.max_strength, cap * max(0, n_people - 1))
