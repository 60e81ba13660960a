"""Bounds on falling sequences: the tails they rest on, and that they hold all at once."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.degrees.histogram_bounds import HEIGHT_PART, PAIR_PARTS, bound_drops, pair_slack
from graphveil.statistics.degrees.monotone_bounds import bound_falling, noise_quantile, tile_slack
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

ALPHA = 1e-6
HALF = Fraction(1, 2)
SHARES = np.array([0.3, 0.05, 1e-3, 1e-6])


def some_tiles(rate: Fraction, sums: np.ndarray, widths: np.ndarray | None = None, ceiling: int = 10_000):
    widths = np.ones(len(sums), dtype=np.int64) if widths is None else widths
    return FallingTiles(ceiling, int(widths.sum()), rate, np.cumsum(widths) - widths, widths, sums)


def exact_quantiles(rate: Fraction, terms: int) -> list[int]:
    """The smallest k that |sum of so many noises| passes with at most each share, by convolving the law."""
    reach = int(60 / float(rate)) + 5
    law = np.exp(-float(rate) * np.abs(np.arange(-reach, reach + 1)))
    law /= law.sum()
    total = law
    for _ in range(terms - 1):
        total = np.convolve(total, law)
    middle = len(total) // 2
    beyond = 1 - np.cumsum(np.concatenate(([total[middle]], 2 * total[middle + 1 :])))
    return [int(np.flatnonzero(beyond <= share * (1 + 1e-9))[0]) for share in SHARES]


@pytest.mark.parametrize("rate", [Fraction(1, 20), HALF, Fraction(3)])
@pytest.mark.parametrize("terms", [1, 2])
def test_quantiles_of_one_and_two_noises_are_exact(rate: Fraction, terms: int) -> None:
    assert noise_quantile(rate, terms, SHARES).tolist() == exact_quantiles(rate, terms)


@pytest.mark.parametrize("widths", [(2, 2), (1, 1, 2), (1, 3), (2, 1, 1)])
def test_without_noise_every_sequence_with_these_sums_is_within_the_bounds(widths: tuple[int, ...]) -> None:
    falling = [np.array(values[::-1]) for values in combinations_with_replacement(range(6), 4)]
    narrower = 0
    for sequence in falling:
        sums = np.add.reduceat(sequence, np.cumsum(widths) - widths)
        tiles = some_tiles(Fraction(2000), sums, np.array(widths), ceiling=5)
        least, most = bound_drops(tiles, 0.05)
        low, high = bound_falling(tiles, 0.05)
        drops = -np.diff(np.concatenate(([5], sequence, [0])))
        assert np.all((low <= sequence) & (sequence <= high))
        assert np.all((least <= drops) & (drops <= most))
        narrower += int((most - least).sum() < 5 * len(drops))
    assert narrower > len(falling) / 2


def test_a_tile_is_bounded_from_below_by_its_sum_and_the_height_of_the_one_before() -> None:
    tiles = some_tiles(Fraction(2000), np.array([12, 12]), np.array([3, 3]))
    low, high = bound_falling(tiles, 0.05)
    assert low.tolist() == [4, 4, 4, 4, 4, 4]  # two tiles of the same mean: nothing falls
    assert high.tolist() == [4, 4, 4, 4, 4, 4]


def test_people_within_a_pool_may_all_have_the_same_degree() -> None:
    widths = np.full(60, 4)
    heights = np.where(np.arange(1, 241) <= 122, 1000, 0)  # everybody drops at one place inside a tile
    noisy = add_discrete_laplace(SeededNoise(3), heights.reshape(60, 4).sum(axis=1), HALF)
    least, most = bound_drops(some_tiles(HALF, noisy, widths), 0.05)
    assert least[122] <= 1000 <= most[122]
    assert most[np.r_[5:115, 130:235]].max() < 30


def test_a_tile_between_two_others_is_bounded_better_by_both_than_by_either() -> None:
    widths = np.full(40, 4)
    tiles = some_tiles(HALF, np.full(40, 400), widths)
    single = tile_slack(tiles, 0.05 * HEIGHT_PART)
    near, far = (pair_slack(tiles, apart, part * 0.05, single) for apart, part in PAIR_PARTS.items())
    most = bound_drops(tiles, 0.05)[1]
    inside = tiles.starts[10] + 2  # half the weight it has between two others
    assert most[inside] <= far[9] < near[9] / 0.5


def test_the_means_of_tiles_twice_as_wide_differ_by_half_the_noise() -> None:
    starts, sums, single = np.arange(0, 400, 10), np.full(40, 400), np.full(40, 9)
    slacks = [
        pair_slack(FallingTiles(10_000, 400, HALF, starts, np.full(40, width), sums), 1, 0.05, single)
        for width in (4, 8)
    ]
    assert slacks[0] == pytest.approx(2 * slacks[1])


def coverage(draws: int, louder: int) -> int:
    """How often all bounds hold at once where the noise is that many times what the bounds assume."""
    people = np.concatenate([[50, 400, 300, 200, 150, 120], np.arange(100, 0, -4), np.zeros(60, dtype=np.int64)])
    heights = people[::-1].cumsum()[::-1][1:]
    noise, held = SeededNoise(8), 0
    for _ in range(draws):
        tiles = some_tiles(HALF, add_discrete_laplace(noise, heights, HALF / louder), ceiling=int(people.sum()))
        low, high = bound_falling(tiles, 0.2)
        least, most = bound_drops(tiles, 0.2)
        sound = (low <= heights) & (heights <= high)
        held += bool(sound.all() and np.all((least <= people) & (people <= most)))
    return held


def test_bounds_hold_all_at_once_as_often_as_they_say() -> None:
    from scipy.stats import binom

    draws = 150
    least = binom.ppf(ALPHA, draws, 1 - 2 * 0.2)
    assert coverage(draws, louder=1) >= least
    assert coverage(draws, louder=3) < least  # the power to see too little slack
