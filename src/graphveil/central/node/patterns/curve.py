"""How many patterns are left, and how many people one must leave out to get there: F_tau for all public bounds.

For a number x let

    score_tau(x) = max over the bounds t >= tau of (A_t - x) / ((1 + ETA) t),  between 0 and a public cap.

By duality max over all t of (F_t - x) / t is the least number of people, in fractions, whose leaving takes the count
down to x. A person who joins moves A_t by an amount in [-ETA t, (1 + ETA) t] (`optimum`), so each term moves by one in
[-ETA / (1 + ETA), 1]. A maximum of such terms, and its cut at public limits, move by no more. Scores are rounded down
to whole multiples of 1 / GRID, where a move of at most 1 stays one of at most 1. So all scores have sensitivity 1, and
go up only, but for 1 / GRID: what `mechanisms.selection` needs.

Which programs are solved: bounds fall until no smaller one can change a score. A score at the cap cannot change; others
are known by duality: with Y + tau Z the bound that the last program proved for every tau, a smaller tau' gives at most
(Z + ETA + (Y - x) / tau') / (1 + ETA); and as each pattern has k people, A_tau' is at most ETA tau' more than a k-th of
the patterns of everybody, each cut at tau'. The scores are the same as if all programs had been solved. How many are
solved depends on the graph, and so does the time, as that of any exact count.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from itertools import pairwise

import numpy as np

from graphveil.central.node.patterns.optimum import ETA, Optimum, find_optimum
from graphveil.central.node.patterns.programs import Pattern, count_patterns
from graphveil.graph.core import Graph


def _half_octaves(most_bits: int) -> tuple[int, ...]:
    """Whole numbers near the powers of the root of 2, falling, without floats: isqrt of 2^i, rounded up."""
    return tuple(sorted({math.isqrt((1 << i) - 1) + 1 for i in range(2 * most_bits + 1)}, reverse=True))


def _fine_steps(most_bits: int) -> tuple[int, ...]:
    """Whole numbers from 1 on, each by 3 % or by 1 more than the one before."""
    steps = [1]
    while steps[-1] >> most_bits == 0:
        steps.append(steps[-1] + max(1, 3 * steps[-1] // 100))
    return tuple(steps)


GRID = 256
BOUNDS = _half_octaves(50)  # public candidates for tau, falling
COUNTS = _fine_steps(50)  # public candidates for a rough count, rising


def _on_grid(score: Fraction) -> Fraction:
    return Fraction(math.floor(score * GRID), GRID)


class Curve:
    """A_tau for the public bounds, solved for falling tau and only as far as the scores need it."""

    def __init__(self, graph: Graph, pattern: Pattern, cap: Fraction) -> None:
        self._graph, self._pattern, self._cap = graph, pattern, cap
        self._loads = pattern.loads(graph)
        self.total = count_patterns(pattern, self._loads)
        self._optima: list[Optimum] = []
        self._further: dict[int, Fraction] = {}
        self._cut_sums: dict[int, int] = {}
        self._best: list[list[Fraction]] = []  # for every solved bound, the scores of all COUNTS
        while not self._is_known():
            self._solve_next()

    def value(self, place: int) -> Fraction:
        """A at the bound in that place of BOUNDS."""
        if place < len(self._optima):
            return self._optima[place].value
        if place not in self._further:  # found once, so that it stays the same number
            program = self._pattern.program(self._graph, self._loads, BOUNDS[place])
            self._further[place] = find_optimum(program).value
        return self._further[place]

    def distances(self, target: Fraction) -> list[Fraction]:
        """For each of COUNTS and the next, how many people must be left out until a number between them is left.

        Of all numbers between the two it is the one whose people are nearest to the target. So some candidate is always
        at the target, though a step of 3 % may be worth many people. Like its two ends it moves by at most 1.
        """
        ends = [_on_grid(score) for score in self._best[-1]]
        return [max(low, min(high, target)) for high, low in pairwise([*ends, Fraction(0)])]

    def scores(self, count_place: int, first_bound: int) -> list[Fraction]:
        """score_tau of one of COUNTS for the BOUNDS from that place on."""
        solved = [_on_grid(scores[count_place]) for scores in self._best]
        return (solved + [solved[-1]] * (len(BOUNDS) - len(solved)))[first_bound:]

    def _solve_next(self) -> None:
        tau = BOUNDS[len(self._optima)]
        found = find_optimum(self._pattern.program(self._graph, self._loads, tau))
        scores = list(self._best[-1]) if self._best else [Fraction(0)] * len(COUNTS)
        width = (1 + ETA) * tau
        for place in range(bisect_left(COUNTS, found.value)):  # further counts are not below A
            if scores[place] < self._cap:
                scores[place] = min(self._cap, max(scores[place], (found.value - COUNTS[place]) / width))
        self._optima.append(found)
        self._best.append(scores)

    def _is_known(self) -> bool:
        """Whether no smaller bound can change a score."""
        if len(self._optima) == len(BOUNDS):
            return True
        if not self._optima:
            return False
        last = self._optima[-1]
        open_bounds = range(len(self._optima), len(BOUNDS))
        most = [
            min(last.fixed + last.per_bound * BOUNDS[at], self._shared(at)) + ETA * BOUNDS[at] for at in open_bounds
        ]
        widths = [(1 + ETA) * BOUNDS[at] for at in open_bounds]
        for score, count in zip(self._best[-1], COUNTS, strict=True):
            if count >= self.total:  # A is never above the number of all patterns
                break
            if score < self._cap and any(a - count > score * width for a, width in zip(most, widths, strict=True)):
                return False
        return True

    def _shared(self, place: int) -> Fraction:
        """An upper end of the patterns left at a bound: those of everybody, cut there, each shared by its people."""
        if place not in self._cut_sums:
            self._cut_sums[place] = int(np.minimum(self._loads, BOUNDS[place]).sum())
        return Fraction(self._cut_sums[place], self._pattern.size)
