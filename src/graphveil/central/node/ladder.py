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
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.central.ladder_count import LEAST_EPSILON
from graphveil.central.node.degree_bound import BoundRule, guessed_bound
from graphveil.central.node.query import NodePage
from graphveil.central.old_page import PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.graph.project import project_first_edges
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.accuracy import discrete_laplace_quantile
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.noisy_numbers import NoisyInteger, OnLadder
from graphveil.mechanisms.old_measurement import Measurements, draw_all
from graphveil.statistics.ladder.accuracy import ladder_half_widths, ladder_std
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

LEAST_BOUND = 16
SMALL_EPSILON = Fraction(3, 10)
NEARLY_SURE, ROOM = 0.98, 1.2  # a bound is near the h-index if it is not by ROOM above what that is, nearly surely


@dataclass(frozen=True, slots=True)
class CutCount:
    """A count, what a new person's own kept edges add to it at most, and what one lost edge takes."""

    exact: Callable[[Graph], int]
    gain: Callable[[int], int]
    loss: Callable[[int], int]


TRIANGLES = CutCount(exact_triangles, lambda bound: math.comb(bound, 2), lambda bound: bound - 1)
TWO_STARS = CutCount(
    lambda graph: exact_k_stars(graph, 2), lambda bound: 3 * math.comb(bound, 2), lambda bound: 2 * (bound - 1)
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
class NoisyCut:
    """The degree bound in use and the two noisy numbers on which intervals rest; all of it is public."""

    bound: int
    h_index: int
    people: int
    shares: Shares

    def law(self, count: CutCount, epsilon: Fraction, failure: float | None) -> SmoothedLadder:
        """A law nowhere tighter than the true one, but for this probability; None takes noisy values for true ones."""
        h_index, people = self.h_index, self.people
        if failure is not None:
            h_index += discrete_laplace_quantile(self.shares.h_index, 1 - failure)  # each one-sided: failure / 2
            people += discrete_laplace_quantile(self.shares.people, 1 - failure)
        t = np.arange(self.bound + 1)
        above = np.where(self.bound - t > h_index, min(h_index, people), max(people, h_index, 0))
        return SmoothedLadder(_ladder(count, self.bound, above), epsilon, self.shares.kappa)

    def half_width(self, count: CutCount, epsilon: Fraction, failure: float) -> float:
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

    def std(self, count: CutCount, epsilon: Fraction) -> float:
        """Standard deviation, as if noisy values were true."""
        return ladder_std(self.law(count, epsilon, None))


@dataclass(frozen=True, slots=True)
class LadderNodePage(NodePage):
    """A page that draws counts of the cut graph from ladders; the bound is `multiple` times the noisy h-index."""

    multiple: ClassVar[float]
    bound_tells = False  # noise depends on how many people are near the bound, too
    least_epsilon = 10 * LEAST_EPSILON
    least_bound = 2
    most_bound = 1_000_000

    @property
    def assumed(self) -> PublicFacts:
        """Of h-indices, where answers are mostly of use, the one that does a public bound least harm."""
        lenient = self.max_degree is not None and self.epsilon >= self.useful_from
        return PublicFacts(self.assumed_people, guesses={"h_index": 1} if lenient else {})

    @property
    def shares(self) -> Shares:
        """How epsilon is shared out."""
        return Shares.of(self.epsilon)

    @property
    @abstractmethod
    def counts(self) -> tuple[tuple[CutCount, Fraction], ...]:
        """What is counted, and what each count may cost."""

    @property
    def bound_rule(self) -> BoundRule:
        """How the bound is chosen where none is public."""
        return BoundRule(self.shares.h_index, self.multiple, LEAST_BOUND, self.most_bound)

    def measurements(self, graph: Graph) -> Measurements:
        """The h-index, for bound or interval; the people; counts of the cut graph, on ladders of the whole one."""

        def noisy_counts(bound: int) -> Measurements:
            cut_graph = project_first_edges(graph, bound)
            people = NoisyInteger(graph.n_nodes, self.shares.people)
            ladders = [(count, SmoothedLadder(exact_ladder(graph, bound, count), epsilon, self.shares.kappa))
                       for count, epsilon in self.counts]  # fmt: skip
            return people, *(OnLadder(count.exact(cut_graph), law) for count, law in ladders)

        return (self.bound_rule.measurement(graph, noisy_counts, self.max_degree),)

    def measure(self, graph: Graph, noise: Noise) -> tuple[NoisyCut, list[int], tuple[Stage, ...]]:
        """The noisy cut, the noisy counts, and what was done."""
        ((noisy_h_index, noisy_people, *noisy),) = draw_all(self.measurements(graph), noise)
        chosen, people, shares = self.bound_rule.conclude(noisy_h_index), max(0, noisy_people), self.shares
        cut = NoisyCut(self.max_degree or chosen.value, chosen.h_index or 0, people, shares)
        scale = f"{float(1 / shares.h_index):.3g}"
        measured = f"measured the h-index ({cut.h_index}) with noise of scale {scale}, for the interval"
        stages = (
            chosen.stage if self.max_degree is None else Stage(measured, shares.h_index),
            Stage(f"counted the people, with noise of scale {float(1 / shares.people):.3g}: {people}", shares.people),
            Stage(f"kept the edges that are among the first {cut.bound}, in a public order, of both their ends"),
        )
        return cut, [max(0, count) for count in noisy], stages

    def guess_cut(self, facts: PublicFacts) -> NoisyCut:
        """A cut to expect, for a forecast."""
        h_index = guessed_bound(PublicFacts(facts.n_nodes, None, facts.guesses), 1.0, 1)
        bound = self.max_degree or max(LEAST_BOUND, round(self.multiple * h_index))
        return NoisyCut(bound, h_index, facts.n_nodes, self.shares)


def exact_ladder(graph: Graph, bound: int, count: CutCount) -> Ladder:
    """I_t of a count after cutting at this bound."""
    capped = np.bincount(np.minimum(graph.degrees, bound), minlength=bound + 1)
    at_least = capped[::-1].cumsum()  # N_D, N_{D-1}, ..., N_0 = n
    return _ladder(count, bound, at_least)


def _ladder(count: CutCount, bound: int, at_least: np.ndarray) -> Ladder:
    """max(gain, loss (N_{D-t} + t)) for t in 0..D, then growing by the loss a step."""
    loss = count.loss(bound)
    return Ladder(np.maximum(count.gain(bound), loss * (at_least + np.arange(bound + 1))), slope=loss)
