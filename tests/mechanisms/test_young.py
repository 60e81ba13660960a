from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.graph.core import Graph
from graphveil.mechanisms import young
from graphveil.mechanisms.source import SeededNoise
from graphveil.mechanisms.young import LevelTiles, fit_heights, height_bounds, measure_levels

ALPHA = 1e-6


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(young, "add_discrete_laplace", lambda noise, count, rate: count)


def widths_in_turn(*widths: int):
    turn = iter(widths)
    return lambda level, height: next(turn)


@pytest.mark.usefixtures("silent")
def test_one_edge_changes_any_tiling_by_two() -> None:
    n, pairs = 5, list(combinations(range(5), 2))
    tilings = [(1, 1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 3), (3, 1), (2, 2), (4,)]
    counts = []
    for mask in range(1 << len(pairs)):
        graph = Graph.from_edges([pair for bit, pair in enumerate(pairs) if mask >> bit & 1], n_nodes=n)
        measured = [measure_levels(graph.degrees, Fraction(1), SeededNoise(0), widths_in_turn(*t)) for t in tilings]
        counts.append([tiles.counts for tiles in measured])
    changes = {
        int(np.abs(counts[mask][t] - counts[mask | 1 << bit][t]).sum())
        for mask in range(1 << len(pairs))
        for bit in range(len(pairs))
        if not mask >> bit & 1
        for t in range(len(tilings))
    }
    assert changes == {2}


@pytest.mark.usefixtures("silent")
def test_tiles_cover_every_level_once_and_count_boxes() -> None:
    degrees = np.array([5, 3, 3, 1, 0, 0, 2])
    tiles = measure_levels(degrees, Fraction(1), SeededNoise(0), widths_in_turn(1, 2, 9))
    assert tiles.starts.tolist() == [0, 1, 3]
    assert tiles.widths.tolist() == [1, 2, 3]
    assert tiles.top == 6
    assert tiles.counts.tolist() == [
        int(np.clip(degrees - start, 0, width).sum()) for start, width in ((0, 1), (1, 2), (3, 3))
    ]


def test_the_noise_of_a_tile_has_the_stated_rate() -> None:
    rate, runs, noise = Fraction(1, 2), 6000, SeededNoise(8)
    draws = np.array([measure_levels(np.array([1, 1]), rate, noise, lambda *_: 1).counts[0] - 2 for _ in range(runs)])
    assert _statistic(draws, float(rate)) < chi2.ppf(1 - ALPHA, 11)
    assert _statistic(draws, float(rate) * 1.3) > chi2.ppf(1 - ALPHA, 11)  # noise 30 % too weak or strong is caught
    assert _statistic(draws, float(rate) / 1.3) > chi2.ppf(1 - ALPHA, 11)


def _statistic(draws: np.ndarray, rate: float) -> float:
    """Chi-square over -5..5 and the rest."""
    r = np.exp(-rate)
    expected = (1 - r) / (1 + r) * r ** np.abs(np.arange(-5, 6))
    expected = np.append(expected, 1 - expected.sum()) * len(draws)
    observed = np.array([np.count_nonzero(draws == x) for x in range(-5, 6)] + [np.count_nonzero(np.abs(draws) > 5)])
    return float(((observed - expected) ** 2 / expected).sum())


@pytest.mark.usefixtures("silent")
def test_fitted_heights_fall_from_everybody_to_nobody_and_are_exact_at_single_levels() -> None:
    degrees = np.array([4, 4, 2, 2, 1, 0])
    tiles = measure_levels(degrees, Fraction(1), SeededNoise(0), lambda *_: 1)
    assert fit_heights(tiles, threshold=0).tolist() == [6, 5, 4, 2, 2, 0]


def test_bounds_hold_whenever_the_counts_are_within_their_slack() -> None:
    rng = np.random.default_rng(5)
    degrees = rng.integers(0, 30, size=40)
    heights = np.array([np.count_nonzero(degrees >= level) for level in range(41)])
    for _ in range(50):
        cuts = np.sort(rng.choice(np.arange(1, 39), size=8, replace=False))
        starts, ends = np.concatenate(([0], cuts)), np.concatenate((cuts, [39]))
        exact = np.array([np.clip(degrees - a, 0, b - a).sum() for a, b in zip(starts, ends, strict=True)])
        tiles = LevelTiles(40, Fraction(1), starts, ends - starts, exact + rng.integers(-3, 4, size=9))
        low, high = height_bounds(tiles, failure=0.5)  # the slack is then at least 3 for every tile
        assert np.all(low <= heights[: len(low)])
        assert np.all(heights[: len(high)] <= high)


def test_bounds_at_single_levels_are_a_quantile_of_the_noise_apart() -> None:
    counts = np.arange(999, -1, -1)  # heights fall by one per level
    tiles = LevelTiles(1001, Fraction(1), np.arange(1000), np.ones(1000, dtype=np.int64), counts)
    low, high = height_bounds(tiles, failure=0.05)
    share = 0.05 / 10 / (1 / (np.arange(1001) + 10.0)).sum()
    quantile = int(np.ceil(np.log(2 / (share * (1 + np.exp(-1)))))) - 1
    assert high[1] == 1001  # there is nobody else
    assert counts[0] - low[1] == quantile
