"""Exact binomial and hypergeometric counts, and uniform subsets: time does not grow with the numbers counted in.

Both laws are log-concave: with mode m and p = P(m), P(m + d) <= P(m) min(1, e^(1 - p |d|)) (Devroye 1987), and every
law on the integers has p >= 1 / sqrt(1 + 12 variance), since among laws with that largest probability an even one has
the least variance. So with K = 1/p or more, blocks of 1.7 K integers on both sides of the mode, block b proposed with
probability 2^-b / 2, lie under a hat: P(m + d) / P(m) <= 2^-b, because e^(1 - 1.7) < 1/2. A proposal is accepted with
probability 2^b P(m + d) / P(m), about one in ten; that coin compares random bits with an enclosure of its probability
until they differ, so no rounding takes part in the law.

Logarithms of factorials between bounds, for numbers of any size.

Stirling's series ln k! = (k + 1/2) ln k - k + ln(2 pi) / 2 + sum of B_2j / (2j (2j - 1) k^(2j - 1)) does not converge,
but its terms alternate and each partial sum errs by less than the next term. With T = bits / 8 terms and k >= bits that
is under (1 / 60)^(bits / 4) < 2^-bits; a smaller k is first raised with (k + s)! = k! (k + 1) ... (k + s).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import ceil, comb, isqrt, prod

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import sample_uniform
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.rounding import exp_bounds


@lru_cache(maxsize=1024)
def log_factorial(k: int, bits: int) -> Decimal:
    """The logarithm of k! / sqrt(2 pi) within 2^-bits; the root cancels where as many factorials divide as multiply.

    >>> round(log_factorial(20, 64) - log_factorial(18, 64), 12) == round(Decimal(19 * 20).ln(), 12)
    True
    """
    raised = max(k, bits)
    with localcontext(working_context(raised, bits)):
        x = Decimal(raised)
        series = Decimal(0)
        for top, bottom in reversed(_stirling_coefficients(bits // 8)):
            series = series / (x * x) + Decimal(top) / bottom
        logarithm = (x + Decimal("0.5")) * x.ln() - x + series / x
        return logarithm - Decimal(prod(range(k + 1, raised + 1))).ln()


def working_context(size: int, bits: int) -> Context:
    """Enough digits that sums of a few hundred terms, each below size^2, are right within 2^-bits."""
    return Context(prec=bits * 302 // 1000 + 2 * len(str(size)) + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@lru_cache(maxsize=16)
def _stirling_coefficients(count: int) -> tuple[tuple[int, int], ...]:
    """B_2j / (2j (2j - 1)) for j = 1, 2, ..., count."""
    bernoulli = [Fraction(1)]
    for n in range(1, 2 * count + 1):
        bernoulli.append(-sum((comb(n + 1, i) * b for i, b in enumerate(bernoulli)), Fraction(0)) / (n + 1))
    return tuple((bernoulli[2 * j] / (2 * j * (2 * j - 1))).as_integer_ratio() for j in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class _Law:
    """A log-concave law: its mode, a bound on its variance, its support, ln P(outcome) + constant within 2^-bits.

    Terms of the logarithm stay below size^2, which says how many digits they need.
    """

    mode: int
    variance: int
    support: range
    size: int
    log_weight: Callable[[int, int], Decimal]


def sample_binomial(noise: Noise, trials: int, rate: Fraction) -> int:
    """The number of successes in independent trials with odds e^-rate, that is probability 1 / (1 + e^rate).

    >>> sample_binomial(SeededNoise(1), 10**12, Fraction(1)) / 10**12
    0.268941369361
    """
    if trials < 0 or rate < 0:
        raise ParameterError(f"a binomial law needs trials and rate of at least 0, not {trials} and {rate}")
    odds = exp_bounds(-rate, 64)[1]
    variance = ceil(trials * odds / (1 + odds) ** 2)

    def log_weight(x: int, bits: int) -> Decimal:
        return (
            -log_factorial(x, bits) - log_factorial(trials - x, bits) - x * Decimal(rate.numerator) / rate.denominator
        )

    size = ceil(trials * (1 + rate))
    return _sample(noise, _Law(_binomial_mode(trials, rate), variance, range(trials + 1), size, log_weight))


def sample_hypergeometric(noise: Noise, good: int, bad: int, drawn: int) -> int:
    """How many of `drawn` things are good, taken evenly from good and bad ones without putting back.

    >>> sample_hypergeometric(SeededNoise(1), 10**10, 3 * 10**10, 10**8) / 10**8
    0.24992703
    """
    total = good + bad
    if min(good, bad) < 0 or not 0 <= drawn <= total:
        raise ParameterError(f"{drawn} of {good} good and {bad} bad things cannot be drawn")
    support = range(max(0, drawn - bad), min(good, drawn) + 1)
    mode = (drawn + 1) * (good + 1) // (total + 2)
    variance = ceil(Fraction(drawn * good * bad * (total - drawn), max(1, total**2 * (total - 1))))

    def log_weight(x: int, bits: int) -> Decimal:
        return -sum((log_factorial(k, bits) for k in (x, good - x, drawn - x, bad - drawn + x)), Decimal(0))

    return _sample(noise, _Law(mode, variance, support, total, log_weight))


def sample_subset(noise: Noise, population: int, size: int) -> Integers:
    """A uniform subset of 0..population-1 of that size, in rising order; time O(size log size).

    Repeats are drawn again, and that treats all numbers alike; of a set with more than half of them the rest is drawn.
    """
    if not 0 <= size <= population:
        raise ParameterError(f"a subset of {population} things cannot have {size}")
    if 2 * size > population:
        return np.delete(np.arange(population, dtype=np.int64), sample_subset(noise, population, population - size))
    chosen = np.empty(0, dtype=np.int64)
    while len(chosen) < size:
        drawn = np.sort(np.concatenate([chosen, sample_uniform(noise, population, size - len(chosen))]))
        chosen = drawn[np.diff(drawn, prepend=-1) > 0]
    return chosen


def _binomial_mode(trials: int, rate: Fraction) -> int:
    """The floor of (trials + 1) / (1 + e^rate)."""
    if rate == 0:
        return (trials + 1) // 2
    bits = 64 + trials.bit_length()
    while True:  # e^rate is irrational, so the bounds part from every whole number
        low, high = exp_bounds(rate, bits)
        least, most = int((trials + 1) / (1 + high)), int((trials + 1) / (1 + low))
        if least == most:
            return least
        bits *= 2


def _sample(noise: Noise, law: _Law) -> int:
    """An outcome of the law."""
    if len(law.support) == 1:
        return law.support[0]
    width = -(-17 * (isqrt(12 * law.variance) + 2) // 10)  # isqrt(12 v) + 2 > sqrt(1 + 12 v)
    weigh_mode = cache(partial(law.log_weight, law.mode))
    while True:
        block = 0
        while noise.bits(1):
            block += 1
        distance = block * width + noise.below(width)
        outcome = law.mode - distance if noise.bits(1) else law.mode + distance
        if (distance == 0 and noise.bits(1)) or outcome not in law.support:  # the mode is proposed from both sides
            continue
        if _accept(noise, law, outcome, block, weigh_mode):
            return outcome


def _accept(noise: Noise, law: _Law, outcome: int, block: int, weigh_mode: Callable[[int], Decimal]) -> bool:
    """True with probability 2^block P(outcome) / P(mode)."""
    bits = 64
    drawn = noise.bits(bits)
    while True:
        with localcontext(working_context(law.size, bits + 8)):
            ratio = (law.log_weight(outcome, bits + 8) - weigh_mode(bits + 8)).exp()
            whole = int(ratio * 2 ** (bits + block))
        # eight logarithms within 2^-(bits + 8) leave the ratio, at most 2^-block, uncertain by less than one unit
        if drawn < whole - 1:
            return True
        if drawn > whole + 1:
            return False
        drawn = drawn << bits | noise.bits(bits)
        bits *= 2
