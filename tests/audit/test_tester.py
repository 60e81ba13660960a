"""The bound keeps its promise exactly: it is wrong no more often than it says."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.audit.engine.tester import binomial_upper_quantile, epsilon_lower_bound

EPSILON = 1.0
SHARE = math.exp(EPSILON) / (1 + math.exp(EPSILON))


@pytest.mark.parametrize("guesses", [10, 300, 5000])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_the_chance_of_passing_a_true_epsilon_is_at_most_what_is_stated(guesses, confidence):
    right = np.arange(guesses + 1)
    bound = epsilon_lower_bound(right, guesses - right, runs=guesses, confidence=confidence)
    false_alarm = binom.pmf(right, guesses, SHARE)[bound > EPSILON].sum()
    assert false_alarm <= 1 - confidence
    if guesses == 5000:  # and it wastes little of it
        assert false_alarm > 0.8 * (1 - confidence)


@pytest.mark.parametrize("delta", [0.001, 0.05])
def test_right_guesses_that_delta_excuses_are_struck_out(delta):
    runs, confidence = 2000, 0.99
    excused = np.arange(runs + 1)
    weights = binom.pmf(excused, runs, delta)
    likely = excused[weights > 1e-12]
    false_alarm = 0.0
    for bad in likely:  # the worst case: every bad run is a right guess
        right = np.arange(runs - bad + 1)
        bound = epsilon_lower_bound(right + bad, runs - bad - right, runs=runs, confidence=confidence, delta=delta)
        false_alarm += weights[bad] * binom.pmf(right, runs - bad, SHARE)[bound > EPSILON].sum()
    assert false_alarm <= 1 - confidence
    right = round(runs * SHARE)
    without = epsilon_lower_bound(right, runs - right, runs=runs, confidence=confidence)
    assert epsilon_lower_bound(right, runs - right, runs=runs, confidence=confidence, delta=delta) < without


@pytest.mark.parametrize("delta", [0.001, 0.05])
def test_a_player_who_speaks_only_where_delta_excuses_shows_nothing(delta):
    runs, confidence = 2000, 0.99
    right = np.arange(runs + 1)
    bound = epsilon_lower_bound(right, np.zeros_like(right), runs=runs, confidence=confidence, delta=delta)
    assert binom.pmf(right, runs, delta)[bound > 0].sum() <= 1 - confidence


def test_guesses_no_better_than_a_coin_show_nothing():
    assert epsilon_lower_bound([0, 5, 50], [0, 5, 60], runs=200, confidence=0.99).tolist() == [0, 0, 0]


def test_the_largest_bound_that_40000_samples_can_show():
    every_guess_right = epsilon_lower_bound(80_000, 0, runs=80_000, confidence=0.99)
    assert every_guess_right == pytest.approx(math.log(80_000 / math.log(100)), abs=0.01)


@pytest.mark.parametrize(("trials", "probability"), [(100, 0.3), (80_000, 1e-6)])
def test_the_quantile_is_the_smallest_that_will_do(trials, probability):
    quantile = binomial_upper_quantile(trials, probability, 0.001)
    assert binom.sf(quantile, trials, probability) <= 0.001
    assert quantile == 0 or binom.sf(quantile - 1, trials, probability) > 0.001
