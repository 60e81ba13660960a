"""A count released on a smoothed ladder, with an interval that rests on a second noisy number.

The noise of a ladder depends on the private ladder, so its size may not be told for free. Where some integer of known
sensitivity bounds the ladder (the most common neighbours of a pair, the largest degree), it is released too, with
discrete Laplace noise; from there on everything about the error of the count is public.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_quantile
from graphveil.mechanisms.error_sum import FAILURES
from graphveil.mechanisms.exact import sample_discrete_laplace
from graphveil.mechanisms.ladder_accuracy import Floats
from graphveil.mechanisms.ladder_interval import NoisyLadder
from graphveil.mechanisms.source import Noise


@dataclass(frozen=True, slots=True)
class NoisyBound:
    """An integer with discrete Laplace noise of this rate."""

    noisy: int
    rate: Fraction

    @classmethod
    def measure(cls, noise: Noise, exact: int, rate: Fraction) -> NoisyBound:
        """Add the noise."""
        return cls(exact + sample_discrete_laplace(noise, rate), rate)

    def upper(self, failure: float) -> int:
        """An integer that the true one passes with at most this probability."""
        return self.noisy + discrete_laplace_quantile(self.rate, 1 - 2 * failure)


def interval_share(epsilon: Fraction) -> Fraction:
    """The part of epsilon that the bound gets: more where its noise would drown it."""
    if epsilon >= Fraction(1, 2):
        return Fraction(1, 20)
    return Fraction(1, 10) if epsilon >= Fraction(1, 10) else Fraction(3, 20)


@dataclass(frozen=True, slots=True)
class CountError:
    """The error of a count whose noise depends on a bound that is only known with noise."""

    bound: NoisyBound
    law_widths: Callable[[int, Floats], Floats]  # half-widths where the bound is this, at failure probabilities
    law_std: Callable[[int], float]  # standard deviation where the bound is this
    least: int  # public range of the bound
    most: int

    def half_widths(self, failures: Sequence[float]) -> list[int]:
        """Distances between value and truth that are passed with at most these probabilities."""
        table = NoisyLadder.build(self.law_widths, self.least, self.most, self.bound.rate)
        return [table.rule(failure)(self.bound.noisy) for failure in failures]

    def widths_at_upper(self, failure: float) -> Floats:
        """Half-widths at `error_sum.FAILURES`, valid unless the bound passes an upper end that fails this often."""
        upper = min(max(self.least, self.bound.upper(failure)), self.most)
        return self.law_widths(upper, FAILURES)

    @property
    def std(self) -> float:
        """Standard deviation, as if the noisy bound were the true one."""
        return self.law_std(min(max(self.least, self.bound.noisy), self.most))


@dataclass(frozen=True, slots=True)
class NoisyCount:
    """A released count and what is known about its error."""

    value: int
    bound: NoisyBound
    error: CountError


def count_accuracy(value: int, error: CountError, support: tuple[float, float]) -> Accuracy:
    """Bands at all levels around a released count."""
    widths = error.half_widths([1 - level for level in LEVELS])
    bands = tuple(Band(level, float(width), float(width)) for level, width in zip(LEVELS, widths, strict=True))
    return Accuracy(value, error.std, bands, support=support)
