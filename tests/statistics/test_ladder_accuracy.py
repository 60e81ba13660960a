"""Half-widths under a noisy bound: they hold for every true bound, and barely more than that."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from graphveil.mechanisms.ladder_sampler import rung_sizes
from graphveil.statistics.ladder.accuracy import NoisyLadder, even_grid, fine_grid, ladder_half_widths, ladder_std
from graphveil.statistics.ladder.error_sum import FAILURES, _cell_masses, half_width_at, sum_half_width
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder, ladder_from_level, level_of

MOST = 5000


def law_above(bound: int, epsilon: Fraction) -> SmoothedLadder:
    return SmoothedLadder(Ladder(np.arange(bound, MOST + 1)), epsilon)


def widths_above(bound: int, failures: np.ndarray, epsilon: Fraction) -> np.ndarray:
    return ladder_half_widths(law_above(bound, epsilon), failures)


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
    table = NoisyLadder.build(partial(widths_above, epsilon=epsilon), fine_grid(0, MOST, rate), rate)
    for bound in (0, 40, 300, 2000):
        law = law_above(bound, epsilon)
        assert failure_rate(table, bound, law, 0.05) <= 0.05
    assert failure_rate(table, 300, law_above(300, epsilon), 0.05) > 0.02  # and is not much longer than needed


@pytest.mark.parametrize("epsilon", [Fraction(1, 5), Fraction(2)])
def test_the_half_width_holds_for_every_true_level(epsilon: Fraction) -> None:
    """Levels, on which half-widths rise by a factor: on the grid, between its points, and at both ends."""
    rate, q, most = epsilon / 10, math.ceil(50 / epsilon), 10**9

    def law(level: int) -> SmoothedLadder:
        return SmoothedLadder(ladder_from_level(level, q, math.ceil(80 / epsilon), most), epsilon, Fraction(1, 10))

    bounds = even_grid(0, level_of(most, q))
    table = NoisyLadder.build(lambda level, failures: ladder_half_widths(law(level), failures), bounds, rate)
    for level in (0, *((bounds[20:23] + bounds[21:24]) // 2).tolist(), int(bounds[21]), int(bounds[-1])):
        assert failure_rate(table, level, law(level), 0.05) <= 0.05
    assert failure_rate(table, int(bounds[21]), law(int(bounds[21])), 0.05) > 0.01  # not much longer than needed


def test_at_a_very_large_epsilon_the_answer_is_exact_and_says_so() -> None:
    law = law_above(300, Fraction(1000))
    assert ladder_half_widths(law, np.array([0.05, 1e-7])).tolist() == [0, 0]
    assert ladder_std(law) == 0
    assert (
        NoisyLadder.build(
            partial(widths_above, epsilon=Fraction(1000)), fine_grid(0, MOST, Fraction(50)), Fraction(50)
        ).rule(0.05)(300)
        == 0
    )


def test_a_bound_that_is_all_noise_leaves_the_widest_half_width() -> None:
    width = NoisyLadder.build(
        partial(widths_above, epsilon=Fraction(1)), fine_grid(0, 60, Fraction(1, 10**7)), Fraction(1, 10**7)
    ).rule(0.05)
    assert width(0) == width(10**9)


def test_half_widths_grow_with_the_bound_and_with_confidence() -> None:
    table = NoisyLadder.build(
        partial(widths_above, epsilon=Fraction(1)), fine_grid(0, MOST, Fraction(1, 20)), Fraction(1, 20)
    )
    usual, careful = table.rule(0.05), table.rule(0.01)
    assert 0 < usual(-10_000) <= usual(50) < usual(500) < careful(500)
    assert usual(10**9) == usual(10**10)


def laplace_sum_quantile(scales: list[float], failure: float) -> float:
    """Of |sum of Laplace variables|, from the partial fractions of their characteristic function."""
    from scipy.optimize import brentq

    weights = [math.prod(a * a / (a * a - b * b) for b in scales if b != a) for a in scales]
    tail = lambda x: sum(w * math.exp(-x / a) for w, a in zip(weights, scales, strict=True))  # noqa: E731
    return float(brentq(lambda x: tail(x) - failure, 0, 100 * max(scales)))


@pytest.mark.parametrize("scales", [[700.0], [700.0, 400.0], [700.0, 400.0, 390.0, 5.0]])
@pytest.mark.parametrize("failure", [0.5, 0.05, 0.001])
def test_the_half_width_of_a_sum_of_laplace_errors(scales: list[float], failure: float) -> None:
    parts = [(scale / 100, -100 * np.log(FAILURES)) for scale in scales]
    exact = laplace_sum_quantile(scales, failure)
    rounding = sum(scales) / 100  # of integers
    found = sum_half_width(parts, failure)
    assert exact <= found <= 1.02 * exact + 0.02 * sum(scales) + rounding
    assert found <= sum(scales) * -math.log(failure / len(scales)) * 1.02  # half-widths one by one, on a grid


def test_errors_that_are_mostly_zero_still_add_up() -> None:
    """One error is 0 but for a fifth of the time, the other nearly always: the sum behaves like the first."""
    first, second = (1000 * np.maximum(0, 1 - FAILURES / share) for share in (0.2, 1e-4))
    alone = sum_half_width([(1.0, first)], 0.05)
    assert alone == pytest.approx(750, rel=0.02)
    assert alone <= sum_half_width([(1.0, first), (1.0, second)], 0.05) <= 1.1 * alone


def test_an_error_of_zero_adds_nothing() -> None:
    error = -100 * np.log(FAILURES)
    alone = sum_half_width([(2.0, error)], 0.05)
    assert sum_half_width([(2.0, error), (0.0, error), (3.0, np.zeros(len(FAILURES)))], 0.05) == alone
    assert sum_half_width([(0.0, error)], 0.05) == 0
    assert half_width_at(error, 0.05) == pytest.approx(100 * math.log(20), rel=0.05)


def test_a_law_with_a_hole_in_the_middle_is_widened_not_narrowed() -> None:
    hole = np.maximum(90.0, -100 * np.log(FAILURES))  # nothing below 90: not unimodal
    assert sum_half_width([(1.0, hole)], 0.05) >= 100 * math.log(20)


def test_a_failure_below_the_grid_is_not_answered_with_too_short_a_width() -> None:
    assert sum_half_width([(1.0, -np.log(FAILURES))], FAILURES[-1]) == math.inf


def test_a_hole_far_out_does_not_make_the_sum_endless() -> None:
    """Nearly always next to nothing, else far out, as on ladders at a large epsilon."""
    far = np.where(FAILURES > 1e-3, 0.0, 1e6)
    assert sum_half_width([(1.0, far), (5.0, -np.log(FAILURES))], 0.05) < 25


def test_cells_hold_all_of_an_error_and_do_not_rise() -> None:
    """Also where the half-widths have steps, which must be levelled outwards."""
    stepped = np.repeat(np.arange(24.0) ** 2, 10)
    for widths in (stepped, np.linspace(0, 50, len(FAILURES)), -3 * np.log(FAILURES)):
        masses, beyond = _cell_masses(widths, float(widths[-1]) / 700)
        assert masses.sum() + beyond == pytest.approx(1, abs=1e-12)
        assert np.all(np.diff(masses) <= 1e-15)
