"""Exact counts: the arithmetic under them, the ends of their ranges, and the coin that decides."""

from decimal import Context, Decimal
from fractions import Fraction
from math import comb, exp, factorial

import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise import binomial as counts
from graphveil.mechanisms.noise.binomial import log_factorial, sample_binomial, sample_hypergeometric, sample_subset
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise

HALF = Fraction(1, 2)


class Digits(SeededNoise):
    """Noise whose bits are the binary digits of a given number, one after the other."""

    __slots__ = ("left",)

    def __init__(self, uniform: Fraction) -> None:
        self.left = uniform

    def bits(self, count: int) -> int:
        whole, self.left = divmod(self.left * 2**count, 1)
        return whole


@pytest.mark.parametrize("bits", [16, 64, 72, 200])
@pytest.mark.parametrize("k", [0, 1, 2, 17, 64, 500, 3000])
def test_log_factorials_keep_their_bound(k, bits):
    exact = [Fraction(Context(prec=120).ln(Decimal(factorial(i)))) for i in (k, 40)]
    found = [Fraction(log_factorial(i, bits)) for i in (k, 40)]
    assert abs((found[0] - found[1]) - (exact[0] - exact[1])) < Fraction(2, 2**bits)


def test_log_factorials_of_huge_numbers_keep_their_bound():
    k = 10**15
    exact = Context(prec=120).ln(Decimal(k + 1))
    found = Fraction(log_factorial(k + 1, 100)) - Fraction(log_factorial(k, 100))
    assert abs(found - Fraction(exact)) < Fraction(2, 2**100)


@pytest.mark.parametrize("far", [20, 60, 100, 300])
@pytest.mark.parametrize(("outcome", "block"), [(0, 0), (1, 0), (4, 0), (9, 0), (1, 3), (8, 2), (2, 1)])
def test_the_coin_is_decided_by_its_exact_probability_however_near_the_bits_come(outcome, block, far):
    """For even odds P(x) / P(mode) is a ratio of binomial coefficients, so both sides of it can be aimed at.

    An outcome of block b is proposed 2^b times less often than the mode, and accepted as many times more often.
    """
    trials, mode = 9, 5
    probability = 2**block * Fraction(comb(trials, outcome), comb(trials, mode))

    def log_weight(x: int, bits: int) -> Decimal:
        return -log_factorial(x, bits) - log_factorial(trials - x, bits)

    law = counts._Law(mode, 3, range(trials + 1), trials, log_weight)
    for side, heads in ((-1, True), (1, False)):
        uniform = probability + Fraction(side, 2**far)
        if 0 <= uniform < 1:
            assert counts._accept(Digits(uniform), law, outcome, block, lambda bits: log_weight(mode, bits)) is heads


@pytest.mark.parametrize(("trials", "rate"), [(9, 0), (9, 1), (1000, 3), (10**10, Fraction(1, 7)), (50, 60)])
def test_the_mode_is_the_most_likely_outcome(trials, rate):
    mode = counts._binomial_mode(trials, Fraction(rate))
    assert abs(mode - (trials + 1) / (1 + exp(rate))) <= 1
    # P(x + 1) / P(x) = (trials - x) / (x + 1) e^-rate
    assert (trials - mode) / (mode + 1) * exp(-rate) <= 1 + 1e-9
    assert mode == 0 or (trials - mode + 1) / mode * exp(-rate) >= 1 - 1e-9


def test_counts_at_the_ends_of_their_ranges():
    noise = SeededNoise(1)
    assert sample_binomial(noise, 0, HALF) == 0
    assert sample_binomial(noise, 10**6, Fraction(10_000)) == 0
    assert sample_hypergeometric(noise, 5, 0, 3) == 3
    assert sample_hypergeometric(noise, 0, 5, 3) == 0
    assert sample_hypergeometric(noise, 4, 6, 10) == 4
    assert {sample_hypergeometric(noise, 1, 1, 1) for _ in range(40)} == {0, 1}
    assert {sample_binomial(noise, 1, HALF) for _ in range(40)} == {0, 1}


def test_counts_of_impossible_things_are_refused():
    noise = SeededNoise(1)
    with pytest.raises(ParameterError, match="at least 0"):
        sample_binomial(noise, -1, HALF)
    with pytest.raises(ParameterError, match="cannot be drawn"):
        sample_hypergeometric(noise, 2, 2, 5)
    with pytest.raises(ParameterError, match="cannot have 4"):
        sample_subset(noise, 3, 4)


@pytest.mark.parametrize(("population", "size"), [(0, 0), (5, 0), (5, 5), (7, 3), (7, 4), (10**15, 1000)])
def test_a_subset_has_its_size_and_stays_inside(population, size):
    subset = sample_subset(SystemNoise(), population, size).tolist()
    assert len(set(subset)) == size
    assert subset == sorted(subset)
    assert all(0 <= number < population for number in subset)
