"""Counts of triangles and 2-stars under node privacy: a ladder on the graph in which people keep their first D edges.

B_D keeps an edge if it is among the first D edges, in a public order, of both its ends (Blocki, Blum, Datta, Sheffet
2013). A new person w brings at most D kept edges, and each neighbour of w that had D edges or more may lose one kept
edge; nothing else changes (`graph.project`). So a count changes by at most `gain` through w's own edges, and by at
most `loss` for each lost edge, of which there are at most N_D, where N_x = #{v: d_v >= x} in the whole graph:

    triangles   gain C(D, 2)     a pair of kept edges of w     loss D - 1        triangles on an edge
    2-stars     gain 3 C(D, 2)   w's own, and D - 1 at each    loss 2 (D - 1)    at both ends of an edge

Ladder function (`statistics.ladder.ladder`): I_t = max(gain, loss (N_{D-t} + t)), with N_x = n for x <= 0.
(a) A person who joins changes the count by at most max(gain, loss N_D(G)); one who leaves by at most
max(gain, loss N_{D+1}(G)), since neighbours had one edge more before.
(b) N_x(G + w) <= N_{x-1}(G) + 1 and N_x(G - w) <= N_x(G), so I_t(G') <= I_{t+1}(G). From t = D on, I_t = loss (n + t).

Interval: the h-index h has N_{h+1} <= h. With upper ends of h and n, both of which were released, N_{D-t} is at most h
where D - t > h, and at most n elsewhere; this gives a ladder nowhere below the true one, and its half-widths hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Integers
from graphveil.central.ladder_count import LEAST_EPSILON
from graphveil.central.node.degree_bound import LEAST_BOUND, DegreeBound, guess_h_index
from graphveil.central.query import PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_first_edges
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.accuracy import discrete_laplace_quantile
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements, Outcomes
from graphveil.statistics.ladder.accuracy import ladder_half_widths, ladder_std
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

LEAST_LADDER_EPSILON = 10 * LEAST_EPSILON
MOST_BOUND = 1_000_000
SMALL_EPSILON = Fraction(3, 10)
NEARLY_SURE, ROOM = 0.98, 1.2  # a bound is near the h-index if it is not by ROOM above what that is, nearly surely


@dataclass(frozen=True, slots=True)
class TruncatedCount:
    """A count, what a new person's own kept edges add to it at most, and what one lost edge removes."""

    what: str
    exact: Callable[[Graph], int]
    gain: Callable[[int], int]
    loss: Callable[[int], int]

    def ladder(self, graph: Graph, bound: int) -> Ladder:
        """I_t of the count after truncation at this bound."""
        capped = np.bincount(np.minimum(graph.degrees, bound), minlength=bound + 1)
        return self.ladder_from(bound, capped[::-1].cumsum())  # N_D, N_{D-1}, ..., N_0 = n

    def ladder_from(self, bound: int, at_least: Integers) -> Ladder:
        """max(gain, loss (N_{D-t} + t)) for t in 0..D, then growing by the loss a step."""
        loss = self.loss(bound)
        return Ladder(np.maximum(self.gain(bound), loss * (at_least + np.arange(bound + 1))), slope=loss)


TRIANGLES = TruncatedCount(
    "number of triangles among the kept edges",
    exact_triangles,
    lambda bound: math.comb(bound, 2),
    lambda bound: bound - 1,
)
TWO_STARS = TruncatedCount(
    "number of 2-stars among the kept edges",
    lambda graph: exact_k_stars(graph, 2),
    lambda bound: 3 * math.comb(bound, 2),
    lambda bound: 2 * (bound - 1),
)


@dataclass(frozen=True, slots=True)
class Shares:
    """What the h-index, the number of people and the counts get of epsilon, and the counts' kappa share."""

    h_index: Fraction
    people: Fraction
    counts: Fraction
    kappa: Fraction

    @classmethod
    def of(cls, epsilon: Fraction) -> Shares:
        """A tenth for the h-index, a fifth where epsilon is small, a hundredth for the number of people."""
        small = epsilon < SMALL_EPSILON
        h_index, people = epsilon / (5 if small else 10), epsilon / 100
        return cls(h_index, people, epsilon - h_index - people, Fraction(1, 4) if small else Fraction(1, 10))


