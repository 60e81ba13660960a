"""Measurements drawn once and drawn many times follow one law."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from graphveil.mechanisms.choices import Choice
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.mechanisms.noisy_numbers import HeavyTailed, NoisyInteger, NoisyVector, OnLadder
from graphveil.mechanisms.old_measurement import Adaptive, draw_all, draws_of_all
from graphveil.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

ALPHA = 1e-6
RATE = Fraction(1, 3)
RUNGS = SmoothedLadder(Ladder(np.array([2, 3, 4])), Fraction(1, 2))


def following(key):
    return (NoisyInteger(10 * key, RATE), *([NoisyInteger(7, RATE)] if key else []))


MEASUREMENTS = {
    "integer": NoisyInteger(5, RATE),
    "vector": NoisyVector(np.array([1, 9]), RATE),
    "ladder": OnLadder(5, RUNGS),
    "heavy tail": HeavyTailed(5, Fraction(4)),
    "level": Choice(ExponentialMechanism(epsilon=1, sensitivity=1), [0, 2, 2, 4]),
    "choice": Choice(PermuteAndFlip(epsilon=1, sensitivity=1), [0, 2, 5, 9]),
    "adaptive": Adaptive(NoisyInteger(0, RATE), lambda outcome: int(outcome > 0), following),
}


def same_law(one, other):
    """A chi-square test of two samples over their pooled deciles."""
    cuts = np.unique(np.quantile(np.concatenate((one, other)), np.linspace(0.1, 0.9, 9)))
    table = [np.bincount(np.searchsorted(cuts, sample), minlength=len(cuts) + 1) for sample in (one, other)]
    table = np.array(table)[:, np.sum(table, axis=0) > 0]
    return chi2_contingency(table).pvalue > ALPHA


def flat(outcome):
    return np.concatenate([np.ravel(part) for part in outcome]) if isinstance(outcome, tuple) else np.ravel(outcome)


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_many_runs_at_once_are_like_many_runs(name):
    measurement, noise = MEASUREMENTS[name], SeededNoise(3)
    at_once = measurement.draws(noise, 4000).reshape(4000, -1)
    one_by_one = [flat(measurement.draw(noise)) for _ in range(2000)]
    for j in range(at_once.shape[1]):
        column = np.array([outcome[j] if j < len(outcome) else 0 for outcome in one_by_one])
        assert same_law(at_once[:, j], column)
        assert not same_law(at_once[:, j], np.rint(1.5 * column))  # a test that sees a wrong scale


def test_what_follows_an_outcome_goes_with_it():
    rows = MEASUREMENTS["adaptive"].draws(SeededNoise(1), 3000)
    high = rows[:, 0] > 0
    assert rows[high, 1].mean() == pytest.approx(10, abs=0.6)
    assert rows[~high, 1].mean() == pytest.approx(0, abs=0.6)
    assert not rows[~high, 2].any()
    assert rows[high, 2].mean() == pytest.approx(7, abs=0.6)


def test_an_outcome_that_came_once_is_followed_too():
    first = NoisyInteger(0, Fraction(1, 50))  # hardly any two of five outcomes are alike
    kind = Adaptive(first, key=lambda outcome: outcome, following=lambda key: (NoisyInteger(key, Fraction(10_000)),))
    rows = kind.draws(SeededNoise(2), 5)
    assert rows.shape == (5, 2)
    assert rows[:, 0].tolist() == rows[:, 1].tolist()


def test_lists_are_drawn_in_order_with_production_noise_too():
    measurements = (NoisyInteger(1000, Fraction(50)), NoisyVector(np.array([2000, 3000]), Fraction(50)))
    first, rest = draw_all(measurements, SystemNoise())
    assert (first, rest.tolist()) == (1000, [2000, 3000])
    assert draws_of_all(measurements, SystemNoise(), 4).tolist() == [[1000, 2000, 3000]] * 4
