"""What the selection mechanisms choose: the exact law by formula, its exact loss, and the draws against it."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from goodness_of_fit import Law, fits

from graphveil.mechanisms.noise.inversion import sample_exp_weights
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from graphveil.privacy.rounding import exp_bounds

sources = pytest.mark.parametrize("noise", [SeededNoise(40), SystemNoise()], ids=lambda noise: noise.kind)


def exponential_law(scores, rate):
    weights = [math.exp(rate * (score - max(scores))) for score in scores]
    return [weight / sum(weights) for weight in weights]


def permute_and_flip_law(scores, rate):
    """Candidate i is accepted if its coin falls heads and it comes first among the heads."""
    heads = [math.exp(rate * (score - max(scores))) for score in scores]
    chances = [0.0] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        still_open = 1.0
        for i in order:
            chances[i] += still_open * heads[i]
            still_open *= 1 - heads[i]
    return [chance / math.factorial(len(scores)) for chance in chances]


def noisy_max_law(scores, rate):
    """Candidate i wins with noise z if every earlier one stays below and every later one not above."""

    def below(x):  # P(noise < x)
        return 1 - math.exp(-rate * max(x, 0))

    law = []
    for i, score in enumerate(scores):
        chance = 0.0
        for z in range(int(40 / rate)):
            reached = z + score
            others = math.prod(below(reached - q + (j > i)) for j, q in enumerate(scores) if j != i)
            chance += math.exp(-rate * z) * -math.expm1(-rate) * others
        law.append(chance)
    return law


MECHANISMS = [
    (ExponentialMechanism, exponential_law),
    (PermuteAndFlip, permute_and_flip_law),
    (ReportNoisyMax, noisy_max_law),
]
mechanisms = pytest.mark.parametrize(("mechanism", "law"), MECHANISMS, ids=lambda value: value.__name__)


def worst_loss(law, rate, moves):
    worst = 0.0
    for scores in itertools.product(range(3), repeat=3):
        here = law(scores, rate)
        for move in moves:
            there = law([score + step for score, step in zip(scores, move, strict=True)], rate)
            worst = max(worst, *(abs(math.log(a / b)) for a, b in zip(here, there, strict=True)))
    return worst


@mechanisms
@pytest.mark.parametrize("monotone", [False, True])
def test_exact_loss_never_passes_epsilon(mechanism, law, monotone):
    choice = mechanism(epsilon=1, sensitivity=1, monotone=monotone)
    steps = (0, 1) if monotone else (-1, 0, 1)
    loss = worst_loss(law, float(choice.rate), list(itertools.product(steps, repeat=3)))
    assert 0.6 < loss <= 1 + 1e-9


@mechanisms
def test_monotone_is_not_valid_for_scores_that_move_apart(mechanism, law):
    rate = float(mechanism(epsilon=1, sensitivity=1, monotone=True).rate)
    assert worst_loss(law, rate, list(itertools.product((-1, 0, 1), repeat=3))) > 1.2


@sources
@mechanisms
def test_choices(noise, mechanism, law):
    scores = [3, 0, 4, 4, 1]
    stated = Law.of(law(scores, 0.5))
    assert stated.probabilities.sum() == pytest.approx(1, abs=1e-6)
    right, wrong = mechanism(epsilon=1, sensitivity=1), mechanism(epsilon=1.3, sensitivity=1)
    assert fits(right.select(scores, noise, 20_000), stated)
    assert not fits(wrong.select(scores, noise, 20_000), stated)


@pytest.mark.parametrize("mechanism", [ExponentialMechanism, PermuteAndFlip], ids=lambda made: made.__name__)
def test_choices_by_fractions(mechanism):
    scores = [Fraction(3, 2), Fraction(0), Fraction(7, 3), Fraction(7, 3)]
    law = exponential_law if mechanism is ExponentialMechanism else permute_and_flip_law
    stated = Law.of(law([float(score) for score in scores], 0.5))
    right, wrong = mechanism(epsilon=1, sensitivity=1), mechanism(epsilon=1.3, sensitivity=1)
    assert fits(right.select(scores, SeededNoise(41), 20_000), stated)
    assert not fits(wrong.select(scores, SeededNoise(41), 20_000), stated)


def test_permute_and_flip_by_fractions_too_fine_for_64_bits():
    scores = [Fraction(1, 10**16 + 61), Fraction(3, 2), Fraction(7, 3)]
    stated = Law.of(permute_and_flip_law([float(score) for score in scores], 0.5))
    right, wrong = (PermuteAndFlip(epsilon=epsilon, sensitivity=1) for epsilon in (1, 2))
    assert fits(right.select(scores, SeededNoise(42), 4_000), stated)
    assert not fits(wrong.select(scores, SeededNoise(42), 4_000), stated)


@pytest.mark.parametrize("past", [-1, 0, 1])
def test_draws_next_to_a_border_are_settled_by_more_bits(past):
    """A stream whose first word lies where the sums' bounds leave the outcome open, or right beside it."""
    border = int(2**64 / (1 + exp_bounds(Fraction(-1), 200)[0]))

    class AtTheBorder(SeededNoise):
        def words(self, count):
            return np.full(count, border + past, dtype=np.uint64)

    found = sample_exp_weights(AtTheBorder(1), [Fraction(0), Fraction(1)], [1, 1], 50)
    assert set(found.tolist()) == {-1: {0}, 0: {0, 1}, 1: {1}}[past]


@sources
def test_inversion_of_exponential_weights(noise):
    exponents, counts = [Fraction(x) for x in (0, 1, 2, 80)], [1, 2, 3, 10]
    weights = [count * math.exp(-x) for x, count in zip(exponents, counts, strict=True)]
    stated = Law.of([weight / sum(weights) for weight in weights])
    assert fits(sample_exp_weights(noise, exponents, counts, 6_000), stated)
    wrong = [x * Fraction(13, 10) for x in exponents]
    assert not fits(sample_exp_weights(noise, wrong, counts, 6_000), stated)
