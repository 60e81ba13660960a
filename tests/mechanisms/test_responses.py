"""The exact loss of every local response, by enumerating all its reports; refusals."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins, keep_threshold, sample_uniform
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.mechanisms.square_wave import SquareWave, log_places
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary
from graphveil.privacy.rounding import exp_bounds

EPSILONS = [Fraction(1, 10**6), Fraction(1, 10), Fraction(1), Fraction(7, 2), Fraction(20), Fraction(44), Fraction(100)]


def kary_reports(response, value):
    for report in range(response.n_values):
        yield response.keep_probability if report == value else response.flip_probability


def unary_reports(response, value):
    for bits in itertools.product((0, 1), repeat=response.n_values):
        chances = [
            response.keep_probability if v == value else response.flip_probability for v in range(response.n_values)
        ]
        yield math.prod(p if bit else 1 - p for bit, p in zip(bits, chances, strict=True))


def square_wave_reports(wave, value):
    for report in range(wave.n_reports):
        near = value <= report <= value + 2 * wave.half_width
        yield wave.near_probability if near else wave.far_probability


CASES = [
    (lambda epsilon: BinaryResponse(epsilon=epsilon), kary_reports),
    (lambda epsilon: KaryResponse(epsilon=epsilon, n_values=5), kary_reports),
    (lambda epsilon: KaryResponse(epsilon=epsilon, n_values=1001), None),
    (lambda epsilon: SymmetricUnary(epsilon=epsilon, n_values=3), unary_reports),
    (lambda epsilon: OptimalUnary(epsilon=epsilon, n_values=3), unary_reports),
    (lambda epsilon: SquareWave(epsilon=epsilon, n_values=9), square_wave_reports),
    (lambda epsilon: SquareWave(epsilon=epsilon, n_values=4, half_width=3), square_wave_reports),
]


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize(("make", "reports"), CASES)
def test_exact_loss_is_at_most_epsilon_and_hardly_less(make, reports, epsilon):
    response = make(epsilon)
    allowed, _ = exp_bounds(epsilon, bits=120)
    assert 1 < response.worst_ratio <= allowed
    if epsilon <= 20:  # beyond, the grid of 2^-64 itself is the limit
        assert response.worst_ratio >= allowed * (1 - Fraction(1, 2**30))
    if reports is not None:
        laws = [list(reports(response, value)) for value in range(response.n_values)]
        assert all(sum(law) == 1 for law in laws)
        ratio = max(max(column) / min(column) for column in zip(*laws, strict=True))
        assert ratio == response.worst_ratio


def test_thresholds_are_the_last_grid_point_below_the_ideal():
    for epsilon, near, far in itertools.product(EPSILONS, (1, 7), (1, 1000)):
        low, high = exp_bounds(-epsilon, bits=200)
        ideal_low, ideal_high = (GRID / (1 + Fraction(far, near) * inverse) for inverse in (high, low))
        assert ideal_high - 2 <= keep_threshold(epsilon, near=near, far=far) <= ideal_low


def test_textbook_variances():
    e = math.e
    assert OptimalUnary(epsilon=1, n_values=9).variance(1000) == pytest.approx(1000 * 4 * e / (e - 1) ** 2)
    assert SymmetricUnary(epsilon=1, n_values=9).variance(1000) == pytest.approx(1000 * e**0.5 / (e**0.5 - 1) ** 2)
    assert BinaryResponse(epsilon=1).variance(1000, 300) == pytest.approx(1000 * e / (e - 1) ** 2)


def test_degrees_on_a_logarithmic_line():
    places = log_places(1000, 64)
    assert (places[0], places[-1]) == (0, 63)
    assert (np.diff(places) >= 0).all()
    assert len(places) == 1001


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "one", Fraction(1, 2**70)])
@pytest.mark.parametrize("make", [case[0] for case in CASES])
def test_impossible_epsilons_are_refused(make, epsilon):
    with pytest.raises(ParameterError, match="epsilon"):
        make(epsilon)


@pytest.mark.parametrize(
    "make",
    [
        lambda: KaryResponse(epsilon=1, n_values=1),
        lambda: OptimalUnary(epsilon=1, n_values=0),
        lambda: SquareWave(epsilon=1, n_values=1),
        lambda: SquareWave(epsilon=1, n_values=5, half_width=6),
        lambda: log_places(0, 5),
        lambda: flip_coins(SeededNoise(1), GRID, 1),
        lambda: sample_uniform(SeededNoise(1), 0, 1),
    ],
)
def test_impossible_parameters_are_refused(make):
    with pytest.raises(ParameterError):
        make()


@pytest.mark.parametrize("response", [case[0](Fraction(1)) for case in CASES], ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("values", [[-1], [4321987], [0.5], [[0]]])
def test_values_outside_are_refused_without_naming_them(response, values):
    with pytest.raises(ParameterError) as refusal:
        response.perturb(values, SeededNoise(1))
    assert "4321987" not in str(refusal.value)


@pytest.mark.parametrize("response", [case[0](Fraction(1)) for case in CASES], ids=lambda r: type(r).__name__)
def test_the_last_value_is_the_last_that_is_taken(response):
    assert len(response.perturb([0, response.n_values - 1], SeededNoise(1))) == 2
    with pytest.raises(ParameterError):
        response.perturb([response.n_values], SeededNoise(1))


@pytest.mark.parametrize("response", [case[0](Fraction(1)) for case in CASES], ids=lambda r: type(r).__name__)
def test_nobody_reports_nothing(response):
    assert len(response.perturb(np.empty(0, dtype=np.int64), SeededNoise(1))) == 0


def test_almost_no_noise_reports_the_truth():
    values = np.arange(200) % 5
    noise = SeededNoise(1)
    np.testing.assert_array_equal(KaryResponse(epsilon=44, n_values=5).perturb(values, noise), values)
    np.testing.assert_array_equal(SymmetricUnary(epsilon=80, n_values=5).perturb(values, noise).argmax(axis=1), values)
    np.testing.assert_array_equal(SquareWave(epsilon=44, n_values=5, half_width=0).perturb(values, noise), values)
