from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.statistics.degrees.monotone_bounds import bound_falling
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, TileRuns, distances, fit_falling, walk_tiles

ONE = Fraction(1)


def prefix_of(sequence: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(sequence)))


def tiles_of(sequence: np.ndarray, cuts: np.ndarray, ceiling: int, noise: np.ndarray | int = 0) -> FallingTiles:
    sums = np.diff(prefix_of(sequence)[cuts])
    return FallingTiles(ceiling, len(sequence), ONE, cuts[:-1], np.diff(cuts), sums + noise)


def walk(sequences, ceiling: int, width, noise: int = 0) -> TileRuns:
    """The tiles of one run for each sequence of equal length."""
    prefixes = [prefix_of(np.array(sequence)) for sequence in sequences]
    places = np.full(len(prefixes), len(prefixes[0]) - 1)

    def sums_of(tile: int, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        pairs = zip(prefixes, starts, ends, strict=True)
        return np.array([prefix[end] - prefix[start] + noise for prefix, start, end in pairs])

    return walk_tiles(places, np.full(len(prefixes), ceiling), int(places[0]), width, sums_of)


def test_tiles_follow_one_another_and_the_last_is_cut_to_fit() -> None:
    widths = iter([1, 2, 9])
    tiles = walk([[9, 7, 4, 4, 1, 0]], 9, lambda *_: next(widths)).only(9, 6, ONE)
    assert tiles.starts.tolist() == [0, 1, 3]
    assert tiles.widths.tolist() == [1, 2, 3]
    assert tiles.sums.tolist() == [9, 11, 5]
    assert tiles.top == 6


def test_the_width_rule_sees_noisy_heights_only_and_can_stop() -> None:
    seen = []

    def width(place: int, height: float) -> int:
        seen.append((place, height))
        return 2 if place < 4 else 0

    found = walk_tiles(np.array([6]), np.array([10]), 6, width, lambda *_: np.array([8]))
    assert found.only(10, 6, ONE).top == 4
    assert seen == [(0, 10.0), (2, 4.0), (4, 4.0)]


def test_runs_side_by_side_take_the_steps_that_they_take_alone() -> None:
    sequences = [[9, 7, 4, 4, 1, 0], [2, 2, 2, 2, 2, 2], [0] * 6]

    def width(place: int, height: float) -> int:
        return 0 if height < 1 else max(1, round(4 / height)) + place // 2

    together = walk(sequences, 9, width, noise=1)
    for run, sequence in enumerate(sequences):
        alone = walk([sequence], 9, width, noise=1)
        assert together.sums[run].tolist() == alone.sums[0].tolist()
        assert together.widths[run].tolist() == alone.widths[0].tolist()
    assert len({tuple(row) for row in together.widths.tolist()}) > 1


def test_a_fit_falls_and_is_exact_at_single_places() -> None:
    sequence = np.array([9, 7, 4, 4, 1, 0])
    assert fit_falling(tiles_of(sequence, np.arange(7), 9)).tolist() == sequence.tolist()
    rng = np.random.default_rng(2)
    noisy = fit_falling(tiles_of(np.arange(50, 0, -1), np.arange(51), 60, rng.integers(-9, 10, size=50)))
    assert np.all(np.diff(noisy) <= 0)


def test_a_fit_interpolates_and_drops_what_does_not_pass_the_threshold() -> None:
    tiles = tiles_of(np.array([8, 6, 4, 2, 0, 0]), np.array([0, 2, 4, 6]), 9)
    assert fit_falling(tiles).tolist() == [7, 6, 4, 2.25, 0.75, 0]
    assert len(fit_falling(tiles, threshold=0.5)) == 4
    assert fit_falling(tiles, threshold=100.0).tolist() == []
    assert fit_falling(tiles, at_zero=10.0)[0] == pytest.approx(8.0)


def test_a_fit_reaches_to_the_end_of_the_last_tile() -> None:
    tiles = tiles_of(np.arange(9, -1, -1), np.array([0, 1, 3, 10]), 9)
    assert len(fit_falling(tiles)) == tiles.top == 10


def test_bounds_hold_whenever_the_sums_are_within_their_slack() -> None:
    rng = np.random.default_rng(5)
    sequence = np.sort(rng.integers(0, 40, size=39))[::-1]
    for _ in range(50):
        inner = np.sort(rng.choice(np.arange(1, 39), size=8, replace=False))
        cuts = np.concatenate(([0], inner, [39]))
        low, high = bound_falling(tiles_of(sequence, cuts, 40, rng.integers(-3, 4, size=9)), failure=0.5)
        assert np.all(low <= sequence)  # a failure of 0.5 over 39 places leaves a slack of at least 3
        assert np.all(sequence <= high)


def test_bounds_at_single_places_are_a_quantile_of_the_noise_apart() -> None:
    sequence = 50 * np.arange(999, -1, -1)
    low, high = bound_falling(tiles_of(sequence, np.arange(1001), 50_050), failure=0.05)
    share = 0.05 / 10 / (1 / (np.arange(1000) + 10.0)).sum()
    quantile = int(np.ceil(np.log(2 / (share * (1 + np.exp(-1)))))) - 1
    assert high[0] - sequence[0] == quantile
    assert sequence[0] - low[0] == quantile


def test_distances_are_never_negative() -> None:
    below, above = distances(np.array([1.0, 5.0]), np.array([2, 2]), np.array([3, 4]))
    assert below == (0.0, 3.0)
    assert above == (2.0, 0.0)
