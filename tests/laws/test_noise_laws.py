"""Every sampler of integer noise follows its law, from every source; 30 % wrong noise does not."""

import math
from fractions import Fraction

import numpy as np
import pytest
from goodness_of_fit import Law, fits, gaussian_law, geometric_law, laplace_law, same_law

from graphveil.mechanisms.noise import samplers as exact
from graphveil.mechanisms.noise.additive import (
    add_discrete_gaussian,
    add_discrete_laplace,
)
from graphveil.mechanisms.noise.bernoulli import flip_coins, flip_exp_coins, sample_uniform
from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace, bulk_geometric
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise

SOURCES = [SeededNoise(20), SystemNoise()]
sources = pytest.mark.parametrize("noise", SOURCES, ids=lambda noise: noise.kind)
WRONG = Fraction(13, 10)


def one_by_one(sampler):
    def draw(noise, parameter, size):
        return np.array([sampler(noise, parameter) for _ in range(size)])

    return draw


def bernoulli_law(probability):
    return Law.of([1 - probability, probability])


def bernoulli_exp_law(x):
    return bernoulli_law(np.exp(-float(x)))


SCALARS = [
    (exact.bernoulli, bernoulli_law, Fraction(2, 7)),
    (exact.bernoulli_exp, bernoulli_exp_law, Fraction(2, 5)),
    (exact.bernoulli_exp, bernoulli_exp_law, Fraction(7, 3)),
    (exact.sample_geometric, geometric_law, Fraction(3, 7)),
    (exact.sample_discrete_laplace, laplace_law, Fraction(1, 10)),
    (exact.sample_discrete_laplace, laplace_law, Fraction(5, 2)),
    (exact.sample_discrete_gaussian, gaussian_law, Fraction(1, 3)),
    (exact.sample_discrete_gaussian, gaussian_law, Fraction(50)),
]


@sources
@pytest.mark.parametrize(("sampler", "law", "parameter"), SCALARS)
def test_scalar_samplers(noise, sampler, law, parameter):
    draw = one_by_one(sampler)
    assert fits(draw(noise, parameter, 5_000), law(parameter))
    assert not fits(draw(noise, parameter * WRONG, 5_000), law(parameter))


BULK = [
    (bulk_geometric, geometric_law, Fraction(1)),
    (bulk_geometric, geometric_law, Fraction(2, 9)),
    (bulk_discrete_laplace, laplace_law, Fraction(1)),
    (bulk_discrete_laplace, laplace_law, Fraction(3)),
    (bulk_discrete_laplace, laplace_law, Fraction(3, 7)),
    (bulk_discrete_laplace, laplace_law, Fraction(1, 1000)),
    (bulk_discrete_laplace, laplace_law, Fraction(2**33 + 1, 2**35)),  # denominators beyond 32 bits take another path
    (bulk_discrete_gaussian, gaussian_law, Fraction(1, 3)),
    (bulk_discrete_gaussian, gaussian_law, Fraction(1)),
    (bulk_discrete_gaussian, gaussian_law, Fraction(7, 2)),
    (bulk_discrete_gaussian, gaussian_law, Fraction(10**6)),
    (bulk_discrete_gaussian, gaussian_law, Fraction(10**12 + 1, 10**10)),
]


@sources
@pytest.mark.parametrize(("sampler", "law", "parameter"), BULK)
def test_bulk_samplers(noise, sampler, law, parameter):
    assert fits(sampler(noise, parameter, 100_000), law(parameter))
    assert not fits(sampler(noise, parameter * WRONG, 100_000), law(parameter))


@pytest.mark.laws
@sources
@pytest.mark.parametrize(("sampler", "law", "parameter"), BULK)
def test_bulk_samplers_at_full_size(noise, sampler, law, parameter):
    assert fits(sampler(noise, parameter, 2_000_000), law(parameter))
    assert not fits(sampler(noise, parameter * Fraction(21, 20), 2_000_000), law(parameter))


