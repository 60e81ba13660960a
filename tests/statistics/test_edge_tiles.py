from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.degrees import edge_tiles
from graphveil.statistics.degrees.edge_tiles import (
    SENSITIVITY,
    DiagramTiles,
    LevelTiles,
    YoungDiagram,
    bound_degrees,
    fit_degrees,
    pooled_width,
    read_diagram,
    read_levels,
)
from graphveil.statistics.degrees.monotone_tiles import FallingTiles

ALPHA = 1e-6
PAIRS = list(combinations(range(5), 2))


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_tiles, "add_discrete_laplace", lambda noise, count, rate: count)


def measure_diagram(degrees: np.ndarray, rate: Fraction, noise: SeededNoise) -> YoungDiagram:
    tiles = DiagramTiles(degrees=degrees, epsilon=SENSITIVITY * rate)
    return read_diagram(tiles.draws(noise, 1)[0], len(degrees), rate)


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
    width = {0: 1, 1: 2, 3: 9, 4: 0}
    measurement = LevelTiles(degrees=degrees, epsilon=Fraction(2), width=lambda place, _: width[place])
    tiles = read_levels(measurement.draws(SeededNoise(0), 1)[0], 5, measurement.rate, measurement.width)
    assert tiles.sums.tolist() == boxes(degrees, 4, (0, 1, 3, 4), (0,))


@pytest.mark.usefixtures("silent")
def test_without_noise_the_diagram_gives_back_the_degrees() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        degrees = np.minimum(rng.geometric(0.1, size=200), 199)
        diagram = measure_diagram(degrees, Fraction(5000), SeededNoise(0))
        assert fit_degrees(diagram).tolist() == np.sort(degrees)[::-1].tolist()


@pytest.mark.usefixtures("silent")
def test_levels_stop_near_the_diagonal() -> None:
    degrees = np.repeat([50, 30, 10, 2], [10, 20, 30, 140])
    diagram = measure_diagram(degrees, Fraction(5000), SeededNoise(0))
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
    measurement = LevelTiles(degrees=np.array([1, 1]), epsilon=SENSITIVITY * rate, width=lambda *_: 1)
    draws = measurement.draws(noise, runs)[:, 0] - 2
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


def test_what_is_read_back_are_the_tiles_that_were_drawn() -> None:
    """The rank tiles above the corner hold what the exact diagram has there, but for the noise."""
    degrees = np.minimum(np.random.default_rng(4).geometric(0.05, size=300), 299)
    rows = np.sort(degrees)[::-1]
    for rate in (Fraction(1, 3), Fraction(3)):
        diagram = measure_diagram(degrees, rate, SeededNoise(5))
        levels, ranks = diagram.levels, diagram.ranks
        assert levels.top > 5
        assert ranks.top > 5
        for tiles, exact in (
            (levels, [(rows >= level).sum() for level in range(1, 300)]),
            (ranks, np.maximum(rows - diagram.corner, 0)),
        ):
            sums = [
                np.sum(exact[start : start + width]) for start, width in zip(tiles.starts, tiles.widths, strict=True)
            ]
            assert np.abs(tiles.sums - sums).max() < 20 / rate
            assert np.array_equal(tiles.starts, np.concatenate(([0], np.cumsum(tiles.widths)[:-1])))


def test_many_runs_are_independent_and_each_can_be_read_alone() -> None:
    degrees = np.array([5, 2, 2, 1, 1, 1, 1, 2, 1, 0])
    rate = Fraction(1, 2)
    rows = DiagramTiles(degrees=degrees, epsilon=2 * rate).draws(SeededNoise(1), 2000)
    assert len(np.unique(rows, axis=0)) > 1900
    for row in rows[:50]:
        diagram = read_diagram(row, 10, rate)
        sums = [*diagram.levels.sums, *[0] * (9 - len(diagram.levels.sums)), *diagram.ranks.sums]
        assert row.tolist() == sums + [0] * (len(row) - len(sums))


def test_a_column_means_the_same_in_every_call() -> None:
    """Whatever follows in a list of measurements must not move to the right where some run needs more tiles."""
    degrees = np.minimum(np.random.default_rng(4).geometric(0.1, size=80), 79)
    for measurement in (
        DiagramTiles(degrees=degrees, epsilon=Fraction(2, 9)),
        LevelTiles(degrees=degrees, epsilon=Fraction(2, 9), width=lambda place, _: 4),
    ):
        assert len({measurement.draws(SeededNoise(seed), 3).shape for seed in range(20)}) == 1
