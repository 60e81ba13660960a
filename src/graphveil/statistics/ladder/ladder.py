"""The smoothed integer ladder: noise that follows how much one edge can change a count near this very graph.

A *ladder function* (Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015) of an integer statistic f gives whole numbers
I_0 <= I_1 <= ... for every graph G such that for all neighbours G'

    (a)  |f(G) - f(G')| <= I_0(G)        (b)  I_t(G') <= I_{t+1}(G)

Published ladders pay twice for it: once for the rung of an outcome, once for the normaliser. Here the rungs are made to
grow slowly, so that the normaliser hardly moves:

    J_t = max(I_t, ceil(J_{t+1} / (1 + kappa)))              width of a rung, from the far end backwards
    C_t = max(round(gamma J_t), ceil(C_{t+1} / (1 + kappa)))   half a rung more, for the one in the middle
    B_t = J_0 + ... + J_{t-1} + C_t                          how far rung t reaches
    P(x) proportional to exp(-g rung(x)),  rung(x) = min{t: |x - f| <= B_t},  g = epsilon - kappa

Theorem. The loss is at most g + ln(1 + kappa) < epsilon. With c(x) = ceil(x / (1 + kappa)), J_t is the largest of
c^s(I_{t+s}) over s >= 0; c is monotone, so (a) and (b) hold for J, (b) for C, and both grow by at most the factor
1 + kappa a step.
(i) |x - f(G)| <= B_t(G) gives |x - f(G')| <= J_0(G') + sum_{s<t} J_{s+1}(G') + C_{t+1}(G') = B_{t+1}(G'), so the rung
of x moves by at most 1.
(ii) The normaliser is (1 - e^-g) sum_t e^{-g t} (1 + 2 B_t), and B_t(G') <= sum_{s<t} J_{s+1}(G) + C_{t+1}(G)
<= (1 + kappa) B_t(G), so it moves by at most the factor 1 + kappa.

C is the narrow middle step of Geng and Viswanath's staircase (2014), gamma = 1 / (1 + e^{g/2}); without it (C = 0) the
law is the plain ladder. kappa is 1/q with whole q, so c(x) = x - floor(x / (q + 1)) needs no product. A ladder that
still grows at the end of its list must say how: cutting it there would make the loss unbounded.

Level: the width of a smoothed ladder as a whole number of sensitivity 1, for ladders that nothing simpler bounds. Whole
widths grow by at most floor(J / q) a step, so with u(x) = x + floor(x / q), J_0(G') <= J_1(G) <= u(J_0(G)) for
neighbours. Let x_0 = q, x_{l+1} = u(x_l) and level(J) the smallest l with J <= x_l. u is monotone: J <= x_l gives u(J)
<= x_{l+1}, so levels of neighbours differ by at most 1. (Widths below q cannot grow at all; they share level 0.) A
level tells the width up to a factor of 1 + 1/q, and J_s <= u^s(J_0) bounds the whole ladder.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.kernels import light_kernel
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.rounding import exp_up, round_up

MIN_EPSILON = Fraction(1, 100_000)
LARGEST = 2**62
MIDDLE_BITS, MOST_BITS = 6, 18  # of gamma, and where it is small: 1 / gamma steps may have to be listed (_settled)


def check_rungs(epsilon: Fraction, share: Fraction) -> None:
    """Refuse an epsilon whose share for a ladder is too small for one; called before anything is spent."""
    if share < MIN_EPSILON:
        least = round_up(MIN_EPSILON * epsilon / share)
        raise ParameterError(
            f"epsilon must be at least {least:g} here, for ladders of finite length, not {float(epsilon):g}"
        )


def middle_share(rate: Fraction) -> Fraction:
    """gamma, rounded down to a few binary digits, so that multiples of whole numbers fit into 64 bits.

    >>> [str(middle_share(Fraction(g))) for g in (1, 4, 12, 1000)]
    ['3/8', '15/128', '5/2048', '0']
    """
    bits = min(MOST_BITS, MIDDLE_BITS + max(0, math.ceil(rate / 2 / Fraction(math.log(2))) - 2))
    return Fraction(int((1 << bits) / (1 + exp_up(rate / 2))), 1 << bits)


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """A ladder function: I_0, I_1, ... as listed, then growing by `slope` a step for ever.

    >>> Ladder(np.array([3, 4, 6]), slope=2).first(5).tolist()
    [3, 4, 6, 8, 10]
    """

    steps: Integers
    slope: int = 0

    def __post_init__(self) -> None:
        given = np.asarray(self.steps)
        steps = np.array(given, dtype=object if given.dtype.hasobject else np.int64, ndmin=1)
        if not len(steps) or self.slope < 0:
            raise ParameterError("a ladder needs at least one step and a slope of at least 0")
        steps.setflags(write=False)
        object.__setattr__(self, "steps", steps)

    def first(self, count: int) -> Integers:
        """The first steps I_0 .. I_{count-1} as an array; Python's own integers where 64 bits do not hold them."""
        missing = max(0, count - len(self.steps))
        fits = int(self.steps[-1]) + self.slope * (missing + 1) <= LARGEST
        beyond = np.arange(1, missing + 1).astype(np.int64 if fits else object)
        return np.concatenate([self.steps[:count], int(self.steps[-1]) + self.slope * beyond])


