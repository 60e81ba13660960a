"""A count of patterns under node privacy, with a bound on the patterns of one person that is chosen and paid for.

    1. x     a rough count from below: about 70 to 110 over epsilon people must leave until x patterns are left
    2. tau   a bound at which A_tau is above x by the patterns of about 24 to 36 over epsilon people
    3. A_tau the number of patterns that are left when nobody is part of more than tau of them, with Laplace noise

Loss: 1 and 2 choose among public candidates by scores of sensitivity 1 (`curve`, `mechanisms.selection`); ceil(A_tau)
changes by at most ceil((1 + ETA) tau). The three losses add up to epsilon. Nothing else is taken from the graph.

Why it is accurate: the best bound is the one above which only one or two over epsilon people have patterns. A choice
can find it up to about ten over epsilon people only, so it takes x far enough below the count that the distance to it
is certain, and then a tau that leaves about as much room as such a choice needs. A bound is at most x epsilon / 3, so
noise cannot drown the count. The shares and targets were chosen together on seven graphs for edges, 2-stars and
triangles at epsilon 0.25 to 2 (`benchmarks/central/node_patterns.py`); they do not depend on the pattern.

With a public bound on degrees, tau follows from it, and all of epsilon goes into the third step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.node.patterns.curve import BOUNDS, COUNTS, Curve
from graphveil.central.node.patterns.optimum import ETA, find_optimum
from graphveil.central.node.patterns.programs import Pattern
from graphveil.central.query import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes
from graphveil.mechanisms.selection import PeakChoice

PRIOR = Fraction(1, 170)  # a rough count of 3 % more weighs so much less: the weight falls as x^-0.2
CERTAIN = 11  # the logarithm of how much likelier the right x is than one that is above the count
FAR = 12  # and than one that is far below it: scores are cut off there
LARGEST_SHARE = Fraction(1, 3)  # of x, that a bound may be, at epsilon 1 and above


@dataclass(frozen=True, slots=True)
class Shares:
    """What the three steps get of epsilon, and which scores the first two aim at."""

    count: Fraction
    bound: Fraction
    value: Fraction
    step: Fraction

    @classmethod
    def of(cls, epsilon: Fraction) -> Shares:
        """A fifth, a quarter and the rest; more for the first step where epsilon is small."""
        count = max(epsilon / 5, min(3 * epsilon / 10, Fraction(15, 100)))
        bound = epsilon / 4
        step = max(Fraction(3), min(Fraction(9, 2), 9 * epsilon / 2))
        return cls(count, bound, epsilon - count - bound, step)

    @property
    def cap(self) -> Fraction:
        """Where scores are cut off: candidates so far away are as good as impossible."""
        return (CERTAIN + FAR) / (self.count / 2)


@dataclass(frozen=True, slots=True)
class PatternCount:
    """A count of patterns; `load` gives how many patterns a person with so many neighbours can be part of."""

    pattern: Pattern
    load: Callable[[int], int]
    epsilon: Fraction
    max_degree: int | None
    usual: int  # the count over the bound that is chosen on usual graphs, for forecasts

    def measure(self, graph: Graph) -> Measurements:
        """The rough count, the bound and the patterns within it; or these alone at the public bound."""
        if self.max_degree is not None:
            tau = max(1, self.load(self.max_degree))
            loads = self.pattern.loads(graph)
            value = find_optimum(self.pattern.program(graph, loads, tau)).value
            return (self._noisy(value, tau, self.epsilon),)
        shares = Shares.of(self.epsilon)
        curve = Curve(graph, self.pattern, shares.cap)

        def noisy_value(place: int) -> Measurements:
            return (self._noisy(curve.value(place), BOUNDS[place], shares.value),)

        def choose_bound(count_place: int) -> Measurements:
            first = self._first_bound(count_place)
            choice = PeakChoice(
                what=f"bound on the {self.pattern.name} of one person",
                scores=curve.scores(count_place, first),
                target=shares.step / (shares.bound / 2),
                epsilon=shares.bound,
            )
            return (Adaptive(choice, lambda place: first + int(place), noisy_value, shares.value),)

        target = CERTAIN / (shares.count / 2)
        rough = PeakChoice(
            what=f"rough number of {self.pattern.name}",
            scores=curve.distances(target),
            target=target,
            epsilon=shares.count,
            prior=PRIOR,
        )
        return (Adaptive(rough, int, choose_bound, shares.bound + shares.value),)

    def conclude(self, outcomes: Outcomes) -> Answer:
        """The noisy number, moved up by half of what the noise usually is, as a bound only takes patterns away."""
        if self.max_degree is not None:
            tau, share, (noisy,) = max(1, self.load(self.max_degree)), self.epsilon, outcomes
            shift, chosen, derived = 0, f"took the public degree bound {self.max_degree}", {}
        else:
            ((count_place, (place, noisy)),) = outcomes
            tau, share = BOUNDS[self._first_bound(int(count_place)) + int(place)], Shares.of(self.epsilon).value
            shift = round(tau / self.epsilon / 2)
            chosen, derived = "took the bound that was chosen", {"rough_count": COUNTS[int(count_place)]}
        value = max(0, int(noisy) + shift)
        kept = Stage(f"{chosen}, and kept patterns while nobody was part of more than {tau}")
        stages = (kept, Stage(f"added {shift}, about half of what the bound takes away")) if shift else (kept,)
        accuracy = self._accuracy(value, tau, share, shift, (0, math.inf))
        return Answer(value, accuracy, stages, {"patterns_of_one_person": tau, **derived})

    def forecast(self, facts: PublicFacts, expected: float) -> Accuracy:
        """The noise at a bound as it is usually chosen; what the bound takes away is not in the forecast."""
        if self.max_degree is not None:
            tau, share = max(1, self.load(self.max_degree)), self.epsilon
        else:
            part = max(1 / self.usual, 60 / (max(1, facts.n_nodes) * float(self.epsilon)))
            tau, share = max(1, round(expected * part)), Shares.of(self.epsilon).value
        return self._accuracy(0, tau, share, 0, (-math.inf, math.inf))

    def _first_bound(self, count_place: int) -> int:
        """The place of the largest bound that may follow a rough count."""
        most = max(1, math.floor(COUNTS[count_place] * LARGEST_SHARE * min(Fraction(1), self.epsilon)))
        return next(place for place, bound in enumerate(BOUNDS) if bound <= most)

    def _noisy(self, value: Fraction, tau: int, epsilon: Fraction) -> NoisyInteger:
        what = f"number of {self.pattern.name} when nobody is part of more than {tau}"
        return NoisyInteger(what=what, exact=math.ceil(value), sensitivity=_sensitivity(tau), epsilon=epsilon)

    def _accuracy(self, value: int, tau: int, epsilon: Fraction, shift: int, support: tuple[float, float]) -> Accuracy:
        """A lower end only: ceil(A_tau) is at most the count, and by how much less nobody knows."""
        rate = epsilon / _sensitivity(tau)
        widths = [shift + discrete_laplace_quantile(rate, 2 * level - 1) for level in LEVELS]
        return Accuracy(
            value,
            discrete_laplace_std(rate),
            tuple(Band(level, float(width), math.inf) for level, width in zip(LEVELS, widths, strict=True)),
            bias=f"downward by what the bound of {tau} {self.pattern.name} for one person takes away, less {shift}",
            support=support,
            scope=f"one-sided: the count is at least this; an upper end needs the promise that nobody is part of more "
            f"than {tau} {self.pattern.name}",
        )


def _sensitivity(tau: int) -> int:
    """What one person changes ceil(A_tau) by, at most."""
    return math.ceil((1 + ETA) * tau)
