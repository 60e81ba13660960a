"""Exact counts against their laws, small and huge; noise that is 30 % wrong is seen."""

from fractions import Fraction
from itertools import combinations
from math import comb, exp

import numpy as np
import pytest
from goodness_of_fit import Law, fits
from scipy.stats import binom, hypergeom

from graphveil.mechanisms.noise.binomial import sample_binomial, sample_hypergeometric, sample_subset
from graphveil.mechanisms.noise.source import SeededNoise

BINOMIALS = [(3, Fraction(1), 3000), (40, Fraction(2, 5), 1000), (10**4, Fraction(3), 600), (10**10, Fraction(1), 600)]
HYPERGEOMETRICS = [(3, 4, 3, 3000), (40, 60, 50, 1000), (2000, 10**5, 3000, 600), (10**8, 10**10, 10**6, 600)]


def law_of(distribution) -> Law:
    """The probabilities within ten standard deviations."""
    reach = 10 * distribution.std() + 2
    first = max(0, int(distribution.mean() - reach))
    return Law(first, distribution.pmf(np.arange(first, int(distribution.mean() + reach) + 1)))


@pytest.mark.parametrize(("trials", "rate", "draws"), BINOMIALS)
def test_binomial_counts_follow_their_law(trials, rate, draws):
    noise = SeededNoise(50)
    sample = [sample_binomial(noise, trials, rate) for _ in range(draws)]
    assert fits(sample, law_of(binom(trials, 1 / (1 + exp(rate)))))
    assert not fits(sample, law_of(binom(trials, 1 / (1 + exp(1.3 * float(rate))))))


@pytest.mark.parametrize(("good", "bad", "drawn", "draws"), HYPERGEOMETRICS)
def test_hypergeometric_counts_follow_their_law(good, bad, drawn, draws):
    noise = SeededNoise(51)
    sample = [sample_hypergeometric(noise, good, bad, drawn) for _ in range(draws)]
    assert fits(sample, law_of(hypergeom(good + bad, good, drawn)))
    wrong = max(good + 1, 13 * good // 10)
    assert not fits(sample, law_of(hypergeom(wrong + bad, wrong, drawn)))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_subsets_are_uniform(size):
    noise = SeededNoise(52)
    number = {subset: i for i, subset in enumerate(combinations(range(6), size))}
    sample = [number[tuple(sample_subset(noise, 6, size).tolist())] for _ in range(6000)]
    assert fits(sample, Law.of([1 / comb(6, size)] * len(number)))
