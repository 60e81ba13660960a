"""A count released on a smoothed ladder, with an interval that rests on a second noisy number.

The noise of a ladder depends on the private ladder, so its size may not be told for free. Where some integer y of
sensitivity 1 bounds the ladder (the most common neighbours of a pair, the largest degree), y is released too, with
discrete Laplace noise. An upper end of y gives a ladder above the true one, hence a bound on the noise
(`mechanisms.ladder_accuracy`); the two ways to fail share the failure probability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile
from graphveil.mechanisms.exact import sample_discrete_laplace
from graphveil.mechanisms.ladder import Ladder, SmoothedLadder
from graphveil.mechanisms.ladder_accuracy import ladder_half_width, ladder_std
from graphveil.mechanisms.source import Noise

BOUND_FAILS = 0.2  # share of the failure probability that the noisy bound may use


def interval_share(epsilon: Fraction) -> Fraction:
    """The part of epsilon that goes to the bound: below 1/4 its noise would drown the bound itself, so it gets more."""
    return Fraction(1, 20) if epsilon >= Fraction(1, 4) else Fraction(3, 20)


@dataclass(frozen=True, slots=True)
class NoisyBound:
    """An integer of sensitivity 1 with discrete Laplace noise."""

    noisy: int
    rate: Fraction

    @classmethod
    def measure(cls, noise: Noise, exact: int, rate: Fraction) -> NoisyBound:
        """Add the noise."""
        return cls(exact + sample_discrete_laplace(noise, rate), rate)

    def upper(self, failure: float) -> int:
        """An integer that the true one passes with at most this probability."""
        return self.noisy + discrete_laplace_quantile(self.rate, 1 - 2 * failure)


@dataclass(frozen=True, slots=True)
class LadderError:
    """The error of one draw from a smoothed ladder that is only known through a noisy bound.

    `above` turns an upper end of the bound into a ladder that is nowhere below the true one.
    """

    bound: NoisyBound
    above: Callable[[int], Ladder]
    epsilon: Fraction
    kappa_share: Fraction = Fraction(1, 20)

    def half_width(self, failure: float) -> int:
        """A distance between value and truth that is passed with at most this probability."""
        ladder = self.above(self.bound.upper(BOUND_FAILS * failure))
        return ladder_half_width(self._law(ladder), (1 - BOUND_FAILS) * failure)

    @property
    def std(self) -> float:
        """Standard deviation, as if the noisy bound were the true one."""
        return ladder_std(self._law(self.above(self.bound.noisy)))

    def accuracy(self, value: int, support: tuple[float, float]) -> Accuracy:
        """Bands at all levels around a released count."""
        widths = [(level, float(self.half_width(1 - level))) for level in LEVELS]
        return Accuracy(value, self.std, tuple(Band(level, w, w) for level, w in widths), support=support)

    def _law(self, ladder: Ladder) -> SmoothedLadder:
        return SmoothedLadder(ladder, self.epsilon, self.kappa_share)
