"""Half-widths under a noisy bound: they hold for every true bound, and barely more than that."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from graphveil.mechanisms.error_sum import FAILURES, add_errors, half_width_at
from graphveil.mechanisms.ladder import Ladder, SmoothedLadder
from graphveil.mechanisms.ladder_interval import NoisyLadder
from graphveil.mechanisms.ladder_sampler import rung_sizes

MOST = 5000


def law_above(bound: int, epsilon: Fraction) -> SmoothedLadder:
    return SmoothedLadder(Ladder(np.arange(bound, MOST + 1)), epsilon)


def failure_rate(table: NoisyLadder, bound: int, law: SmoothedLadder, failure: float) -> float:
    """The exact probability that a draw passes the half-width, over the noise of both."""
    rate = float(table.rate)
    reach = law.reach(int(60 / float(law.rate)))
    weights = np.array(rung_sizes(reach.tolist())) * np.exp(-float(law.rate) * np.arange(len(reach)))
    beyond = np.append(1, 1 - np.cumsum(weights) / weights.sum())
    steps = np.unique(np.linspace(-15 / rate, 15 / rate, 300).astype(int))
    cells = np.diff([1 / (1 + math.exp(-rate)) * math.exp(rate * min(k, 0)) if k <= 0 else
                     1 - math.exp(-rate * (k + 1)) / (1 + math.exp(-rate)) for k in steps], prepend=0)  # fmt: skip
    width = table.rule(failure)
    widths = [width(bound + int(k)) for k in steps]
    return float(np.interp(widths, np.append(0, reach), beyond) @ cells)


@pytest.mark.parametrize("epsilon", [Fraction(1, 5), Fraction(2)])
def test_the_half_width_holds_for_every_true_bound(epsilon: Fraction) -> None:
    rate = epsilon / 20
    table = NoisyLadder.build(partial(law_above, epsilon=epsilon), 0, MOST, rate)
    for bound in (0, 40, 300, 2000):
        law = law_above(bound, epsilon)
        assert failure_rate(table, bound, law, 0.05) <= 0.05
    assert failure_rate(table, 300, law_above(300, epsilon), 0.05) > 0.02  # and is not much longer than needed


def test_half_widths_grow_with_the_bound_and_with_confidence() -> None:
    table = NoisyLadder.build(partial(law_above, epsilon=Fraction(1)), 0, MOST, Fraction(1, 20))
    usual, careful = table.rule(0.05), table.rule(0.01)
    assert 0 < usual(-10_000) <= usual(50) < usual(500) < careful(500)
    assert usual(10**9) == usual(10**10)


def test_the_sum_of_exponential_errors_is_a_gamma_law() -> None:
    from scipy.stats import gamma

    exponential = -np.log(FAILURES)
    for parts in (1, 2, 4):
        total = add_errors([exponential] * parts)
        for failure in (0.5, 0.05, 0.001):
            exact = gamma.isf(failure, parts)
            assert exact <= half_width_at(total, failure) <= 1.1 * exact + 0.1


def test_an_error_of_zero_adds_nothing() -> None:
    exponential = -np.log(FAILURES)
    total = add_errors([exponential, np.zeros(len(FAILURES))])
    assert half_width_at(total, 0.05) == pytest.approx(half_width_at(exponential, 0.05), rel=0.05)
