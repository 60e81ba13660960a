"""Degree histogram under node privacy.

Paper      empty-box tiles, ours; projection: Day, Li, Lyu 2016, whose histograms cost 2 D + 1 where tiles cost D
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people, twice, and tiles together
Estimator  the smoothest histogram that explains the noisy tiles; its tail above the bound is drawn out
Cost       O(m log m) for the public order of the edges, then O(m); a few hundredths of a second for the fit
Differs    noise D / epsilon on sums over whole bands of degrees instead of (2 D + 1) / epsilon on every degree; the
           bound is the noisy h-index and paid for; nothing is left to an oracle

Degrees are first cut at a bound D: edges are scanned in a public order and kept while both ends have fewer than D. Then
counts of F(j) = #{v: fewer than j kept edges}, summed over bands of levels, get discrete Laplace noise of rate
epsilon_tiles / D; `statistics.degrees.node_tiles` proves their sensitivity D. The h-index and the number of people have
sensitivity 1. How wide the bands are follows from the noisy h-index and a first, rough count of the people; the count
that shares are taken of is made anew, so that its noise has no part in the choice of the bands.

Band: cutting edges only lowers degrees, so F(j) of the cut graph is at least F(j) of the graph, and the number of
people of degree d is at most F(d + 1), which `statistics.degrees.node_tile_bounds` bounds for all d at once. Upper ends
are therefore valid for the graph itself. No lower end but 0 exists without the promise that nobody has more than D
neighbours.

Without a public bound an epsilon below 1/50 is refused: at 1/100 half of the people and more were put into wrong
degrees on the benchmark graphs of less than 10,000 people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from graphveil.central.node.degree_bound import BoundRule, guessed_bound, public_bound
from graphveil.central.node.measured_degrees import MeasuredDegrees
from graphveil.central.node.query import NodePage
from graphveil.central.old_page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.old_measurement import Adaptive, Measurements, draw_all
from graphveil.statistics.degrees.monotone_tiles import Integers
from graphveil.statistics.degrees.node_tiles import balanced_growth, conclude_gaps, growing_cuts, noisy_gaps

LEAST_BOUND = 16
SMALL_EPSILON = Fraction(3, 10)  # below it the h-index would cost more than it brings
DEFAULT_BOUND = 96  # the public bound that is then used instead


def cut_degrees(graph: Graph, bound: int) -> Integers:
    """Degrees after edges beyond the bound were cut, in their public order."""
    return project_bounded_degree(graph, bound).degrees


class Shares(NamedTuple):
    """Epsilon of the bound, of the rough number of people, of the one that is used, and of the tiles."""

    bound: Fraction
    rough: Fraction
    people: Fraction
    tiles: Fraction


@dataclass(frozen=True, slots=True)
class NodeDegreeHistogram(NodePage):
    """How many people have each degree, when even who takes part is private; entries sum to the noisy number of people.

    `max_degree` is a public degree bound; without it the bound is chosen from the noisy h-index and paid for.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(i, (i + j) % 500) for i in range(500) for j in (1, 2)])
    >>> histogram = NodeDegreeHistogram(epsilon=Fraction(100)).run(graph, SeededNoise(1)).value
    >>> max(range(len(histogram)), key=lambda degree: histogram[degree])
    4
    """

    query = "degree-histogram"
    most_bound = 100_000
    useful_from = Fraction(1, 50)

    def usual(self, facts: PublicFacts) -> float:
        """All people, in counts of those below a degree."""
        return float(facts.n_nodes)

    @property
    def shares(self) -> Shares:
        """What each step costs."""
        bound = Fraction(0) if self._public_bound else Fraction(1, 25)
        rough, people = Fraction(1, 100), Fraction(7, 100)
        return Shares(*(part * self.epsilon for part in (bound, rough, people, 1 - bound - rough - people)))

    @property
    def _public_bound(self) -> int | None:
        return DEFAULT_BOUND if self.max_degree is None and self.epsilon < SMALL_EPSILON else self.max_degree

    @property
    def multiple(self) -> float:
        """The bound as a multiple of the h-index: more budget affords a higher one."""
        return min(2.0, math.pow(self.epsilon, 0.3))

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Choose the bound, count people, cut degrees, measure tiles, fit."""
        measured = self.measure(graph, noise)
        value = measured.estimate()
        return Answer(value, self.accuracy(value, measured), self.stages(measured), measured.derived)

    def measure(self, graph: Graph, noise: Noise) -> MeasuredDegrees:
        """All that is taken from the graph."""
        outcomes = draw_all(self.measurements(graph), noise)
        if self._public_bound is not None:
            bound, ((rough, people, counts),) = public_bound(self._public_bound), outcomes
        else:
            ((h_index, (rough, people, counts)),) = outcomes
            bound = self.bound_rule.conclude(h_index)
        tiles = conclude_gaps(counts, self.cuts(bound.value, rough), self.shares.tiles)
        return MeasuredDegrees(bound, rough, max(1, people), self.shares.people, tiles)

    @property
    def bound_rule(self) -> BoundRule:
        """How a bound is chosen where none is public."""
        return BoundRule(self.shares.bound, self.multiple, LEAST_BOUND, self.most_bound)

    def measurements(self, graph: Graph) -> Measurements:
        """People roughly, then people and tiles, at the public bound or one from the noisy h-index."""
        shares = self.shares

        def noisy_degrees(bound: int) -> Measurements:
            def people_and_tiles(growth: int) -> Measurements:
                tiles = noisy_gaps(cut_degrees(graph, bound), growing_cuts(bound, growth), shares.tiles)
                return NoisyInteger(graph.n_nodes, shares.people), tiles

            rough = NoisyInteger(graph.n_nodes, shares.rough)
            return (Adaptive(rough, partial(self._growth, bound), people_and_tiles),)

        if self._public_bound is not None:
            return noisy_degrees(self._public_bound)
        return (self.bound_rule.measurement(graph, noisy_degrees),)

    def _growth(self, bound: int, rough: int) -> int:
        return balanced_growth(rough, self.shares.tiles / bound)

    def cuts(self, bound: int, rough: int) -> Integers:
        """Where tiles begin and end, from the bound and the rough number of people."""
        return growing_cuts(bound, self._growth(bound, rough))

    def stages(self, measured: MeasuredDegrees) -> tuple[Stage, ...]:
        """What was done, and what each step cost."""
        bound, tiles, shares = measured.bound.value, measured.tiles, self.shares

        def counted(how: str, people: int, epsilon: Fraction) -> Stage:
            return Stage(f"counted the people {how} noise of scale {float(1 / epsilon):.3g}: {people}", epsilon)

        return (
            measured.bound.stage,
            counted("roughly, for the width of the bands below, with", measured.rough_people, shares.rough),
            counted("again, with", measured.people, shares.people),
            Stage(f"kept edges, in a public order, while both ends had fewer than {bound} of them"),
            Stage(
                f"counted, in {len(tiles.counts)} bands of degrees, how far each person stays below the band's top: "
                f"one person more or less changes these counts by at most {bound} in total"
            ),
            Stage(f"added whole-number Laplace noise of scale {float(1 / tiles.rate):.3g} to each", shares.tiles),
            Stage("took the smoothest histogram that explains the noisy counts"),
        )

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """The noise of one count over a guessed bound; what the bound cuts off is not in the forecast."""
        bound = self._public_bound or guessed_bound(facts, self.multiple, LEAST_BOUND)
        rate, tiles = self.shares.tiles / bound, len(self.cuts(bound, facts.n_nodes)) - 1
        bands = tuple(
            Band(level, math.inf, float(discrete_laplace_quantile(rate, 1 - (1 - level) / tiles))) for level in LEVELS
        )
        scope = f"people with at most d neighbours, single degrees; assumes a degree bound near {bound}"
        return Accuracy(0, discrete_laplace_std(rate), bands, scope=scope)

    def accuracy(self, value: tuple[float, ...], measured: MeasuredDegrees) -> Accuracy:
        """Upper ends only."""
        bands = measured.upper_bands(value, measured.below.counts_at_most(LEVELS))
        return Accuracy(value, None, bands, bias=measured.bias, support=(0, math.inf), scope=measured.scope)
