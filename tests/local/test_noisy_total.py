"""In a small network answers alone tell the number of triangles better than noisy counts; the total uses both."""

from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.generate.families import family
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.estimation.noisy_total import Parts
from graphveil.local.simulate import simulate
from graphveil.registry import build_protocol

SMALL = family("triads", 200, seed=1)


def test_a_small_network_gains_and_its_intervals_hold():
    """Of 40 intervals at 95 %, fewer than 33 hold with probability 1e-3; the noise of counts alone is 33 triangles."""
    protocol, truth = build_protocol("triangles", "veil", unit="edge", epsilon=4, n_people=200), exact_triangles(SMALL)
    results = [simulate(protocol, SMALL, seed=seed) for seed in range(40)]
    errors = np.array([result.value - truth for result in results])
    assert errors.std() < results[0].estimate.facts["noise_std"] / 2
    assert abs(errors.mean()) < 4 * errors.std() / np.sqrt(40)
    assert sum(result.interval95[0] <= truth <= result.interval95[1] for result in results) >= 33
    assert np.mean([result.estimate.std for result in results]) < 2 * errors.std()  # nor are they for nothing


def test_counts_stand_alone_where_answers_say_little():
    protocol = build_protocol("triangles", "veil", unit="edge", epsilon=Fraction(1, 2), n_people=1500)
    facts = simulate(protocol, family("triads", 1500, seed=1), seed=1).estimate.facts
    assert facts["weight_of_answers"] == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [((1.0, 2.0), (3.0, 4.0)), ((1.0, 9.0), (1.0, 4.0)), ((0.0, 0.0), (0.0, 0.0)), ((50.0, 4.0), (1.0, 1.0))],
)
def test_the_weight_has_the_smallest_variance_of_all(first, second):
    one, other = Parts(1.0, *first), Parts(2.0, *second)

    def variance(weight: float) -> float:
        together = weight * np.sqrt(one.answers) + (1 - weight) * np.sqrt(other.answers)
        return weight**2 * one.own + (1 - weight) ** 2 * other.own + together**2

    _, least, weight = one.mean_with(other)
    assert least == pytest.approx(variance(weight))
    assert all(least <= variance(w) + 1e-9 for w in np.linspace(0, 1, 101))
