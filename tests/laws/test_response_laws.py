"""Reports follow the law their paper states, for each value; reports made for another epsilon do not."""

import itertools
import math

import numpy as np
import pytest
from goodness_of_fit import Law, fits

from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.unary import OptimalUnary, SymmetricUnary

sources = pytest.mark.parametrize("noise", [SeededNoise(30), SystemNoise()], ids=lambda noise: noise.kind)
EPSILON, WRONG = 1.0, 1.3
SIZE = 40_000


def binary_law(value):
    keep = math.e / (math.e + 1)
    return [keep if report == value else 1 - keep for report in range(2)]


def kary_law(value, n_values=5):
    total = math.e + n_values - 1
    return [math.e / total if report == value else 1 / total for report in range(n_values)]


def unary_law(value, p, q, n_values=3):
    """Of a report read as a binary number, bit 0 first."""
    chances = [p if v == value else q for v in range(n_values)]
    return [
        math.prod(chance if bit else 1 - chance for bit, chance in zip(reversed(bits), chances, strict=True))
        for bits in itertools.product((0, 1), repeat=n_values)
    ]


def symmetric_law(value):
    return unary_law(value, math.sqrt(math.e) / (math.sqrt(math.e) + 1), 1 / (math.sqrt(math.e) + 1))


def optimal_law(value):
    return unary_law(value, 1 / 2, 1 / (math.e + 1))


def square_wave_law(value, n_values=8, half_width=2):
    total = (2 * half_width + 1) * math.e + n_values - 1
    return [
        math.e / total if value <= report <= value + 2 * half_width else 1 / total
        for report in range(n_values + 2 * half_width)
    ]


def as_number(reports):
    return reports if reports.ndim == 1 else reports @ (1 << np.arange(reports.shape[1]))


RESPONSES = [
    (lambda epsilon: BinaryResponse(epsilon=epsilon), binary_law, (0, 1)),
    (lambda epsilon: KaryResponse(epsilon=epsilon, n_values=5), kary_law, (0, 2, 4)),
    (lambda epsilon: SymmetricUnary(epsilon=epsilon, n_values=3), symmetric_law, (0, 2)),
    (lambda epsilon: OptimalUnary(epsilon=epsilon, n_values=3), optimal_law, (0, 2)),
    (lambda epsilon: SquareWave(epsilon=epsilon, n_values=8), square_wave_law, (0, 3, 7)),
]


@sources
@pytest.mark.parametrize(("make", "law", "values"), RESPONSES, ids=["binary", "kary", "sue", "oue", "square-wave"])
def test_reports(noise, make, law, values):
    for value in values:
        stated = Law.of(law(value))
        assert stated.probabilities.sum() == pytest.approx(1)
        people = np.full(SIZE, value)
        assert fits(as_number(make(EPSILON).perturb(people, noise)), stated)
        assert not fits(as_number(make(WRONG).perturb(people, noise)), stated)


ORACLES = [
    KaryResponse(epsilon=1, n_values=4),
    SymmetricUnary(epsilon=1, n_values=4),
    OptimalUnary(epsilon=1, n_values=4),
]


@pytest.mark.parametrize("response", ORACLES, ids=lambda response: type(response).__name__)
def test_estimates_are_unbiased_with_the_stated_variance(response):
    noise, runs, holders = SeededNoise(31), 600, np.array([0, 100, 300, 600])
    people = np.repeat(np.arange(4), holders)
    estimates = np.array(
        [response.estimate(response.count(response.perturb(people, noise)), 1000) for _ in range(runs)]
    )
    for value in range(4):
        stated = response.variance(1000, int(holders[value]))
        five_sigma = 5 * math.sqrt(stated / runs)  # false alarm 6e-7
        assert abs(estimates[:, value].mean() - holders[value]) < five_sigma
        assert estimates[:, value].var() == pytest.approx(stated, rel=5 * math.sqrt(2 / runs))
        assert 5 * math.sqrt(2 / runs) < 1.3**2 - 1  # noise 30 % too wide would be seen
