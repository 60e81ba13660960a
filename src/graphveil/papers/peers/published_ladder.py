"""Number of triangles under edge privacy, on the ladder as published.

Paper      Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  unbiased before it is cut to what n people allow; mean error about 2 LS_0 / epsilon, LS_0 the most common
           neighbours of a pair
Cost       one exact count of triangles and a pruned pass over wedges
Differs    drawn exactly; the ladder never ends instead of stopping at a chosen rung; an interval is paid for

Kept for comparison: `central.edge.triangles` has about half the error; it has the ladder function and the number that
the interval rests on. The ladder as published is the exponential mechanism on rungs.

Sensitivity. Rung 0 holds f alone and rung t >= 1 the next I_{t-1} integers on each side, so that by (a) and (b) of
`statistics.ladder.ladder` the rung of an outcome moves by at most 1 between neighbours. That is a score of sensitivity
1, and P(x) ~ exp(-epsilon rung / 2) has a loss of at most epsilon: one half for the rung, one half for the normaliser.

Interval. With g the price of a rung and LS_0 >= y >= 1, rung s holds 2 LS_{s-1} integers and LS_{s+t-1} <= LS_{s-1} + t
<= (1 + t / y) LS_{s-1}, so P(rung > t) <= (1 + t / y) e^{-g t}. As the middle weighs 1 and LS_s <= y + s also where y
= 0, P(rung > t) <= 2 sum_{s>t} (y + s - 1) e^{-g s}. Between rungs the tail falls linearly
(`statistics.ladder.accuracy`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.central.edge.triangles import TRIANGLES
from graphveil.central.ladder_statistic import LadderStatistic
from graphveil.errors import ParameterError
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.privacy.loss import exact_epsilon
from graphveil.statistics.ladder.accuracy import ladder_std
from graphveil.statistics.ladder.ladder import MIN_EPSILON, Ladder


@dataclass(frozen=True, slots=True)
class PublishedLadder:
    """The law above for a ladder that ends in a constant.

    >>> PublishedLadder(Ladder(np.array([3, 4])), Fraction(1)).reach(4).tolist()
    [0, 3, 7, 11]
    """

    ladder: Ladder
    epsilon: Fraction

    def __post_init__(self) -> None:
        if exact_epsilon(self.epsilon) < MIN_EPSILON:
            raise ParameterError(f"a ladder has more rungs than fit below an epsilon of 0.00001, not {self.epsilon}")
        if self.ladder.slope:
            raise ParameterError("the published ladder needs a ladder function that ends in a constant")

    @property
    def rate(self) -> Fraction:
        """What one rung costs: half of epsilon."""
        return self.epsilon / 2

    @property
    def steady(self) -> int:
        """The first rung beyond the list."""
        return len(self.ladder.steps)

    def reach(self, count: int) -> Integers:
        """The largest distance from the middle on each of the first rungs."""
        return np.concatenate([[0], np.cumsum(self.ladder.first(count - 1))])

    def tail(self, last_size: int) -> tuple[Fraction, Fraction]:
        """No rung holds more than twice the last step."""
        return Fraction(2 * int(self.ladder.steps[-1])), Fraction(1)


@dataclass(frozen=True, slots=True)
class PublishedLadderTriangles(LadderStatistic):
    """The number of triangles on the published ladder.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> run(PublishedLadderTriangles(epsilon=Fraction(40)), graph, SeededNoise(1)).value
    1
    """

    query = "triangles"
    count = TRIANGLES

    def noisy_count(self, exact: int, ladder: Ladder) -> LadderInteger:
        """The count by the exponential mechanism on the rungs."""
        return LadderInteger(what=self.count.what, exact=exact, rungs=PublishedLadder(ladder, self.count_epsilon))

    def law_widths(self, bound: int, failures: Floats, n_nodes: int) -> Floats:
        """Half-widths of the noise in any graph with this LS_0."""
        law = PublishedLadder(_rising_to_the_end(bound, n_nodes), self.count_epsilon)
        count = 1
        while rung_tails(count, float(law.rate), bound)[-1] > failures.min():
            count *= 2
        tails = np.minimum.accumulate(rung_tails(count, float(law.rate), bound))
        return np.interp(-failures, -tails, law.reach(count).astype(np.float64))

    def law_std(self, bound: int, n_nodes: int) -> float:
        """Standard deviation of the noise, at most, in any graph with this LS_0."""
        return ladder_std(PublishedLadder(_rising_to_the_end(bound, n_nodes), self.count_epsilon))


def _rising_to_the_end(bound: int, n_nodes: int) -> Ladder:
    """LS_0 + t, listed up to where it ends in a constant."""
    most = max(0, n_nodes - 2)
    return Ladder(np.arange(min(bound, most), most + 1, dtype=np.int64))


def rung_tails(count: int, rate: float, least: int) -> Floats:
    """Bounds on P(rung > t) for the first t, where this is LS_0."""
    decay, t = math.exp(-rate), np.arange(count, dtype=np.float64)
    beyond = 2 * decay ** (t + 1) * ((least + t) / (1 - decay) + decay / (1 - decay) ** 2)
    if not least:
        return np.minimum(1.0, beyond)
    return np.minimum(np.minimum(1.0, beyond), (1 + t / least) * decay**t)
