"""Degree histogram under node privacy.

Paper      tiles of levels, ours; projection: Day, Li, Lyu 2016, whose histograms cost 2 D + 1 where tiles cost D
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people, twice, and tiles together
Estimator  the smoothest histogram that explains the noisy tiles, with an extrapolated tail above the bound
Cost       O(m log m) for the public order of the edges, then O(m); a few hundredths of a second for the fit
Differs    noise D / epsilon on sums over whole bands of degrees instead of (2 D + 1) / epsilon on every degree; the
           bound is the noisy h-index and paid for; nothing is left to an oracle

The graph is first truncated at a bound D: edges are scanned in a public order and kept while both ends have fewer than
D. Then counts of F(j) = #{v: fewer than j kept edges}, summed over bands of levels, get discrete Laplace noise of rate
epsilon_tiles / D; `statistics.degrees.node_tiles` proves their sensitivity D. The h-index and the number of people have
sensitivity 1. How wide the bands are follows from the noisy h-index and a first, rough count of the people; the count
that is used is made anew, so that its noise has no part in the choice of the bands.

Interval: truncation only lowers degrees, so F(j) of the truncated graph is at least F(j) of the graph, and the number
of people of degree d is at most F(d + 1), which the noisy tiles bound for all d at once (`NodeTiles.people_below`), and
at most the number of people. Tiles and number of people have half of the failure probability each. Upper ends are
therefore valid for the graph itself. No lower end but 0 exists without the promise that nobody has more than D
neighbours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.node.degree_bound import DegreeBound, check_bound
from graphveil.central.node.smooth_histogram import fit_smooth_histogram
from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes
from graphveil.statistics.degrees.node_tiles import NodeTiles, balanced_growth, growing_borders, noisy_tiles

SMALL_EPSILON = Fraction(3, 10)  # below it the h-index would cost more than it brings
DEFAULT_BOUND = 96  # the public bound that is then used instead
MOST_BOUND = 100_000


def truncated_degrees(graph: Graph, bound: int) -> Integers:
    """Degrees after the scan that keeps edges, in their public order, while both ends have fewer than `bound`."""
    return project_bounded_degree(graph, bound).degrees


class Shares(NamedTuple):
    """Epsilon of the bound, of the rough number of people, of the one that is used, and of the tiles."""

    bound: Fraction
    rough: Fraction
    people: Fraction
    tiles: Fraction


@dataclass(frozen=True, slots=True)
class NoisyDegrees:
    """What was measured of the degrees: the noisy number of people and the noisy tiles."""

    people: int
    people_rate: Fraction
    tiles: NodeTiles

    def histogram(self) -> tuple[float, ...]:
        """The smooth histogram up to where half a person is left; its entries sum to the noisy number of people."""
        fitted = fit_smooth_histogram(self.tiles, self.people, discrete_laplace_std(self.people_rate))
        left = fitted[::-1].cumsum()[::-1]
        kept = fitted[: max(1, int(np.count_nonzero(left >= 0.5)))]
        entries: list[float] = (kept * (self.people / kept.sum())).tolist()
        return tuple(entries)

    def count_ends(self, failure: float) -> Floats:
        """Upper ends of F(1), ..., F(D) and of n, which caps F; tiles and n share the failure probability evenly."""
        most = self.people + discrete_laplace_quantile(self.people_rate, 1 - failure)  # one-sided
        ends: Floats = np.append(self.tiles.people_below(failure / 2), most)
        return np.minimum(ends, most)

    def share_ends(self, failure: float) -> Floats:
        """Upper ends of F(1) / n, ..., F(D) / n, and 1: those of F over a lower end of n."""
        least = max(1, self.people - discrete_laplace_quantile(self.people_rate, 1 - failure))
        ends: Floats = np.append(self.tiles.people_below(failure / 2) / least, 1.0)
        return np.minimum(ends, 1.0)

    def accuracy(self, value: tuple[float, ...], ends: list[Floats], most: float) -> Accuracy:
        """The accuracy of a list whose entries have these upper ends at LEVELS; the last end holds for all others."""
        bound = int(self.tiles.borders[-1])
        bands = tuple(Band(level, math.inf, _above(value, end)) for level, end in zip(LEVELS, ends, strict=True))
        return Accuracy(
            value,
            None,
            bands,
            bias=f"smoothed; edges beyond a person's first {bound} are not seen, and the tail above is extrapolated",
            support=(0, most),
            scope="one-sided: at most so many people have degree d (in fact, degree d or less); a lower end or a last "
            f"degree needs the promise that nobody has more than {bound} neighbours",
        )


@dataclass(frozen=True, slots=True)
class NodeDegreeHistogram(Query):
    """How many people have each degree, when even who takes part is private; entries sum to the noisy number of people.

    `max_degree` is a public degree bound; without it the bound is chosen from the noisy h-index and paid for.

    >>> graph = Graph.from_edges([(i, (i + j) % 500) for i in range(500) for j in (1, 2)])
    >>> histogram = run(NodeDegreeHistogram(epsilon=Fraction(100)), graph, SeededNoise(1)).value
    >>> max(range(len(histogram)), key=lambda degree: histogram[degree])
    4
    """

    query = "degree-histogram"
    unit = "node"

    max_degree: int | None = None
    declared_people: int | None = None

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        check_bound(self.query, self.max_degree, most=MOST_BOUND)

    @property
    def bound(self) -> DegreeBound:
        """A public bound, also where epsilon is too small to choose one; more epsilon affords a higher multiple."""
        public = DEFAULT_BOUND if self.max_degree is None and self.epsilon < SMALL_EPSILON else self.max_degree
        share = self.epsilon / 25 if public is None else Fraction(0)
        return DegreeBound(public, share, min(2.0, math.pow(self.epsilon, 0.3)), MOST_BOUND)

    @property
    def shares(self) -> Shares:
        """What each step costs; together all of epsilon."""
        bound, rough, people = self.bound.epsilon, self.epsilon / 100, 7 * self.epsilon / 100
        return Shares(bound, rough, people, self.epsilon - bound - rough - people)

    def measure(self, graph: Graph) -> Measurements:
        """People roughly, then people and tiles, at the public bound or one from the noisy h-index."""
        shares = self.shares
        people = partial(NoisyInteger, what="number of people", exact=graph.n_nodes, sensitivity=1)

        def noisy_degrees(bound: int) -> Measurements:
            degrees = truncated_degrees(graph, bound)

            def people_and_tiles(growth: int) -> Measurements:
                tiles = noisy_tiles(degrees, growing_borders(bound, growth), shares.tiles)
                return people(epsilon=shares.people), tiles

            rough = people(epsilon=shares.rough)
            return (Adaptive(rough, partial(self._growth, bound), people_and_tiles, shares.people + shares.tiles),)

        return self.bound.measure(graph, noisy_degrees, self.epsilon - shares.bound)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - nothing is public
        """The smoothest histogram that explains the noisy counts, with upper ends."""
        noisy, stages, derived = self.read(outcomes)
        value, ends = noisy.histogram(), [noisy.count_ends(1 - level) for level in LEVELS]
        return Answer(value, noisy.accuracy(value, ends, math.inf), stages, derived)

    def read(self, outcomes: Outcomes) -> tuple[NoisyDegrees, tuple[Stage, ...], dict[str, int]]:
        """What the outcomes say of the degrees, what was done, and the noisy values that were paid for."""
        bound, derived, ((rough, people, counts),) = self.bound.conclude(outcomes)
        rate = self.shares.tiles / bound
        tiles = NodeTiles(growing_borders(bound, self._growth(bound, rough)), counts, rate)
        noisy = NoisyDegrees(max(1, int(people)), self.shares.people, tiles)
        stages = (
            self.bound.stage(bound),
            Stage(f"kept edges, in a public order, while both ends had fewer than {bound} of them"),
            Stage("chose the widths of the bands by the first noisy number of people"),
            Stage("took the smoothest histogram that explains the noisy counts"),
        )
        return noisy, stages, derived | {"rough_people": int(rough), "people": noisy.people}

    def _growth(self, bound: int, rough: int) -> int:
        return balanced_growth(rough, self.shares.tiles / bound)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise of one count over a guessed bound; what truncation removes is not in the forecast."""
        bound = self.bound.guess(facts)
        rate, tiles = self.shares.tiles / bound, len(growing_borders(bound, self._growth(bound, facts.n_nodes))) - 1
        bands = tuple(
            Band(level, math.inf, float(discrete_laplace_quantile(rate, 1 - (1 - level) / tiles))) for level in LEVELS
        )
        scope = f"people with at most d neighbours, single degrees; assumes a degree bound near {bound}"
        return Accuracy(0, discrete_laplace_std(rate), bands, scope=scope)


def _above(value: tuple[float, ...], ends: Floats) -> tuple[float, ...]:
    """How far the ends lie above the values; never negative."""
    padded = np.pad(ends, (0, max(0, len(value) - len(ends))), "edge")[: len(value)]
    distances: list[float] = np.maximum(0.0, padded - np.array(value)).tolist()
    return tuple(distances)
