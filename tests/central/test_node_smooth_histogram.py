from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.central.node.smooth_histogram import fit_smooth_histogram
from graphveil.statistics.degrees.node_tiles import NodeTiles, growing_borders, tile_counts


def people_with(histogram: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(histogram)), histogram)


@pytest.mark.parametrize(
    "shape",
    [
        lambda d: 3000 / (d + 1) ** 1.5,  # a power
        lambda d: 300 * np.exp(-d / 15),  # an exponential fall
        lambda d: np.where(d < 40, 100, 100 * (np.maximum(d, 1) / 40) ** -3.0),  # a plateau, then a fall
    ],
)
def test_smooth_truths_are_found_from_counts_without_noise(shape) -> None:
    truth = np.round(shape(np.arange(200.0))).astype(int)
    degrees = people_with(truth)
    borders = growing_borders(100, 35)
    tiles = NodeTiles(borders, tile_counts(np.minimum(degrees, 100), borders), Fraction(1))
    fitted = fit_smooth_histogram(tiles, len(degrees), 1.0)
    assert fitted.sum() == pytest.approx(len(degrees))
    assert np.abs(fitted[:100] - truth[:100]).sum() < 0.06 * len(degrees)


def test_people_above_the_bound_are_spread_beyond_it() -> None:
    truth = np.round(5000 / (np.arange(200.0) + 1) ** 1.5).astype(int)
    degrees = people_with(truth)
    borders = growing_borders(50, 35)
    tiles = NodeTiles(borders, tile_counts(np.minimum(degrees, 50), borders), Fraction(1))
    fitted = fit_smooth_histogram(tiles, len(degrees), 1.0)
    assert fitted[50:].sum() == pytest.approx(truth[50:].sum(), rel=0.25)
    assert fitted[50] < 2 * fitted[49]


def test_counts_without_any_sense_still_give_a_histogram() -> None:
    rng = np.random.default_rng(1)
    borders = growing_borders(64, 35)
    for _ in range(20):
        tiles = NodeTiles(borders, rng.integers(-100_000, 100_000, size=len(borders) - 1), Fraction(1, 1000))
        fitted = fit_smooth_histogram(tiles, 500, 50.0)
        assert np.all(fitted >= 0)
        assert fitted.sum() == pytest.approx(500)
