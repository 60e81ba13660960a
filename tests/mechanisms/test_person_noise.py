from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise import person_noise as personal
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.noise.source import SystemNoise

ALPHA = 1e-6
RATE = Fraction(2, 5)
N = 60_000


@pytest.mark.parametrize("words", [2, 16])  # with 2 words most people have to ask for more
def test_the_noise_has_the_stated_rate_and_belongs_to_the_person(monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    monkeypatch.setattr(personal, "WORDS", words)
    draws = add_personal_laplace(CrowdNoise(6, np.arange(N)), np.zeros(N, dtype=np.int64), RATE)
    critical = chi2.ppf(1 - ALPHA, 21)
    assert _statistic(draws, float(RATE)) < critical
    assert _statistic(draws, float(RATE) * 1.3) > critical
    assert _statistic(draws, float(RATE) / 1.3) > critical
    alone = [int(add_personal_laplace(CrowdNoise(6, [u]), [0], RATE)[0]) for u in range(50)]
    assert alone == draws[:50].tolist()


def test_everybody_may_have_an_own_rate() -> None:
    rates = (np.ones(N, dtype=np.int64), np.where(np.arange(N) % 2, 2, 20))
    draws = add_personal_laplace(CrowdNoise(8, np.arange(N)), np.full(N, 100), rates) - 100
    for parity, rate in ((1, 1 / 2), (0, 1 / 20)):
        assert draws[parity::2].std() == pytest.approx(np.sqrt(2 * np.exp(-rate)) / (1 - np.exp(-rate)), rel=0.03)


def test_secret_noise_has_the_same_law() -> None:
    draws = add_personal_laplace(SystemNoise(), np.zeros(N, dtype=np.int64), RATE)
    assert _statistic(draws, float(RATE)) < chi2.ppf(1 - ALPHA, 21)


@pytest.mark.parametrize(
    "rates", [([1], [2]), ([1, 0], [1, 1]), ([1, 1], [0, 2]), ([1, 1], [1, 2**51]), ([5000, 1], [1, 1])]
)
def test_rates_that_do_not_fit_are_refused(rates) -> None:
    with pytest.raises(ParameterError):
        add_personal_laplace(SystemNoise(), [0, 0], rates)


def _statistic(draws: np.ndarray, rate: float) -> float:
    """Chi-square over -10..10 and the rest."""
    r = np.exp(-rate)
    expected = (1 - r) / (1 + r) * r ** np.abs(np.arange(-10, 11))
    expected = np.append(expected, 1 - expected.sum()) * len(draws)
    observed = np.array([(draws == x).sum() for x in range(-10, 11)] + [(np.abs(draws) > 10).sum()])
    return float(((observed - expected) ** 2 / expected).sum())
