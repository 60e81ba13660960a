"""Integer noise added to integers: one function per law, for numbers and for vectors.

Numbers are drawn by `samplers`, vectors by the same laws compiled in `bulk`. Production and seeded noise differ in
where their random words come from and in nothing else, so what the tests draw is what production draws.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace
from graphveil.mechanisms.noise.samplers import sample_discrete_gaussian, sample_discrete_laplace
from graphveil.mechanisms.noise.source import Noise

LARGEST = 2**61  # entries of a vector are cut to this size: their differences, and they with noise, fit 64 bits


@overload
def add_discrete_laplace(noise: Noise, values: int, rate: Fraction) -> int: ...
@overload
def add_discrete_laplace(noise: Noise, values: ArrayLike, rate: Fraction) -> Integers: ...
def add_discrete_laplace(noise: Noise, values: Any, rate: Fraction) -> Any:
    """An integer, or every entry of an integer vector, plus independent discrete Laplace noise."""
    if isinstance(values, int | np.integer):
        return int(values) + sample_discrete_laplace(noise, rate)
    vector = integer_vector(values)
    return vector + bulk_discrete_laplace(noise, rate, vector.size).reshape(vector.shape)


@overload
def add_discrete_gaussian(noise: Noise, values: int, sigma_squared: Fraction) -> int: ...
@overload
def add_discrete_gaussian(noise: Noise, values: ArrayLike, sigma_squared: Fraction) -> Integers: ...
def add_discrete_gaussian(noise: Noise, values: Any, sigma_squared: Fraction) -> Any:
    """An integer, or every entry of an integer vector, plus independent discrete Gaussian noise."""
    if isinstance(values, int | np.integer):
        return int(values) + sample_discrete_gaussian(noise, sigma_squared)
    vector = integer_vector(values)
    return vector + bulk_discrete_gaussian(noise, sigma_squared, vector.size).reshape(vector.shape)


def integer_vector(values: ArrayLike) -> Integers:
    """The values as 64-bit integers; cutting them at 2^61 can only bring two inputs closer together."""
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ParameterError(f"integer noise needs integers, not {array.dtype}; put the values on a public grid first")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(LARGEST))
    clipped: Integers = np.clip(array.astype(np.int64), -LARGEST, LARGEST)
    return clipped
