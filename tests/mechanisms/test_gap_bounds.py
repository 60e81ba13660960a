from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.statistics.degrees import node_tile_bounds as gap_bounds
from graphveil.statistics.degrees import node_tile_bounds as gap_rows
from graphveil.statistics.degrees.node_tile_bounds import PeopleBelow, fieller, level_rows
from graphveil.statistics.degrees.node_tiles import GapTiles, balanced_growth, count_gaps, growing_cuts

ALPHA = 1e-6
TILE_RATE, PEOPLE_RATE = Fraction(1, 6), Fraction(1, 3)
PEOPLE = 60


def below_levels(degrees: np.ndarray, bound: int) -> np.ndarray:
    return np.array([np.count_nonzero(degrees < level) for level in range(1, bound + 1)])


def some_degrees(shape: str, bound: int, rng: np.random.Generator) -> np.ndarray:
    if shape == "one degree":  # all people of a tile at one place: the worst that smooth guesses meet
        return np.full(PEOPLE, rng.integers(0, bound))
    if shape == "few degrees":
        return rng.choice(rng.integers(0, bound + 1, size=3), size=PEOPLE)
    return np.minimum(rng.geometric(0.1, size=PEOPLE), bound)


def noises(rng: np.random.Generator, rate: Fraction, size: int) -> np.ndarray:
    q = -np.expm1(-float(rate))
    return rng.geometric(q, size) - rng.geometric(q, size)


@pytest.mark.parametrize("growth", [20, 35, 100])
@pytest.mark.parametrize("shape", ["one degree", "few degrees", "many degrees"])
def test_every_row_bounds_the_people_below_its_level(growth: int, shape: str) -> None:
    rng = np.random.default_rng(1)
    for bound in (1, 2, 7, 40):
        cuts = growing_cuts(bound, growth)
        levels, rows = level_rows(cuts)
        assert set(cuts[:-1] + 1) <= set(levels)
        for _ in range(20):
            degrees = some_degrees(shape, bound, rng)
            bounds = rows @ count_gaps(degrees, cuts)
            assert np.all(below_levels(degrees, bound)[levels - 1] <= bounds + 1e-9)


def test_rows_use_the_tile_before_and_the_tile_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gap_rows, "NEARLY", math.inf)
    levels, rows = level_rows(np.array([0, 2, 4, 8]))
    of_the_sixth = {tuple(row) for level, row in zip(levels, rows, strict=True) if level == 6}
    assert of_the_sixth == {(0, -1 / 6, 1 / 3)}
    of_the_fourth = {tuple(row) for level, row in zip(levels, rows, strict=True) if level == 4}
    assert of_the_fourth == {(-0.5, 1, 0), (-0.1, 0.2, 0.2)}


def test_rows_that_are_worth_having_bound_every_level_and_better_than_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where degrees are spread as tiles expect it."""
    cuts, rate = growing_cuts(150, 12), Fraction(1, 160)
    degrees = np.minimum(np.random.default_rng(8).pareto(1.0, size=20_000) * 8, 150).astype(np.int64)
    below = PeopleBelow(GapTiles(cuts, count_gaps(degrees, cuts), rate), len(degrees), Fraction(1, 25))
    few, ends = len(level_rows(cuts)[0]), below.shares_at_most([0.95])[0]
    monkeypatch.setattr(gap_rows, "NEARLY", math.inf)
    assert len(level_rows(cuts)[0]) > 1.5 * few
    longer = below.shares_at_most([0.95])[0]
    truth = below_levels(degrees, 150) / len(degrees)
    assert (ends[:-1] - truth).mean() < (longer[:-1] - truth).mean()


@pytest.mark.parametrize("shape", ["counts", "shares"])
@pytest.mark.parametrize(("louder", "holds"), [(1.0, True), (2.0, False)])
def test_bounds_hold_as_often_as_they_say_where_levels_are_single(
    shape: str, louder: float, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among people of no degree at all every level has the same people, and nothing but noise decides."""
    monkeypatch.setattr(gap_bounds, "DRAWS", 1000)
    rng, runs, confidence = np.random.default_rng(2), 200, 0.8
    cuts, held = np.arange(9), 0
    exact = count_gaps(np.zeros(PEOPLE, dtype=np.int64), cuts)

    def noise(rate: Fraction, size: int) -> np.ndarray:
        q = -np.expm1(-float(rate) / louder)
        return rng.geometric(q, size) - rng.geometric(q, size)

    for _ in range(runs):
        tiles = GapTiles(cuts, exact + noise(TILE_RATE, 8), TILE_RATE)
        below = PeopleBelow(tiles, PEOPLE + int(noise(PEOPLE_RATE, 1)[0]), PEOPLE_RATE)
        if shape == "counts":
            held += bool(below.counts_at_most([confidence])[0].min() >= PEOPLE)
        else:  # everybody is below every level, so an end below 1 is wrong
            held += bool(below.shares_at_most([confidence])[0].min() >= 1 - 1e-12)
    assert (held >= binom.ppf(ALPHA, runs, confidence)) == holds


def test_fieller_is_where_share_and_count_agree_up_to_their_noise() -> None:
    sums, stds, factor = np.array([20.0, 50.0, 70.0]), np.array([3.0, 8.0, 1.0]), 2.5
    ends = fieller(sums, stds, 100, 4.0, factor)
    assert np.allclose(ends * 100 - sums, factor * np.hypot(stds, 4.0 * ends))
    assert fieller(np.array([99.0, -500.0]), np.array([5.0, 5.0]), 100, 4.0, factor).tolist() == [1.0, 0.0]
    assert fieller(sums, stds, 10, 4.0, factor).tolist() == [1.0, 1.0, 1.0]  # nothing is known of the people


