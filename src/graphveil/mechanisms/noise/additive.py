"""Integer noise added to integers: one function per law, whichever sampler draws it.

Production noise for numbers and short vectors comes from OpenDP, for long vectors from our compiled kernel; seeded
noise always from our own samplers. The law is the same in all of them.

Noise drawn by OpenDP: its samplers are proved, reviewed and used elsewhere, but slow, and they cannot be seeded.

OpenDP takes scales as floats and computes with their exact values, so a scale is rounded up to the next float: the law
is the one asked for or a hair wider, never narrower. Only the three submodules needed are imported, and only when noise
is drawn: `opendp.prelude` would load whatever machine-learning libraries it finds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bulk import LIMIT as LIMIT
from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace, fit_rate, fit_sigma_squared
from graphveil.mechanisms.noise.samplers import sample_discrete_gaussian, sample_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.rounding import float_at_least


def vetted_discrete_laplace(rate: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-rate |x|)."""
    return _draw("make_laplace", "l1_distance", float_at_least(1 / rate, power=1), size)


def vetted_discrete_gaussian(sigma_squared: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-x^2 / (2 sigma^2))."""
    return _draw("make_gaussian", "l2_distance", float_at_least(sigma_squared, power=2), size)


def _draw(constructor: str, metric: str, scale: float, size: int) -> Integers:
    return np.array(_measurement(constructor, metric, scale)([0] * size), dtype=np.int64)


@lru_cache(maxsize=256)
def _measurement(constructor: str, metric: str, scale: float) -> Any:
    from opendp import domains, measurements, metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    space = domains.vector_domain(domains.atom_domain(T="i64")), getattr(metrics, metric)(T="i64")
    return getattr(measurements, constructor)(*space, scale=scale)


VETTED_SIZE = 1000  # up to here OpenDP answers within a few hundredths of a second
LARGEST = 2**61  # entries of a vector are cut to this size: their differences, and they with noise, fit 64 bits


def sample_discrete_laplace_vector(noise: Noise, rate: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-rate |x|).

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> sample_discrete_laplace_vector(SeededNoise(1), Fraction(1, 10), 5).tolist()
    [-39, -12, 8, 34, -3]
    """
    fitted = fit_rate(rate)
    if _is_vetted(noise, size):
        return vetted_discrete_laplace(fitted, size)
    return bulk_discrete_laplace(noise, fitted, size)


def sample_discrete_gaussian_vector(noise: Noise, sigma_squared: Fraction, size: int) -> Integers:
    """That many X with P(X = x) proportional to exp(-x^2 / (2 sigma^2))."""
    fitted = fit_sigma_squared(sigma_squared)
    if _is_vetted(noise, size):
        return vetted_discrete_gaussian(fitted, size)
    return bulk_discrete_gaussian(noise, fitted, size)


@overload
def add_discrete_laplace(noise: Noise, values: int, rate: Fraction) -> int: ...
@overload
def add_discrete_laplace(noise: Noise, values: ArrayLike, rate: Fraction) -> Integers: ...
def add_discrete_laplace(noise: Noise, values: Any, rate: Fraction) -> Any:
    """An integer, or every entry of an integer vector, plus independent discrete Laplace noise."""
    if isinstance(values, int | np.integer):
        if noise.kind == "system" and rate * LIMIT >= 1:
            return int(values) + int(sample_discrete_laplace_vector(noise, rate, 1)[0])
        return int(values) + sample_discrete_laplace(noise, rate)
    vector = integer_vector(values)
    return vector + sample_discrete_laplace_vector(noise, rate, vector.size).reshape(vector.shape)


@overload
def add_discrete_gaussian(noise: Noise, values: int, sigma_squared: Fraction) -> int: ...
@overload
def add_discrete_gaussian(noise: Noise, values: ArrayLike, sigma_squared: Fraction) -> Integers: ...
def add_discrete_gaussian(noise: Noise, values: Any, sigma_squared: Fraction) -> Any:
    """An integer, or every entry of an integer vector, plus independent discrete Gaussian noise."""
    if isinstance(values, int | np.integer):
        if noise.kind == "system" and sigma_squared <= LIMIT**2:
            return int(values) + int(sample_discrete_gaussian_vector(noise, sigma_squared, 1)[0])
        return int(values) + sample_discrete_gaussian(noise, sigma_squared)
    vector = integer_vector(values)
    return vector + sample_discrete_gaussian_vector(noise, sigma_squared, vector.size).reshape(vector.shape)


def _is_vetted(noise: Noise, size: int) -> bool:
    return noise.kind == "system" and size <= VETTED_SIZE


def integer_vector(values: ArrayLike) -> Integers:
    """The values as 64-bit integers; cutting them at 2^61 can only bring two inputs closer together."""
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ParameterError(f"integer noise needs integers, not {array.dtype}; put the values on a public grid first")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(LARGEST))
    clipped: Integers = np.clip(array.astype(np.int64), -LARGEST, LARGEST)
    return clipped