def opendp(constructor, metric, scale, size):
    """That many draws of OpenDP: samplers that others wrote, reviewed and proved."""
    from opendp import domains, measurements, metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    space = domains.vector_domain(domains.atom_domain(T="i64")), getattr(metrics, metric)(T="i64")
    return np.array(getattr(measurements, constructor)(*space, scale=scale)([0] * size))


def opendp_laplace(rate, size):
    return opendp("make_laplace", "l1_distance", float(1 / rate), size)


def opendp_gaussian(sigma_squared, size):
    return opendp("make_gaussian", "l2_distance", math.sqrt(sigma_squared), size)


OPENDP = [
    (opendp_laplace, bulk_discrete_laplace, laplace_law, Fraction(3, 7)),
    (opendp_gaussian, bulk_discrete_gaussian, gaussian_law, Fraction(7, 2)),
]


@pytest.mark.parametrize(("reviewed", "bulk", "law", "parameter"), OPENDP)
def test_opendp_and_our_kernel_draw_from_one_law(reviewed, bulk, law, parameter):
    theirs = reviewed(parameter, 10_000)
    assert fits(theirs, law(parameter))
    assert same_law(theirs, bulk(SeededNoise(1), parameter, 10_000))
    assert not same_law(theirs, bulk(SeededNoise(2), parameter * WRONG, 10_000))


@pytest.mark.laws
@pytest.mark.parametrize(("reviewed", "bulk", "law", "parameter"), OPENDP)
def test_opendp_and_our_kernel_at_full_size(reviewed, bulk, law, parameter):
    theirs = reviewed(parameter, 300_000)
    assert fits(theirs, law(parameter))
    assert same_law(theirs, bulk(SystemNoise(), parameter, 300_000))


PUBLIC = [(add_discrete_laplace, laplace_law, Fraction(1, 3)), (add_discrete_gaussian, gaussian_law, Fraction(9, 2))]


@sources
@pytest.mark.parametrize(("add", "law", "parameter"), PUBLIC)
def test_one_law_for_numbers_short_and_long_vectors(noise, add, law, parameter):
    short = np.concatenate([add(noise, np.full(50, 1000), parameter) - 1000 for _ in range(100)])
    long = add(noise, np.full(5000, 1000), parameter) - 1000
    single = [add(noise, 1000, parameter) - 1000 for _ in range(2000)]
    assert all(fits(drawn, law(parameter)) for drawn in (short, long, single))
    assert not fits(add(noise, np.full(5000, 1000), parameter * WRONG) - 1000, law(parameter))


@sources
def test_coins(noise):
    law = bernoulli_law(0.3)
    assert fits(flip_coins(noise, int(0.3 * 2**64), 100_000), law)
    assert not fits(flip_coins(noise, int(0.39 * 2**64), 100_000), law)


@sources
def test_uniform_integers(noise):
    assert fits(sample_uniform(noise, 7, 60_000), Law.of([1 / 7] * 7))
    assert not fits(sample_uniform(noise, 9, 60_000), Law.of([1 / 7] * 7))


@sources
def test_uniform_integers_by_rejection(noise):
    bound, thirds = 3 * 2**61, Law.of([1 / 3] * 3)
    assert fits(sample_uniform(noise, bound, 60_000) // 2**61, thirds)
    without_rejection = noise.words(60_000) % np.uint64(bound)
    assert not fits(without_rejection // np.uint64(2**61), thirds)


@sources
@pytest.mark.parametrize("rate", [Fraction(1, 7), Fraction(3)])
def test_exponential_coins(noise, rate):
    gaps = np.repeat([0, 1, 2, 9], 50_000)
    heads = flip_exp_coins(noise, gaps, rate)
    assert heads[gaps == 0].all()
    wrong = flip_exp_coins(noise, gaps, rate * WRONG)
    for gap in (1, 2):
        law = bernoulli_exp_law(rate * gap)
        assert fits(heads[gaps == gap], law)
        assert not fits(wrong[gaps == gap], law)