def test_next_to_no_noise_ends_are_exact_at_single_levels() -> None:
    tiles = GapTiles(np.arange(6), np.arange(10, 15), Fraction(10_000))
    below = PeopleBelow(tiles, 15, Fraction(10_000))
    assert below.counts_at_most([0.999])[0] == pytest.approx([10, 11, 12, 13, 14, 15])
    assert below.shares_at_most([0.999])[0] * 15 == pytest.approx([10, 11, 12, 13, 14, 15])


def test_ends_rise_with_the_level_and_with_confidence() -> None:
    cuts = growing_cuts(60, 20)
    degrees = np.minimum(np.random.default_rng(4).geometric(0.05, size=5000), 60)
    below = PeopleBelow(GapTiles(cuts, count_gaps(degrees, cuts), Fraction(1, 60)), 5000, Fraction(1, 30))
    for weak, strong in (below.counts_at_most([0.5, 0.99]), below.shares_at_most([0.5, 0.99])):
        assert np.all(np.diff(weak) >= 0)
        assert np.all(weak <= strong)
        assert weak.sum() < strong.sum()


def test_many_rows_are_simulated_in_parts_as_they_would_be_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cuts = growing_cuts(60, 20)
    below = PeopleBelow(GapTiles(cuts, 40 * np.diff(cuts), Fraction(1, 60)), 50, Fraction(1, 30))
    at_once = below.shares_at_most([0.95])[0]
    monkeypatch.setattr(gap_bounds, "AT_ONCE", 7)
    assert below.shares_at_most([0.95])[0] == pytest.approx(at_once)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(("louder", "holds"), [(1.0, True), (2.0, False)])
def test_shares_hold_where_a_rough_number_of_people_sets_the_tiles(
    share: float, louder: float, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same people below every level leave no slack, and tiles differ from draw to draw."""
    monkeypatch.setattr(gap_bounds, "DRAWS", 1000)
    rng, runs, confidence, people, bound = np.random.default_rng(3), 200, 0.8, 1500, 16
    of_rough, of_people, of_tiles = Fraction(1, 200), Fraction(1, 20), Fraction(19, 20) / bound

    def noise(rate: Fraction, size: int) -> np.ndarray:
        q = -np.expm1(-float(rate) / louder)
        return rng.geometric(q, size) - rng.geometric(q, size)

    held, layouts = 0, set()
    for _ in range(runs):
        rough, noisy = (people + int(noise(rate, 1)[0]) for rate in (of_rough, of_people))
        cuts = growing_cuts(bound, balanced_growth(rough, of_tiles))
        layouts.add(len(cuts))
        counts = np.diff(cuts) * int(share * people) + noise(of_tiles, len(cuts) - 1)
        below = PeopleBelow(GapTiles(cuts, counts, of_tiles), noisy, of_people)
        held += bool(below.shares_at_most([confidence])[0].min() >= share - 1e-12)
    assert len(layouts) > 1
    assert (held >= binom.ppf(ALPHA, runs, confidence)) == holds


def test_the_box_holds_the_true_shares_and_more_of_it_makes_ends_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    cuts, people = growing_cuts(60, 20), 5000
    degrees = np.minimum(np.random.default_rng(4).geometric(0.05, size=people), 60)
    rng, exact, rate = np.random.default_rng(5), count_gaps(degrees, cuts), Fraction(1, 60)
    levels, rows = level_rows(cuts)
    truth = below_levels(degrees, 60)[levels - 1] / people
    for _ in range(50):
        below = PeopleBelow(GapTiles(cuts, exact + noises(rng, rate, len(exact)), rate), people, Fraction(1, 30))
        least, most = below._box(levels, rows)
        assert np.all(least <= truth)
        assert np.all(truth <= most)
        assert (most - least).mean() < 0.5
    boxed = below.shares_at_most([0.95])[0]
    monkeypatch.setattr(PeopleBelow, "_box", lambda *_: (np.zeros(len(levels)), np.ones(len(levels))))
    assert np.all(boxed <= below.shares_at_most([0.95])[0])


def test_quantiles_are_read_off_on_the_safe_side() -> None:
    levels = [0.5, 0.9, 0.95, 0.999]
    below = np.random.default_rng(6).random((50, gap_bounds.DRAWS))  # quantiles of a uniform law are known
    found = np.array([gap_bounds._quantiles(draws, levels) for draws in below])
    assert np.mean(found < levels) < 0.01
    assert np.all(found.mean(axis=0) - levels < 0.02)
    assert gap_bounds._quantiles(below[0][:100], [0.999]) == [np.inf]  # a hundred draws cannot tell


def test_simulated_noise_has_the_deviation_it_is_measured_by() -> None:
    draws = gap_bounds._discrete_laplace(np.random.default_rng(5), TILE_RATE, (40_000,))
    assert draws.std() == pytest.approx(gap_bounds.discrete_laplace_std(TILE_RATE), rel=0.03)
    assert abs(draws.mean()) < 0.2


def test_the_number_of_people_fails_on_one_side_as_often_as_half_of_what_may_fail() -> None:
    below = PeopleBelow(GapTiles(np.arange(3), np.array([4, 5]), Fraction(10_000)), 100, PEOPLE_RATE)
    for confidence in (0.5, 0.95, 0.99):
        end = below.counts_at_most([confidence])[0][-1] - 100
        r = math.exp(-float(PEOPLE_RATE))
        passed, passed_before = (r ** (k + 1) / (1 + r) for k in (end, end - 1))  # P(X > k)
        assert passed <= (1 - confidence) / 2 < passed_before
