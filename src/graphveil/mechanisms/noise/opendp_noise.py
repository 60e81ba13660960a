"""Noise drawn by OpenDP: its samplers are proved, reviewed and used elsewhere, but slow, and they cannot be seeded.

OpenDP takes scales as floats and computes with their exact values, so a scale is rounded up to the next float: the law
is the one asked for or a hair wider, never narrower. Only the three submodules needed are imported, and only when noise
is drawn: `opendp.prelude` would load whatever machine-learning libraries it finds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.arrays import Integers
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