@dataclass(frozen=True, slots=True)
class SmoothedLadder:
    """The law above for one ladder; `kappa_share` is the public kappa / epsilon (kappa is rounded down to 1/q).

    A kappa share of 1/20 costs little where I_0 is at least 20 / epsilon times the growth of a step; steep ladders that
    start low want more of it.

    >>> SmoothedLadder(Ladder(np.array([300]), slope=1), Fraction(1)).reach(3).tolist()
    [113, 413, 714]
    """

    ladder: Ladder
    epsilon: Fraction
    kappa_share: Fraction = Fraction(1, 20)
    q: int = field(init=False)  # 1 / kappa
    rate: Fraction = field(init=False)  # g, what one rung costs
    gamma: Fraction = field(init=False)  # width of the middle step over that of a rung

    def __post_init__(self) -> None:
        if exact_epsilon(self.epsilon) < MIN_EPSILON:
            raise ParameterError(f"a ladder has more rungs than fit below an epsilon of 0.00001, not {self.epsilon}")
        if not 0 < self.kappa_share <= Fraction(1, 2):
            raise ParameterError(f"kappa must take a share above 0 and at most 1/2 of epsilon, not {self.kappa_share}")
        q = math.ceil(1 / (self.kappa_share * self.epsilon))
        rate = self.epsilon - Fraction(1, q)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "rate", rate)
        object.__setattr__(self, "gamma", middle_share(rate))

    @property
    def steady(self) -> int | None:
        """Where the list of a ladder that does not grow on has ended, so has growth: of J and C, hence of rungs."""
        return None if self.ladder.slope else len(self.ladder.steps)

    def widths(self, count: int) -> Integers:
        """The smoothed widths J_0 .. J_{count-1} as an array."""
        return self._smooth(self.ladder.first(self._settled(count)))[:count]

    def reach(self, count: int) -> Integers:
        """B_0 .. B_{count-1}; Python's own integers where 64 bits do not hold them."""
        widths = self._smooth(self.ladder.first(self._settled(count)))
        gamma = self.gamma
        middle = self._smooth((2 * gamma.numerator * _fitting(widths, 4 * gamma.denominator) + gamma.denominator)
                              // (2 * gamma.denominator))  # fmt: skip
        return np.concatenate([[0], np.cumsum(_fitting(widths[: count - 1], 2 * count))]) + middle[:count]

    def tail(self, last_size: int) -> tuple[Fraction, Fraction]:
        """(a, r): after a rung t >= 1 of this size the next ones hold at most a, a r, a r^2 ... integers.

        Rung t >= 1 holds 2 (J_{t-1} + C_t - C_{t-1}) integers; C_t - C_{t-1} <= kappa C_{t-1} <= kappa J_{t-1}, so its
        size is between 2 J_{t-1} and 2 (1 + kappa) J_{t-1}.
        """
        growth = 1 + Fraction(1, self.q)
        return last_size * growth**2, growth

    def _smooth(self, sizes: Integers) -> Integers:
        large = sizes.dtype.hasobject and int(sizes.max(initial=0)) > LARGEST
        smoothed: Integers = (
            _backwards_in_python(sizes, self.q) if large else _backwards(sizes.astype(np.int64), self.q)
        )
        return smoothed

    def _settled(self, count: int) -> int:
        """How many steps must be listed so that from the last on J_t = I_t and C_t = round(gamma J_t).

        Beyond the list I grows by b a step. J = I as soon as I_t >= b q, and C needs gamma b + 1 + kappa / 2 <= kappa
        gamma I_t, since rounding adds at most 1 to a step and takes at most 1/2 from C.
        """
        listed = len(self.ladder.steps)
        if not self.ladder.slope:
            return max(count, listed)
        needed = Fraction(self.ladder.slope * self.q)
        if self.gamma:
            needed += (self.q + Fraction(1, 2)) / self.gamma
        missing = max(Fraction(0), needed - int(self.ladder.steps[-1])) / self.ladder.slope
        return max(count, listed + math.ceil(missing))


def _fitting(widths: Integers, factor: int) -> Any:
    """The widths in a type that holds the sum of `factor` of them: Python's own integers where 64 bits may not do."""
    return widths.astype(object) if int(widths.max(initial=0)) * factor > LARGEST else widths


@light_kernel
def _backwards(sizes: Any, q: Any) -> Any:
    """max(I_t, ceil(J_{t+1} q / (q + 1))) from the last step down."""
    smoothed = sizes.copy()
    for t in range(len(sizes) - 2, -1, -1):
        smoothed[t] = max(sizes[t], smoothed[t + 1] - smoothed[t + 1] // (q + 1))
    return smoothed


def _backwards_in_python(sizes: Any, q: int) -> Any:
    """The same for integers of any size."""
    smoothed = sizes.copy()
    for t in range(len(sizes) - 2, -1, -1):
        smoothed[t] = max(sizes[t], smoothed[t + 1] - smoothed[t + 1] // (q + 1))
    return smoothed


def _levels(q: int) -> Iterator[int]:
    width = q
    while True:
        yield width
        width += width // q


def level_of(width: int, q: int) -> int:
    """The smallest level that is not below this width.

    >>> level_of(3, q=10), level_of(10, q=10), level_of(11, q=10), level_of(14, q=10)
    (0, 0, 1, 4)
    """
    return next(level for level, most in enumerate(_levels(q)) if width <= most)


def ladder_from_level(level: int, q: int, count: int, most: int = LARGEST) -> Ladder:
    """The first steps of a ladder above all smoothed ladders of this level; constant after them, for reports only.

    None is above `most`, which must hold for all of these ladders.
    """
    widths = islice(_levels(q), max(0, level), max(0, level) + count)
    return Ladder(np.fromiter((min(width, most) for width in widths), dtype=np.int64))
