"""Staircase noise: its exact law, its loss, its variance."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.staircase import add_personal_staircase, best_steps, staircase_variance

ALPHA = 1e-6
SIZE = 60_000


def law(epsilon: Fraction, width: int, reach: int) -> np.ndarray:
    """Probabilities of -reach..reach, from the definition."""
    step = int(best_steps(epsilon, np.array([width]))[0])
    size = np.abs(np.arange(-reach, reach + 1))
    weights = np.exp(-float(epsilon) * (size // width + (size % width >= step)))
    return weights / weights.sum()


def draw(epsilon: Fraction, width: int, noise) -> np.ndarray:
    return add_personal_staircase(noise, np.zeros(SIZE, dtype=np.int64), epsilon, np.full(SIZE, width))


def distance(samples: np.ndarray, expected: np.ndarray) -> float:
    reach = len(expected) // 2
    observed = np.bincount(np.clip(samples, -reach, reach) + reach, minlength=len(expected))
    mean = expected * len(samples)
    rare = mean < 20
    observed, mean = np.append(observed[~rare], observed[rare].sum()), np.append(mean[~rare], mean[rare].sum())
    return float(((observed - mean) ** 2 / np.maximum(mean, 1e-9)).sum() / chi2.ppf(1 - ALPHA, len(mean) - 1))


@pytest.mark.parametrize(("epsilon", "width"), [(Fraction(4, 5), 3), (Fraction(7, 2), 7), (Fraction(2), 1)])
def test_the_noise_has_its_law_and_a_wrong_law_is_noticed(epsilon, width):
    reach = 60 * width
    for noise in (SeededNoise(3), CrowdNoise(3, np.arange(SIZE))):
        samples = draw(epsilon, width, noise)
        assert distance(samples, law(epsilon, width, reach)) < 1
        assert distance(samples, law(epsilon * Fraction(13, 10), width, reach)) > 1
        variance = float(staircase_variance(epsilon, [width])[0])
        assert np.mean(samples.astype(float) ** 2) == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(5)])
@pytest.mark.parametrize("width", [1, 2, 9, 40])
def test_a_change_of_up_to_the_width_costs_epsilon_and_no_more(epsilon, width):
    logs = np.log(law(epsilon, width, 12 * width))
    losses = [np.abs(logs[shift:] - logs[:-shift]).max() for shift in range(1, width + 2)]
    assert max(losses[:-1]) == pytest.approx(float(epsilon))
    if width > 1:
        assert losses[-1] > 1.5 * float(epsilon)  # one more and it would cost twice as much


def test_variance_is_that_of_the_best_step_and_never_above_laplace():
    for epsilon in (0.3, 1.0, 4.0):
        b = np.exp(-epsilon / 50)
        assert staircase_variance(Fraction(epsilon), [50])[0] < 2 * b / (1 - b) ** 2
        exact = float((law(Fraction(epsilon), 50, 5000) * np.arange(-5000, 5001) ** 2).sum())
        assert staircase_variance(Fraction(epsilon), [50])[0] == pytest.approx(exact, rel=1e-6)


def test_a_person_draws_the_same_alone_and_in_a_crowd():
    widths = np.array([5, 5000, 1, 70])
    together = add_personal_staircase(CrowdNoise(9, range(4)), np.zeros(4), Fraction(1), widths)
    alone = [int(add_personal_staircase(CrowdNoise(9, [i]), [0], Fraction(1), widths[i : i + 1])[0]) for i in range(4)]
    assert together.tolist() == alone


@pytest.mark.parametrize("widths", [[0, 1], [1], [1, 2**60]])
def test_widths_that_do_not_fit_are_refused(widths):
    with pytest.raises(ParameterError, match="widths"):
        add_personal_staircase(SeededNoise(1), [0, 0], Fraction(1), widths)
