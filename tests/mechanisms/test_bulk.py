"""Bulk noise: chunks do not matter, parameters only ever move towards more noise, nothing overflows."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise import additive, stream
from graphveil.mechanisms.noise import samplers as exact
from graphveil.mechanisms.noise.additive import add_discrete_gaussian, add_discrete_laplace
from graphveil.mechanisms.noise.bernoulli import flip_exp_coins
from graphveil.mechanisms.noise.bulk import (
    LIMIT,
    bulk_discrete_gaussian,
    bulk_discrete_laplace,
    bulk_geometric,
    fit_rate,
    fit_sigma_squared,
)
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise

rationals = st.fractions(min_value=Fraction(1, 10**13), max_value=10**5)


class FixedStream:
    """Words of one fixed stream, however many are asked for at a time."""

    kind = "seeded"

    def __init__(self):
        self._words = SeededNoise(9).words(2**15)
        self._position = 0

    def words(self, count):
        start, self._position = self._position, self._position + count
        assert self._position <= len(self._words)
        return self._words[start : self._position]


@pytest.mark.parametrize(
    "draw",
    [
        lambda noise: bulk_geometric(noise, Fraction(2, 7), 400),
        lambda noise: bulk_discrete_laplace(noise, Fraction(1, 3), 400),
        lambda noise: bulk_discrete_laplace(noise, Fraction(1, 2**40 + 1), 400),
        lambda noise: bulk_discrete_gaussian(noise, Fraction(9, 4), 400),
        lambda noise: flip_exp_coins(noise, np.arange(400) % 5, Fraction(1, 3)),
    ],
)
def test_samples_do_not_depend_on_how_the_stream_is_cut(draw, monkeypatch):
    results = []
    for chunk in (2**14, 1, 2, 5, 64):
        monkeypatch.setattr(stream, "CHUNK_WORDS", chunk)
        results.append(draw(FixedStream()).tolist())
    assert all(result == results[0] for result in results)


@given(rationals)
def test_a_rate_is_never_raised(rate):
    fitted = fit_rate(rate)
    assert fitted <= rate
    assert fitted.denominator <= LIMIT
    assert fitted == 2**12 if rate > 2**12 else rate - fitted < Fraction(1, LIMIT)


@given(rationals)
def test_a_variance_is_never_lowered(sigma_squared):
    fitted = fit_sigma_squared(sigma_squared)
    assert fitted >= sigma_squared
    assert fitted.denominator * exact.laplace_width(fitted) ** 2 <= LIMIT or fitted.denominator == 1
    assert fitted - sigma_squared < Fraction(1, 10**6) * max(1, sigma_squared)


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(-1), Fraction(1, 2**51)])
def test_rates_that_do_not_fit_are_refused(rate):
    with pytest.raises(ParameterError, match="rate"):
        bulk_discrete_laplace(SeededNoise(1), rate, 3)


@pytest.mark.parametrize("sigma_squared", [Fraction(0), Fraction(-1), Fraction(2**101)])
def test_variances_that_do_not_fit_are_refused(sigma_squared):
    with pytest.raises(ParameterError, match="sigma squared"):
        bulk_discrete_gaussian(SeededNoise(1), sigma_squared, 3)


@pytest.mark.parametrize(
    "rate",
    [
        Fraction(1, LIMIT),
        Fraction(LIMIT - 1, LIMIT),
        Fraction(3, LIMIT),
        Fraction(10**4),
        Fraction(LIMIT * 4096 - 1, LIMIT),
    ],
)
def test_extreme_rates_have_the_right_size(rate):
    mean = np.abs(bulk_discrete_laplace(SeededNoise(4), rate, 4000)).mean(dtype=np.float64)
    assert mean == pytest.approx(1 / np.sinh(min(float(rate), 700)), rel=0.1, abs=1e-9)


@pytest.mark.parametrize(
    "sigma_squared", [Fraction(1, 2**60), Fraction(1, 1000), Fraction(2**49), Fraction(2**49 + 1, 7), Fraction(2**80)]
)
def test_extreme_variances_have_the_right_size(sigma_squared):
    size = 4000 if sigma_squared < LIMIT else 300
    second = np.square(bulk_discrete_gaussian(SeededNoise(4), sigma_squared, size).astype(np.float64)).mean()
    assert second == pytest.approx(float(sigma_squared) if sigma_squared > 1 else 0, rel=0.3, abs=1e-9)


@pytest.mark.parametrize("values", [5, np.zeros(3, int), np.zeros(3000, int)])
def test_production_draws_through_the_code_that_seeds_test(monkeypatch, values):
    """One sampler for each size, whichever source its words come from."""
    drawn = []
    for name in ("bulk_discrete_laplace", "sample_discrete_laplace"):
        original = getattr(additive, name)
        monkeypatch.setattr(additive, name, lambda *args, n=name, f=original: drawn.append(n) or f(*args))
    for noise in (SystemNoise(), SeededNoise(1)):
        add_discrete_laplace(noise, values, Fraction(1, 2))
    assert len(drawn) == 2
    assert len(set(drawn)) == 1


@pytest.mark.parametrize("add", [add_discrete_laplace, add_discrete_gaussian])
def test_noise_keeps_shape_and_type(add):
    noise = SeededNoise(1)
    assert isinstance(add(noise, 10**40, Fraction(10)), int)
    assert add(noise, np.zeros((3, 4), dtype=np.int32), Fraction(10)).shape == (3, 4)
    assert add(noise, [], Fraction(1)).dtype == np.int64
    assert add(noise, np.array([2**64 - 1, 0], dtype=np.uint64), Fraction(5000))[0] > 2**60  # cut, not wrapped around


def test_real_numbers_are_refused():
    with pytest.raises(ParameterError, match="public grid"):
        add_discrete_laplace(SeededNoise(1), [0.5], Fraction(1))


def test_numbers_take_noise_of_any_size():
    noisy = [
        add_discrete_laplace(noise, 0, Fraction(1, 10**30))
        for noise in (SystemNoise(), SeededNoise(1))
        for _ in range(5)
    ]
    assert all(abs(x) > 10**20 for x in noisy)


def test_loading_the_mechanisms_loads_no_compiler():
    code = (
        "import sys, graphveil.mechanisms.selection, graphveil.mechanisms.clipped, graphveil.mechanisms.unary;"
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
