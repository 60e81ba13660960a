"""Measurements drawn once and drawn many times follow one law."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from graphveil.errors import GuaranteeMismatch
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.laplace import NoisyInteger, NoisyVector
from graphveil.mechanisms.measurement import Adaptive, draw, draw_rows, total_loss
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.mechanisms.selection import ExponentialMechanism, NoisyChoice, PermuteAndFlip
from graphveil.papers.peers.smooth_sensitivity import SmoothInteger
from graphveil.privacy.loss import Pure
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

ALPHA = 1e-6
RATE = Fraction(1, 3)
RUNGS = SmoothedLadder(Ladder(np.array([2, 3, 4])), Fraction(1, 2))


def integer(exact, epsilon=RATE):
    return NoisyInteger(what="number", exact=exact, sensitivity=1, epsilon=epsilon)


def vector(exact, epsilon=RATE):
    return NoisyVector(what="numbers", exact=np.array(exact), sensitivity=1, epsilon=epsilon)


def choice(kind, scores):
    return NoisyChoice(what="candidate", mechanism=kind(epsilon=1, sensitivity=1), scores=scores)


def following(key):
    return (integer(10 * key), *([integer(7)] if key else []))


MEASUREMENTS = {
    "integer": integer(5),
    "vector": vector([1, 9]),
    "weights": replace(vector([1, 9]), weights=np.array([Fraction(1), Fraction(1, 4)])),
    "smooth": SmoothInteger(what="number", exact=5, ladder=Ladder(np.array([2, 3, 4])), epsilon=Fraction(5)),
    "ladder": LadderInteger(what="count", exact=5, rungs=RUNGS),
    "level": choice(ExponentialMechanism, [0, 2, 2, 4]),
    "choice": choice(PermuteAndFlip, [0, 2, 5, 9]),
    "adaptive": Adaptive(integer(0), lambda outcome: int(outcome > 0), following, 2 * RATE),
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
    at_once = np.asarray(measurement.draws(noise, 4000)).reshape(4000, -1)
    one_by_one = [flat(measurement.draws(noise, 1)[0]) for _ in range(2000)]
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
    first = integer(0, Fraction(1, 50))  # hardly any two of five outcomes are alike
    exact = Fraction(10_000)
    rows = Adaptive(first, lambda outcome: outcome, lambda key: (integer(key, exact),), exact).draws(SeededNoise(2), 5)
    assert rows.shape == (5, 2)
    assert rows[:, 0].tolist() == rows[:, 1].tolist()


def test_lists_are_drawn_in_order_with_production_noise_too():
    measurements = (integer(1000, Fraction(50)), vector([2000, 3000], Fraction(50)))
    first, rest = draw(measurements, SystemNoise())
    assert (first, rest.tolist()) == (1000, [2000, 3000])
    assert draw_rows(measurements, SystemNoise(), 4).tolist() == [[1000, 2000, 3000]] * 4


def test_losses_add_up_and_the_scale_follows_from_sensitivity_and_epsilon():
    three = NoisyInteger(what="number", exact=5, sensitivity=3, epsilon=Fraction(1, 2))
    assert three.rate == Fraction(1, 6)
    assert total_loss((three, integer(1), vector([1, 2]))) == Pure(Fraction(1, 2) + 2 * RATE)
    assert MEASUREMENTS["adaptive"].loss == Pure(3 * RATE)


def test_what_follows_may_not_cost_more_than_was_said():
    greedy = Adaptive(integer(0), lambda outcome: 1, lambda key: (integer(key, 3 * RATE),), RATE)
    with pytest.raises(GuaranteeMismatch, match="may cost epsilon 1/3; these cost 1"):
        greedy.draws(SeededNoise(1), 1)


def test_a_weight_scales_the_rate_of_its_entry():
    measurement = MEASUREMENTS["weights"]
    assert measurement.rates() == [RATE, RATE / 4]
    for spread, rate in zip(measurement.draws(SeededNoise(5), 20_000).std(axis=0), (RATE, RATE / 4), strict=True):
        assert spread == pytest.approx(discrete_laplace_std(rate), rel=0.05)
