"""The auditor keeps its confidence and has the power it needs."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.audit import audit
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.unary import SymmetricUnary

ALPHA = 1e-6
AUDITS = 300
CONFIDENCE = 0.99

pytestmark = pytest.mark.laws


def laplace(rate):
    return lambda given, count, noise: given + bulk_discrete_laplace(noise, Fraction(rate), count)


def response(make, **options):
    made = make(epsilon=Fraction(1), **options)
    return lambda given, count, noise: made.perturb(np.full(count, given), noise)


SOUND = {
    "laplace": (laplace(1), (3, 4)),
    "unary": (response(SymmetricUnary, n_values=12), (3, 9)),
    "square wave": (response(SquareWave, n_values=41), (0, 40)),
}


def test_sound_mechanisms_are_refuted_no_more_often_than_99_percent_allows():
    """At 300 audits of mechanisms whose true epsilon is the claimed one; the critical value is that of ALPHA."""
    critical = binom.isf(ALPHA, AUDITS, 1 - CONFIDENCE)
    bounds = [
        audit(mechanism, pairs=[pair], epsilon=1, samples=1000, confidence=CONFIDENCE, seed=seed).epsilon_lower_bound
        for mechanism, pair in SOUND.values()
        for seed in range(AUDITS // len(SOUND))
    ]
    alarms = sum(bound > 1 for bound in bounds)
    assert alarms <= critical
    assert np.mean(bounds) > 0.75  # and the audits are not idle


def test_the_false_alarm_check_itself_would_notice():
    """Power twin: an auditor whose bounds lie 5 % too high is caught by the same count."""
    critical = binom.isf(ALPHA, AUDITS // 3, 1 - CONFIDENCE)
    mechanism, pair = SOUND["laplace"]
    bounds = [
        audit(mechanism, pairs=[pair], epsilon=1, samples=4000, confidence=CONFIDENCE, seed=seed).epsilon_lower_bound
        for seed in range(AUDITS // 3)
    ]
    assert sum(1.05 * bound > 1 for bound in bounds) > critical


def test_a_true_epsilon_of_1_15_claimed_as_1_is_flagged():
    bounds = [
        audit(laplace("1.15"), pairs=[(3, 4)], epsilon=1, samples=40_000, seed=seed).epsilon_lower_bound
        for seed in range(20)
    ]
    assert sum(bound > 1 for bound in bounds) >= 18
    assert np.mean(bounds) > 1.1