@dataclass(frozen=True, slots=True)
class Truncation:
    """The degree bound in use and the two noisy numbers on which intervals rest; all of it is public."""

    bound: int
    h_index: int
    people: int
    shares: Shares

    def law(self, count: TruncatedCount, epsilon: Fraction, failure: float | None) -> SmoothedLadder:
        """A law nowhere tighter than the true one, but for this probability; None takes noisy values for true ones."""
        h_index, people = self.h_index, self.people
        if failure is not None:
            h_index += discrete_laplace_quantile(self.shares.h_index, 1 - failure)  # each one-sided: failure / 2
            people += discrete_laplace_quantile(self.shares.people, 1 - failure)
        t = np.arange(self.bound + 1)
        above = np.where(self.bound - t > h_index, min(h_index, people), max(people, h_index, 0))
        return SmoothedLadder(count.ladder_from(self.bound, above), epsilon, self.shares.kappa)

    def half_width(self, count: TruncatedCount, epsilon: Fraction, failure: float) -> float:
        """A distance that the noise of the count passes with at most this probability."""
        law = self.law(count, epsilon, 0.2 * failure)
        return float(ladder_half_widths(law, np.array([0.8 * failure]))[0])

    @property
    def caution(self) -> str:
        """Words for where half-widths have to allow for everybody at the bound; from noisy values alone."""
        most = self.h_index + discrete_laplace_quantile(self.shares.h_index, NEARLY_SURE)
        if self.bound > ROOM * most:
            return ""
        return f"; it says little, as the h-index may be {most}: a public bound of twice that or more would say more"

    def std(self, count: TruncatedCount, epsilon: Fraction) -> float:
        """Standard deviation, as if noisy values were true."""
        return ladder_std(self.law(count, epsilon, None))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """What was done with the bound."""
        return (Stage(f"kept the edges that are among the first {self.bound}, in a public order, of both their ends"),)

    @property
    def derived(self) -> dict[str, int]:
        """The noisy values that were paid for."""
        return {"max_degree": self.bound, "h_index": self.h_index, "people": self.people}


@dataclass(frozen=True, slots=True)
class LadderCounts:
    """Counts of the truncated graph, each on a ladder with its own epsilon.

    The bound is public or `multiple` times the noisy h-index, which is measured in either case, for the intervals.
    """

    shares: Shares
    counts: tuple[tuple[TruncatedCount, Fraction], ...]
    max_degree: int | None
    multiple: float

    @property
    def bound(self) -> DegreeBound:
        """How the degree bound is chosen."""
        return DegreeBound(self.max_degree, self.shares.h_index, self.multiple, MOST_BOUND)

    def measure(self, graph: Graph) -> Measurements:
        """The h-index, for bound and intervals; the people; the counts, on ladders of the whole graph."""

        def noisy_counts(bound: int) -> Measurements:
            truncated = project_first_edges(graph, bound)
            people = NoisyInteger(
                what="number of people", exact=graph.n_nodes, sensitivity=1, epsilon=self.shares.people
            )
            ladders = [(count, SmoothedLadder(count.ladder(graph, bound), epsilon, self.shares.kappa))
                       for count, epsilon in self.counts]  # fmt: skip
            return people, *(LadderInteger(what=c.what, exact=c.exact(truncated), rungs=law) for c, law in ladders)

        return (self.bound.choose(graph, noisy_counts, self.shares.people + self.shares.counts),)

    def conclude(self, outcomes: Outcomes) -> tuple[Truncation, list[int], tuple[Stage, ...]]:
        """The truncation, the noisy counts, and what was done."""
        ((h_index, people, *noisy),) = outcomes
        truncation = Truncation(self.bound.value(int(h_index)), max(0, int(h_index)), max(0, int(people)), self.shares)
        stages = (self.bound.stage(truncation.bound), *truncation.stages)
        return truncation, [max(0, int(count)) for count in noisy], stages

    def guess(self, facts: PublicFacts) -> Truncation:
        """A truncation to expect, for a forecast."""
        h_index = max(1, round(guess_h_index(facts)))
        bound = self.max_degree or max(LEAST_BOUND, round(self.multiple * h_index))
        return Truncation(bound, h_index, facts.n_nodes, self.shares)
