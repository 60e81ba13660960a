from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import Pure
from graphveil.statistics.degrees.node_tiles import (
    LEAST_GROWTH,
    MOST_GROWTH,
    NodeTiles,
    balanced_growth,
    growing_borders,
    noisy_tiles,
    tile_counts,
)

ALPHA = 1e-6
NO_NOISE = Fraction(10_000)
PEOPLE = 60


def borders_of(*borders: int) -> np.ndarray:
    return np.array(borders, dtype=np.int64)


def people_below(degrees: np.ndarray, bound: int) -> np.ndarray:
    return np.array([np.count_nonzero(degrees < level) for level in range(1, bound + 1)])


def test_counts_are_the_people_below_each_level_summed_over_the_tile() -> None:
    degrees = np.array([0, 1, 1, 4, 6, 6])
    below = people_below(degrees, 6)
    assert tile_counts(degrees, borders_of(0, 1, 3, 6)).tolist() == [below[0], below[1:3].sum(), below[3:].sum()]


def test_borders_start_with_single_levels_and_end_at_the_bound() -> None:
    for bound in range(1, 400):
        borders = growing_borders(bound, 35)
        assert borders[0] == 0
        assert borders[-1] == bound
        assert np.all(np.diff(borders) >= 1)
        assert borders[1] == 1


def test_tiles_are_narrower_where_there_are_more_people_or_less_noise() -> None:
    rate = Fraction(1, 100)
    growths = [balanced_growth(people, rate) for people in (4000, 8000, 16_000)]
    assert growths == sorted(growths, reverse=True)
    assert len(set(growths)) == 3
    assert balanced_growth(4000, 4 * rate) == growths[-1]  # four times the people, or a quarter of the noise
    assert balanced_growth(-5, rate) == MOST_GROWTH
    assert balanced_growth(10**12, rate) == LEAST_GROWTH


def test_the_measurement_costs_epsilon_at_the_bound_as_sensitivity() -> None:
    degrees, borders = np.array([0, 2, 5]), borders_of(0, 1, 2, 5)
    tiles = noisy_tiles(degrees, borders, Fraction(3, 2))
    assert tiles.loss == Pure(Fraction(3, 2))
    assert tiles.rate == Fraction(3, 10)
    assert noisy_tiles(degrees, borders, NO_NOISE).draws(SeededNoise(1), 1)[0].tolist() == [1, 1, 2 + 2 + 2]


def some_degrees(shape: str, bound: int, rng: np.random.Generator) -> np.ndarray:
    if shape == "one degree":  # all people of a tile at one place: the worst that smooth guesses meet
        return np.full(PEOPLE, rng.integers(0, bound))
    if shape == "few degrees":
        return rng.choice(rng.integers(0, bound + 1, size=3), size=PEOPLE)
    return np.minimum(rng.geometric(0.1, size=PEOPLE), bound)


@pytest.mark.parametrize("growth", [20, 35, 100])
@pytest.mark.parametrize("shape", ["one degree", "few degrees", "many degrees"])
def test_without_noise_the_ends_bound_the_people_below_every_level(growth: int, shape: str) -> None:
    rng = np.random.default_rng(1)
    for bound in (1, 2, 7, 40):
        borders = growing_borders(bound, growth)
        for _ in range(20):
            degrees = some_degrees(shape, bound, rng)
            ends = NodeTiles(borders, tile_counts(degrees, borders), NO_NOISE).people_below(0.5)
            assert np.all(people_below(degrees, bound) <= ends + 1e-9)
            assert np.all(np.diff(ends) >= 0)


def test_next_to_no_noise_ends_are_exact_at_single_levels() -> None:
    tiles = NodeTiles(np.arange(6), np.arange(10, 15), NO_NOISE)
    assert tiles.people_below(0.001) == pytest.approx([10, 11, 12, 13, 14])


def test_a_wide_tile_bounds_its_first_level_by_its_mean_and_the_others_by_the_next_tile() -> None:
    tiles = NodeTiles(borders_of(0, 2, 4), np.array([6, 10]), NO_NOISE)
    assert tiles.people_below(0.1).tolist() == [3, 5, 5, 10]


@pytest.mark.parametrize(("louder", "holds"), [(1.0, True), (3.0, False)])
def test_ends_hold_as_often_as_they_say_where_nothing_but_noise_decides(louder: float, holds: bool) -> None:
    """Among people of no degree at all every level has the same people."""
    rng, runs, confidence, rate = np.random.default_rng(2), 300, 0.8, Fraction(1, 6)
    borders = np.arange(9)
    exact = tile_counts(np.zeros(PEOPLE, dtype=np.int64), borders)
    q = -np.expm1(-float(rate) / louder)
    held = 0
    for _ in range(runs):
        noise = rng.geometric(q, 8) - rng.geometric(q, 8)
        held += bool(NodeTiles(borders, exact + noise, rate).people_below(1 - confidence).min() >= PEOPLE)
    assert (held >= binom.ppf(ALPHA, runs, confidence)) == holds


def test_ends_rise_with_confidence() -> None:
    borders = growing_borders(60, 20)
    degrees = np.minimum(np.random.default_rng(4).geometric(0.05, size=5000), 60)
    tiles = NodeTiles(borders, tile_counts(degrees, borders), Fraction(1, 60))
    weak, strong = tiles.people_below(0.5), tiles.people_below(0.01)
    assert np.all(weak <= strong)
    assert weak.sum() < strong.sum()
