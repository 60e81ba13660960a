from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.mechanisms import noisy_numbers
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.degrees.node_tiles import (
    LEAST_GROWTH,
    MOST_GROWTH,
    GapTiles,
    balanced_growth,
    conclude_gaps,
    count_gaps,
    growing_cuts,
    noisy_gaps,
)


def measure(degrees: np.ndarray, cuts: np.ndarray, epsilon: Fraction) -> GapTiles:
    return conclude_gaps(noisy_gaps(degrees, cuts, epsilon).draw(SeededNoise(1)), cuts, epsilon)


def cuts_of(*cuts: int) -> np.ndarray:
    return np.array(cuts, dtype=np.int64)


def test_counts_are_the_people_below_each_level_summed_over_the_tile() -> None:
    degrees = np.array([0, 1, 1, 4, 6, 6])
    below = np.array([np.count_nonzero(degrees < level) for level in range(1, 7)])
    assert count_gaps(degrees, cuts_of(0, 1, 3, 6)).tolist() == [below[0], below[1:3].sum(), below[3:].sum()]


def test_cuts_start_with_single_levels_and_end_at_the_bound() -> None:
    for bound in range(1, 400):
        cuts = growing_cuts(bound, 35)
        assert cuts[0] == 0
        assert cuts[-1] == bound
        assert np.all(np.diff(cuts) >= 1)
        assert cuts[1] == 1


def test_tiles_are_narrower_where_there_are_more_people_or_less_noise() -> None:
    rate = Fraction(1, 100)
    growths = [balanced_growth(people, rate) for people in (4000, 8000, 16_000)]
    assert growths == sorted(growths, reverse=True)
    assert len(set(growths)) == 3
    assert balanced_growth(4000, 4 * rate) == growths[-1]  # four times the people, or a quarter of the noise
    assert balanced_growth(-5, rate) == MOST_GROWTH
    assert balanced_growth(10**12, rate) == LEAST_GROWTH


def test_the_rate_is_epsilon_over_the_bound() -> None:
    tiles = measure(np.array([1, 2, 3]), cuts_of(0, 1, 3), Fraction(3, 2))
    assert tiles.rate == Fraction(1, 2)


def test_without_noise_the_measured_counts_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noisy_numbers, "add_discrete_laplace", lambda noise, counts, rate: counts)
    tiles = measure(np.array([0, 2, 5]), cuts_of(0, 1, 2, 5), Fraction(1))
    assert tiles.counts.tolist() == [1, 1, 2 + 2 + 2]
