"""Number of triangles under edge privacy, on the ladder as published.

Paper      Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; mean error about 2 LS_0 / epsilon, LS_0 the most common
           neighbours of a pair
Cost       one exact count of triangles and a pruned pass over wedges
Differs    drawn exactly; the ladder never ends instead of stopping at a chosen rung; an interval is paid for

Kept for comparison: `central.triangles` has about half the error. Loss: `mechanisms.published_ladder`; ladder function
and the number under the interval: `central.triangles`.

Interval. With g the price of a rung and LS_0 >= y >= 1, rung s holds 2 LS_{s-1} integers and LS_{s+t-1} <= LS_{s-1} + t
<= (1 + t / y) LS_{s-1}, so P(rung > t) <= (1 + t / y) e^{-g t}. If LS_0 = 0, LS_s <= s and the middle weighs 1, so
P(rung > t) <= 2 sum_{s>t} (s - 1) e^{-g s}. y is the lower end of the noisy LS_0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count as count_up
from typing import ClassVar

from graphveil.central.ladder_count import CountError, NoisyBound
from graphveil.central.ladders import rising_ladder
from graphveil.central.triangles import LadderTriangles
from graphveil.mechanisms.ladder import Ladder
from graphveil.mechanisms.ladder_accuracy import ladder_std
from graphveil.mechanisms.ladder_sampler import sample_ladder
from graphveil.mechanisms.published_ladder import PublishedLadder
from graphveil.mechanisms.source import Noise

BOUND_FAILS = 0.2  # share of the failure probability that the noisy bound may use


@dataclass(frozen=True, slots=True)
class PublishedLadderTriangles(LadderTriangles):
    """The number of triangles on the published ladder.

    >>> from graphveil.graph.core import Graph
    >>> from graphveil.mechanisms.source import SeededNoise
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> PublishedLadderTriangles(epsilon=Fraction(40)).run(graph, SeededNoise(1)).value
    1
    """

    query: ClassVar[str] = "triangles"

    def draw(self, noise: Noise, count: int, ladder: Ladder) -> int:
        """Exponential mechanism on the rungs."""
        return sample_ladder(noise, count, PublishedLadder(ladder, self.count_epsilon))

    @property
    def law(self) -> str:
        """The same in words."""
        return "chose the answer by its rung on the ladder, each less likely than the one before"

    def error(self, bound: NoisyBound, n_nodes: int) -> CountError:
        """What the noisy most common neighbours say about the noise."""
        return PublishedLadderError(bound, max(0, n_nodes - 2), self.count_epsilon)


@dataclass(frozen=True, slots=True)
class PublishedLadderError:
    """The error of a draw from the published ladder."""

    bound: NoisyBound
    most: int
    epsilon: Fraction

    def half_widths(self, failures: Sequence[float]) -> list[int]:
        """Distances between value and truth that are passed with at most these probabilities."""
        return [self._half_width(failure) for failure in failures]

    def _half_width(self, failure: float) -> int:
        slip = self.bound.upper(BOUND_FAILS * failure / 2) - self.bound.noisy
        law = PublishedLadder(rising_ladder(self.bound.noisy + slip, self.most), self.epsilon)
        least, left = max(0, self.bound.noisy - slip), (1 - BOUND_FAILS) * failure
        tail = 1.0
        for t in count_up(1):
            before, tail = tail, min(1.0, rung_tail(t, float(law.rate), least))
            if tail <= left:
                near, far = (int(distance) for distance in law.reach(t + 1)[-2:])
                return math.ceil(near + (far - near) * max(0.0, before - left) / (before - tail) * (1 + 1e-9))
        raise AssertionError("the tail falls to 0")

    @property
    def std(self) -> float:
        """Standard deviation, as if the noisy bound were the true one."""
        return ladder_std(PublishedLadder(rising_ladder(self.bound.noisy, self.most), self.epsilon))


def rung_tail(t: int, rate: float, least: int) -> float:
    """A bound on P(rung > t) where LS_0 is at least this."""
    decay = math.exp(-rate)
    if least:
        return (1 + t / least) * decay**t
    from_nothing = 2 * decay ** (t + 1) * (t / (1 - decay) + decay / (1 - decay) ** 2)
    return max((1 + t) * decay**t, from_nothing)
