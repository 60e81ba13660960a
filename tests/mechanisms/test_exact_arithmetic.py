"""Enclosures, inversion, scalar samplers, calibrated noise, accuracy formulas: the arithmetic behind the laws."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import discrete_laplace_quantile, discrete_laplace_std
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.noise.inversion import sample_exp_weights
from graphveil.mechanisms.noise.samplers import (
    bernoulli,
    bernoulli_exp,
    sample_discrete_gaussian,
    sample_discrete_laplace,
    sample_geometric,
)
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from graphveil.privacy.loss import Concentrated, Pure
from graphveil.privacy.rounding import exp_bounds


@given(st.fractions(min_value=-300, max_value=300), st.sampled_from([8, 64, 200]))
def test_exponentials_are_enclosed(x, bits):
    low, high = exp_bounds(x, bits)
    assert 0 < low < high <= low * (1 + Fraction(1, 2**bits))
    finer_low, finer_high = exp_bounds(x, 2 * bits)
    assert low <= finer_low < finer_high <= high
    assert float(low) == pytest.approx(math.exp(x), rel=2.0 ** (1 - min(bits, 40)))


class Script:
    """A noise that hands out the given bits, in order."""

    kind = "seeded"

    def __init__(self, *draws):
        self._draws = list(draws)

    def bits(self, count):
        return self._draws.pop(0)

    def words(self, count):
        return np.array([self._draws.pop(0) for _ in range(count)], dtype=np.uint64)


def test_inversion_asks_for_more_bits_only_at_a_border():
    halves = [Fraction(0), Fraction(0)], [1, 1]
    assert sample_exp_weights(Script(0), *halves, 1).tolist() == [0]
    assert sample_exp_weights(Script(2**63 - 1), *halves, 1).tolist() == [0]
    assert sample_exp_weights(Script(2**63), *halves, 1).tolist() == [1]
    assert sample_exp_weights(Script(2**64 - 1), *halves, 1).tolist() == [1]
    weights = [Fraction(0), Fraction(1)], [1, 1]  # the border is at e / (e + 1)
    _, inverse = exp_bounds(Fraction(-1), 300)
    border = int(2**256 / (1 + inverse))
    top, rest = border >> 192, border & (2**192 - 1)
    for lower, expected in ((-1, 0), (1, 1)):  # the first word leaves it open, the next ones decide
        middle, last = rest >> 128, rest & (2**128 - 1)
        assert sample_exp_weights(Script(top, middle, last + lower * 2**100), *weights, 1).tolist() == [expected]


@pytest.mark.parametrize(
    "draw",
    [
        lambda noise: bernoulli(noise, Fraction(3, 2)),
        lambda noise: bernoulli_exp(noise, Fraction(-1)),
        lambda noise: sample_geometric(noise, Fraction(0)),
        lambda noise: sample_discrete_laplace(noise, Fraction(-1)),
        lambda noise: sample_discrete_gaussian(noise, Fraction(0)),
    ],
)
def test_impossible_laws_are_refused(draw):
    with pytest.raises(ParameterError):
        draw(SeededNoise(1))


def test_certain_coins():
    noise = SeededNoise(1)
    assert all(bernoulli(noise, Fraction(1)) and bernoulli_exp(noise, Fraction(0)) for _ in range(50))
    assert not any(bernoulli(noise, Fraction(0)) or bernoulli_exp(noise, Fraction(10**20)) for _ in range(50))


def test_calibration():
    laplace = NoisyInteger(what="count", exact=3, sensitivity=2, epsilon=Fraction(1, 10))
    assert (laplace.rate, laplace.loss) == (Fraction(1, 20), Pure(Fraction(1, 10)))
    gaussian = GaussianVector(what="counts", exact=np.array([3, 4]), squared_sensitivity=2, rho=Fraction(1, 2))
    assert (gaussian.sigma_squared, gaussian.loss) == (2, Concentrated(Fraction(1, 2)))
    assert gaussian.draws(SeededNoise(1), 3).shape == (3, 2)


@pytest.mark.parametrize("sensitivity", [0, -1, math.nan])
def test_impossible_sensitivities_are_refused(sensitivity):
    for make in (
        lambda: NoisyInteger(what="count", exact=3, sensitivity=sensitivity, epsilon=Fraction(1)),
        lambda: GaussianVector(what="counts", exact=np.arange(2), squared_sensitivity=sensitivity, rho=Fraction(1)),
        lambda: PermuteAndFlip(epsilon=1, sensitivity=sensitivity),
    ):
        with pytest.raises(ParameterError, match="sensitivity"):
            make()


RATES = [Fraction(1, 50), Fraction(1, 3), Fraction(1), Fraction(3)]


@pytest.mark.parametrize("rate", RATES)
def test_accuracy_formulas_agree_with_the_sums(rate):
    x = np.arange(-4000, 4001)
    weights = np.exp(-float(rate) * np.abs(x))
    chances = weights / weights.sum()
    assert discrete_laplace_std(rate) == pytest.approx(math.sqrt((chances * x**2).sum()))
    for confidence in (0.5, 0.8, 0.95, 0.999):
        k = discrete_laplace_quantile(rate, confidence)
        assert chances[np.abs(x) <= k].sum() >= confidence - 1e-12
        assert k == 0 or chances[np.abs(x) <= k - 1].sum() < confidence


@pytest.mark.parametrize("mechanism", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax])
class TestSelection:
    def test_the_best_wins_by_far(self, mechanism):
        noise = SeededNoise(1)
        choice = mechanism(epsilon=1, sensitivity=1)
        assert choice.select([0, 200, 5, -(10**6)], noise, 20).tolist() == [1] * 20
        assert choice.select(np.array([2**63, 0], dtype=np.uint64), noise, 2).tolist() == [0, 0]
        assert choice.select([-(2**63), 2**62], noise, 2).tolist() == [1, 1]

    def test_error_bound_holds(self, mechanism):
        noise, choice, scores = SeededNoise(2), mechanism(epsilon=1, sensitivity=1), np.arange(30)
        allowed = choice.error_bound(30, 0.9)
        late = np.count_nonzero(29 - choice.select(scores, noise, 500) > allowed)
        assert late <= 500 * 0.1  # the bound is loose; the true share is near 0.03

    def test_monotone_doubles_the_rate(self, mechanism):
        assert mechanism(epsilon=1, sensitivity=2).rate == Fraction(1, 4)
        assert mechanism(epsilon=1, sensitivity=2, monotone=True).rate == Fraction(1, 2)

    @pytest.mark.parametrize("scores", [[], [0.5, 1.0], [[1, 2]], ["a"]])
    def test_impossible_scores_are_refused(self, mechanism, scores):
        with pytest.raises(ParameterError, match="scores"):
            mechanism(epsilon=1, sensitivity=1).select(scores, SeededNoise(1), 1)


def test_rational_scores():
    scores = [Fraction(1, 3), Fraction(101, 2), Fraction(50)]
    for mechanism in (ExponentialMechanism, PermuteAndFlip):
        assert mechanism(epsilon=100, sensitivity=1).select(scores, SeededNoise(1), 1).tolist() == [1]
    with pytest.raises(ParameterError, match="public denominator"):
        ReportNoisyMax(epsilon=1, sensitivity=1).select(scores, SeededNoise(1), 1)
