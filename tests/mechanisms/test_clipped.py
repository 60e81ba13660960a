"""Clipped sums and means: sensitivities by brute force over small lists, grids, refusals, accuracy."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.clipped import ClippedMean, ClippedSum, ClippingGrid, KnownSizeMean
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.unit import Adjacency

GRID = ClippingGrid(lower=-1, upper=3, step=1)
POINTS = [-7.0, -1, 0, 0.6, 2, 3, 99]
LISTS = [records for k in range(4) for records in itertools.product(POINTS, repeat=k)]


def exact_steps(records):
    return int(GRID.to_steps(list(records)).sum())


def sum_in_steps(records):
    return exact_steps(records) + len(records)  # the middle of -1..3 is 1


def added(records):
    return [((*records, x), records) for x in POINTS]


def replaced(records):
    return [((*records[:-1], x), records) for x in POINTS] if records else []


@pytest.mark.parametrize(
    ("adjacency", "neighbours"), [(Adjacency.ADD_REMOVE, added), (Adjacency.REPLACE_ONE, replaced)]
)
def test_sum_sensitivity_is_attained_and_never_passed(adjacency, neighbours):
    changes = [abs(sum_in_steps(a) - sum_in_steps(b)) for records in LISTS for a, b in neighbours(records)]
    assert max(changes) == ClippedSum(epsilon=1, grid=GRID, adjacency=adjacency).sensitivity


def test_mean_parts_together_cost_epsilon():
    mechanism = ClippedMean(epsilon=Fraction(3, 2), grid=GRID)
    losses = [
        sum(one.rate * abs(one.exact - other.exact) for one, other in zip(*map(mechanism.measure, pair), strict=True))
        for records in LISTS
        for pair in added(records)
    ]
    assert max(losses) == mechanism.loss.epsilon == Fraction(3, 2)


def test_known_size_mean_costs_epsilon():
    mechanism = KnownSizeMean(epsilon=2, grid=GRID, n_records=3)
    changes = [abs(exact_steps(a) - exact_steps(b)) for records in LISTS for a, b in replaced(records)]
    assert mechanism.epsilon / mechanism.sensitivity * max(changes) == 2


def run(mechanism, records, noise) -> float:
    return mechanism.conclude(draw(mechanism.measure(records), noise))


def test_without_noise_they_give_the_clipped_truth():
    records = [-7.0, 0, 2, 2, 99]  # clipped: -1, 0, 2, 2, 3
    noise, epsilon = SeededNoise(1), 2000
    for adjacency in Adjacency:
        assert run(ClippedSum(epsilon=epsilon, grid=GRID, adjacency=adjacency), records, noise) == 6
    assert run(ClippedMean(epsilon=epsilon, grid=GRID), records, noise) == pytest.approx(1.2)
    assert run(KnownSizeMean(epsilon=epsilon, grid=GRID, n_records=5), records, noise) == pytest.approx(1.2)


def test_a_small_noisy_count_is_safe():
    assert ClippedMean(epsilon=1, grid=GRID).conclude([5, -3]) == 3
    assert run(ClippedMean(epsilon=2000, grid=GRID), [], SeededNoise(1)) == 1


def test_odd_numbers_are_clipped_in_silence():
    steps = GRID.to_steps([math.nan, math.inf, -math.inf, 1e308, -1e308])
    assert steps.tolist() == [0, 2, -2, 2, -2]


def test_stated_variance():
    noise, records = SeededNoise(3), [1] * 5
    total = ClippedSum(epsilon=1, grid=GRID, adjacency=Adjacency.REPLACE_ONE)
    mean = KnownSizeMean(epsilon=1, grid=GRID, n_records=5)
    for mechanism in (total, mean):
        drawn = np.array([run(mechanism, records, noise) for _ in range(4000)])
        assert drawn.var() == pytest.approx(mechanism.variance(), rel=0.2)  # nine sigma of a Laplace variance


@pytest.mark.parametrize(
    "parameters",
    [
        {"lower": 1, "upper": 1, "step": 1},
        {"lower": 0, "upper": 1, "step": 0},
        {"lower": 0, "upper": 3, "step": 1},  # the middle is not on the grid
        {"lower": Fraction(1, 2), "upper": Fraction(5, 2), "step": 1},
        {"lower": 0, "upper": math.inf, "step": 1},
        {"lower": 0, "upper": 2**40, "step": 1},
    ],
)
def test_impossible_grids_are_refused(parameters):
    with pytest.raises(ParameterError):
        ClippingGrid(**parameters)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ClippedMean(epsilon=0, grid=GRID),
        lambda: ClippedMean(epsilon=1, grid=GRID, count_share=1),
        lambda: KnownSizeMean(epsilon=1, grid=GRID, n_records=0),
        lambda: KnownSizeMean(epsilon=1, grid=GRID, n_records=2).measure([1]),
    ],
)
def test_impossible_parameters_are_refused(make):
    with pytest.raises(ParameterError):
        make()


def test_a_grid_is_no_finer_than_sums_can_hold():
    assert ClippingGrid(lower=0, upper=2**31, step=1).half_steps == 2**30
    with pytest.raises(ParameterError, match="too fine"):
        ClippingGrid(lower=0, upper=2**31 + 2, step=1)
