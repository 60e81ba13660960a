from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.degrees import monotone_tiles as falling
from graphveil.statistics.degrees.edge_tiles import (
    SENSITIVITY,
    YoungDiagram,
    bound_degrees,
    fit_degrees,
    measure_diagram,
    measure_levels,
    pooled_width,
)
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

ALPHA = 1e-6
PAIRS = list(combinations(range(5), 2))


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(falling, "add_discrete_laplace", lambda noise, count, rate: count)


def in_turn(*widths: int):
    turn = iter(widths)
    return lambda place, height: next(turn)


def degrees_of(mask: int) -> np.ndarray:
    return Graph.from_edges([pair for bit, pair in enumerate(PAIRS) if mask >> bit & 1], n_nodes=5).degrees


def boxes(degrees: np.ndarray, corner: int, level_cuts: tuple[int, ...], rank_cuts: tuple[int, ...]) -> list[int]:
    """Level tiles up to the corner and rank tiles above it, straight from the definition of the diagram."""
    rows = np.sort(degrees)[::-1]
    diagram = np.array([[row >= level for level in range(1, 5)] for row in rows])
    levels = [diagram[:, a:b].sum() for a, b in pairwise(level_cuts)]
    ranks = [diagram[a:b, corner:].sum() for a, b in pairwise(rank_cuts)]
    return [int(count) for count in levels + ranks]


@pytest.mark.parametrize(
    ("corner", "level_cuts", "rank_cuts"),
    [
        (4, (0, 1, 2, 3, 4), (0,)),
        (4, (0, 2, 4), (0,)),
        (4, (0, 1, 4), (0,)),
        (2, (0, 1, 2), (0, 1, 2, 3, 4, 5)),
        (2, (0, 2), (0, 1, 3)),
        (1, (0, 1), (0, 2, 5)),
        (0, (0,), (0, 1, 2, 3, 4, 5)),
    ],
)
def test_one_edge_changes_any_tiling_by_two(
    corner: int, level_cuts: tuple[int, ...], rank_cuts: tuple[int, ...]
) -> None:
    counts = [np.array(boxes(degrees_of(mask), corner, level_cuts, rank_cuts)) for mask in range(1024)]
    changes = [
        int(np.abs(counts[mask] - counts[mask | 1 << bit]).sum())
        for mask in range(1024)
        for bit in range(10)
        if not mask >> bit & 1
    ]
    assert max(changes) == SENSITIVITY


@pytest.mark.usefixtures("silent")
def test_measured_levels_are_box_counts() -> None:
    degrees = degrees_of(0b1010110111)
    tiles = measure_levels(degrees, Fraction(1), SeededNoise(0), in_turn(1, 2, 9))
    assert tiles.sums.tolist() == boxes(degrees, 4, (0, 1, 3, 4), (0,))


@pytest.mark.usefixtures("silent")
def test_without_noise_the_diagram_gives_back_the_degrees() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        degrees = np.minimum(rng.geometric(0.1, size=200), 199)
        diagram = measure_diagram(degrees, Fraction(10_000), SeededNoise(0))
        assert fit_degrees(diagram).tolist() == np.sort(degrees)[::-1].tolist()


@pytest.mark.usefixtures("silent")
def test_levels_stop_near_the_diagonal() -> None:
    degrees = np.repeat([50, 30, 10, 2], [10, 20, 30, 140])
    diagram = measure_diagram(degrees, Fraction(10_000), SeededNoise(0))
    assert diagram.corner == 30  # 30 people have 30 neighbours or more
    assert len(diagram.ranks.sums) <= 32


def test_every_bound_holds_when_the_noise_is_small() -> None:
    rng = np.random.default_rng(2)
    degrees = np.minimum(rng.geometric(0.05, size=100), 99)
    truth = np.sort(degrees)[::-1]
    noise = SeededNoise(2)
    for _ in range(30):
        low, high = bound_degrees(measure_diagram(degrees, Fraction(1), noise), failure=1e-6)
        assert np.all(low <= truth)
        assert np.all(truth <= high)


def test_bounds_of_nobody_are_empty() -> None:
    empty = FallingTiles(0, 0, Fraction(1), *(np.empty(0, dtype=np.int64) for _ in range(3)))
    low, high = bound_degrees(YoungDiagram(0, empty, empty), 0.05)
    assert len(low) == len(high) == len(fit_degrees(YoungDiagram(0, empty, empty))) == 0


def test_more_people_per_degree_or_more_budget_give_narrower_tiles() -> None:
    weak, strong = pooled_width(Fraction(1, 20)), pooled_width(Fraction(1, 2))
    assert weak(10, 1000.0) > strong(10, 1000.0)
    assert strong(50, 100.0) > strong(50, 100_000.0) == 1


def test_low_levels_of_many_people_stand_alone_and_those_of_few_are_pooled() -> None:
    width = pooled_width(Fraction(1, 50))
    assert [width(level, 7000.0) for level in range(4)] == [1, 1, 1, 1]
    assert width(0, 50.0) > 1


def test_the_noise_of_a_tile_has_the_stated_rate() -> None:
    rate, runs, noise = Fraction(1, 2), 6000, SeededNoise(8)
    draws = np.array([measure_levels(np.array([1, 1]), rate, noise, lambda *_: 1).sums[0] - 2 for _ in range(runs)])
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
