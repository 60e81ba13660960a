"""The smoothed ladder as data: its recursion, its tails, its accuracy bounds. Laws of draws: tests/laws."""

from __future__ import annotations

import gc
import math
import weakref
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.mechanisms.ladder_sampler import LadderInteger, rung_sizes, sample_ladder
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.papers.peers.published_ladder import PublishedLadder
from graphveil.statistics.ladder.accuracy import ladder_half_widths, ladder_std
from graphveil.statistics.ladder.functions import product_ladder
from graphveil.statistics.ladder.ladder import MIN_EPSILON, Ladder, SmoothedLadder

ladders = st.builds(
    lambda first, growth, slope: Ladder(np.cumsum([first, *growth]), slope),
    st.integers(0, 60),
    st.lists(st.integers(0, 12), max_size=30),
    st.integers(0, 9),
)
budgets = st.tuples(
    st.fractions(Fraction(1, 5), 16, max_denominator=50),
    st.fractions(Fraction(1, 40), Fraction(1, 2), max_denominator=40),
)


def half_width(law: SmoothedLadder, failure: float) -> int:
    return math.ceil(ladder_half_widths(law, np.array([failure]))[0])


def pmf(law: SmoothedLadder, count: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Reach and probability of every rung; the rest is negligible."""
    reach = law.reach(count)
    weights = np.array(rung_sizes(reach.tolist())) * np.exp(-float(law.rate) * np.arange(count))
    return reach, weights / weights.sum()


@settings(deadline=None)  # the first call compiles
@given(ladders, budgets)
def test_rungs_are_no_narrower_than_the_ladder_and_grow_slowly(ladder, budget):
    law = SmoothedLadder(ladder, *budget)
    widths, reach = law.widths(80), law.reach(80)
    assert np.all(widths >= ladder.first(80))
    assert np.all(widths[1:] * law.q <= widths[:-1] * (law.q + 1))
    middle = reach - np.concatenate([[0], np.cumsum(widths)[:-1]])
    assert np.all(middle[1:] * law.q <= middle[:-1] * (law.q + 1))
    assert np.all((2 * middle + 1 >= 2 * float(law.gamma) * widths) & (middle <= widths))


@settings(deadline=None)  # the first call compiles
@given(ladders, budgets)
def test_a_growing_tail_is_followed_and_never_cut(ladder, budget):
    law = SmoothedLadder(ladder, *budget)
    longer = SmoothedLadder(Ladder(ladder.first(len(ladder.steps) + 500), ladder.slope), *budget)
    assert np.array_equal(law.reach(60), longer.reach(60))


@settings(deadline=None)  # the first call compiles
@given(ladders, budgets, st.integers(2, 40))
def test_the_rest_of_a_ladder_stays_below_its_stated_tail(ladder, budget, count):
    law = SmoothedLadder(ladder, *budget)
    sizes = rung_sizes(law.reach(count + 200).tolist())
    size, growth = law.tail(sizes[count - 1])
    assert growth * Fraction(math.exp(-float(law.rate))) < 1
    assert all(held <= size * growth**t for t, held in enumerate(sizes[count:]))


@settings(deadline=None)  # the first call compiles
@given(ladders, budgets, st.floats(1e-4, 0.9))
def test_half_widths_hold_on_the_ladder_and_on_all_lower_ones(ladder, budget, failure):
    law = SmoothedLadder(ladder, *budget)
    width = half_width(law, failure)
    for lower in (law, SmoothedLadder(Ladder(ladder.steps // 2, ladder.slope // 2), *budget)):
        reach, probability = pmf(lower)
        near = np.concatenate([[-1], reach[:-1]])
        inside = np.where(near < 0, (2 * width + 1) / (2 * reach + 1), (width - near) / np.maximum(reach - near, 1))
        assert (probability * np.clip(inside, 0, 1)).sum() >= 1 - failure - 1e-9


def test_a_large_epsilon_needs_no_width_and_a_narrow_ladder_none_sooner():
    """P(rung > 0) is about 2 J_0 e^-g, exactly when it falls below the failure probability the half-width is 0."""
    for epsilon in range(3, 14):
        for first in (1, 30, 3000):
            law = SmoothedLadder(Ladder(np.array([first])), Fraction(epsilon))
            reach, probability = pmf(law, 60)
            leaves = 1 - probability[0] * (1 if reach[0] == 0 else 1 / (2 * reach[0] + 1))
            assert (half_width(law, 0.05) == 0) <= (leaves <= 0.05)
            assert (half_width(law, 0.05) == 0) >= (1.3 * leaves <= 0.05)


def test_half_widths_are_not_much_longer_than_needed():
    law = SmoothedLadder(Ladder(np.arange(293, 4038)), Fraction(1))
    reach, probability = pmf(law)
    for failure in (0.5, 0.2, 0.05, 0.01, 0.001):
        shortest = np.interp(1 - failure, np.cumsum(probability), reach)
        assert half_width(law, failure) < 1.15 * shortest


def test_standard_deviation_is_that_of_the_law():
    law = SmoothedLadder(Ladder(np.arange(3, 9)), Fraction(1), Fraction(1, 4))
    reach, probability = pmf(law)
    exact, near = 0.0, -1
    for far, weight in zip(reach[:200].tolist(), probability[:200], strict=True):
        sizes = np.arange(-far, far + 1) if near < 0 else np.arange(near + 1, far + 1)
        exact += weight * float(np.mean(sizes.astype(float) ** 2))
        near = far
    assert ladder_std(law) == pytest.approx(math.sqrt(exact), rel=1e-6)


def test_the_price_of_rungs_and_of_the_normaliser_stays_below_epsilon():
    for epsilon in (Fraction(1, 1000), Fraction(1, 3), Fraction(1), Fraction(7), Fraction(5000)):
        for share in (Fraction(1, 50), Fraction(1, 20), Fraction(1, 2)):
            law = SmoothedLadder(Ladder(np.array([1])), epsilon, share)
            assert law.rate + Fraction(1, law.q) == epsilon
            assert 0 < Fraction(1, law.q) <= share * epsilon


@pytest.mark.parametrize("epsilon", [1, 4, 8, 12, 20, 40])
def test_the_loss_between_neighbours_stays_below_epsilon_however_narrow_the_middle_step_is(epsilon):
    first, outcomes = 3000, np.arange(-20_000, 20_001)
    logs = []
    for count, ladder in ((0, Ladder(np.array([first]), slope=1)), (first, Ladder(np.array([first + 1]), slope=1))):
        law = SmoothedLadder(ladder, Fraction(epsilon))
        reach = law.reach(200)
        sizes = np.log(np.array(rung_sizes(reach.tolist()), dtype=float)) - float(law.rate) * np.arange(200)
        rung = np.searchsorted(reach, np.abs(outcomes - count))
        logs.append(-float(law.rate) * rung - np.logaddexp.reduce(sizes))
        assert reach[0] < first / 2
        assert reach[0] > 0 or epsilon > 16
    worst = np.abs(logs[0] - logs[1]).max()
    assert 0.9 * epsilon < worst <= epsilon


def test_a_count_that_no_edge_can_change_is_returned_as_it_is():
    never = SmoothedLadder(Ladder(np.zeros(5)), Fraction(1, 10))
    assert {sample_ladder(SystemNoise(), 12, never) for _ in range(20)} == {12}
    assert {sample_ladder(SystemNoise(), 12, PublishedLadder(never.ladder, Fraction(1, 10)))} == {12}
    assert half_width(never, 0.05) == 0
    assert ladder_std(never) < 0.5


def test_huge_and_tiny_epsilons():
    steep = Ladder(np.array([5]), slope=3)
    assert sample_ladder(SystemNoise(), 4, SmoothedLadder(steep, Fraction(10_000))) == 4
    assert abs(sample_ladder(SeededNoise(1), 0, SmoothedLadder(steep, Fraction(1, 200)))) > 0


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10**6)])
def test_refuses_an_epsilon_that_no_ladder_fits(epsilon):
    for build in (SmoothedLadder, PublishedLadder):
        with pytest.raises(ParameterError, match="epsilon"):
            build(Ladder(np.array([1])), epsilon)


def test_refuses_ladders_and_shares_that_are_none():
    with pytest.raises(ParameterError, match="at least one step"):
        Ladder(np.array([], dtype=np.int64))
    with pytest.raises(ParameterError, match="share"):
        SmoothedLadder(Ladder(np.array([1])), Fraction(1), Fraction(3, 4))
    with pytest.raises(ParameterError, match="constant"):
        PublishedLadder(Ladder(np.array([1]), slope=1), Fraction(1))


def test_a_tiny_epsilon_lists_no_more_rungs_than_the_ladder_has_steps(monkeypatch):
    asked = []
    reach = SmoothedLadder.reach
    monkeypatch.setattr(SmoothedLadder, "reach", lambda law, count: asked.append(count) or reach(law, count))
    law = SmoothedLadder(Ladder(np.arange(1, 40)), Fraction(1, 50_000))
    draws = [sample_ladder(SeededNoise(seed), 0, law) for seed in range(100)]
    assert max(asked) == 40
    assert 1e5 < np.median(np.abs(draws)) < 1e7  # ln 2 * 39 / epsilon is 1.4 million


@pytest.mark.parametrize("people", [0, 1, 2, 3, 9])
def test_a_ladder_of_degree_products_ends_at_the_most_that_an_edge_can_change(people: int) -> None:
    steps = product_ladder((0, 0), (0, 0), people).steps
    most = max(0, people - 1)
    assert steps[-1] == 3 * most**2  # 2 (n - 1)^2 by the friends of both ends, (n - 1)^2 by the edge itself
    assert np.all(np.diff(steps) >= 0)


def test_a_rung_of_the_published_ladder_costs_half_of_epsilon() -> None:
    assert PublishedLadder(Ladder(np.array([3])), Fraction(3)).rate == Fraction(3, 2)


@pytest.mark.parametrize("law", [SmoothedLadder, PublishedLadder])
def test_the_smallest_epsilon_is_taken(law) -> None:
    assert law(Ladder(np.array([3])), MIN_EPSILON).rate > 0


@pytest.mark.parametrize("epsilon", [Fraction(1, 1000), Fraction(1), Fraction(100)])
def test_hubs_among_millions_of_people_overflow_nothing(epsilon):
    """One edge between two hubs of 10^7 friends each changes the degree products by 3 * 10^14."""
    law = SmoothedLadder(Ladder(10**14 * np.array([1, 2, 3]), slope=0), epsilon)
    count = 120_000 if epsilon < 1 else 200
    widths = [int(width) for width in law.widths(count)]
    expected, reached = [], 0
    for width in widths:  # C_t is between 0 and gamma J_t rounded, and here smooth already
        expected.append(reached + int(2 * law.gamma * width + 1) // 2)
        reached += width
    reach = law.reach(count).tolist()
    assert reach[10:] == expected[10:]
    assert all(size > 0 for size in rung_sizes(reach))
    assert (reach[-1] > 2**63) == (epsilon < 1)
    count_on_ladder = LadderInteger(what="sum", exact=10**20, rungs=law)
    drawn = [*count_on_ladder.draws(SeededNoise(1), 1), *count_on_ladder.draws(SeededNoise(2), 20)]
    assert all(isinstance(int(value), int) and abs(int(value) - 10**20) <= 10**19 / float(epsilon) for value in drawn)


@pytest.mark.parametrize("slope", [2**50, 2**70])
def test_a_ladder_that_leaves_64_bits_goes_on_in_whole_numbers(slope: int):
    steps = [2**61 + slope * t for t in range(5000)]
    ladder = Ladder(np.array(steps[:1]), slope)
    assert ladder.first(5000).tolist() == steps
    assert ladder.first(1).tolist() == steps[:1]
    law = SmoothedLadder(ladder, Fraction(1))
    expected = [steps[-1]]
    for step in reversed(steps[:-1]):
        expected.append(max(step, expected[-1] - expected[-1] // (law.q + 1)))
    assert law.widths(300).tolist() == expected[::-1][:300]


def test_nothing_private_outlives_a_measurement():
    """The sums of a ladder are kept for further draws, but with the measurement and not in the module."""
    ladder = Ladder(np.array([2, 3, 4]))
    steps = weakref.ref(ladder.steps)
    measurement = LadderInteger(what="count", exact=5, rungs=SmoothedLadder(ladder, Fraction(1, 2)))
    measurement.draws(SeededNoise(1), 100)
    measurement.draws(SeededNoise(1), 1)
    del ladder, measurement
    gc.collect()
    assert steps() is None
