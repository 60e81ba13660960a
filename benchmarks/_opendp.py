"""Exact integer noise drawn by OpenDP, to compare with: slow, reviewed by many, and without a seed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


def opendp_discrete_laplace(rate: Fraction, size: int) -> list[int]:
    return _draw("make_laplace", "l1_distance", float(1 / rate), size)


def opendp_discrete_gaussian(sigma_squared: Fraction, size: int) -> list[int]:
    return _draw("make_gaussian", "l2_distance", math.sqrt(sigma_squared), size)


def _draw(constructor: str, metric: str, scale: float, size: int) -> Any:
    from opendp import domains, measurements, metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    space = domains.vector_domain(domains.atom_domain(T="i64")), getattr(metrics, metric)(T="i64")
    return getattr(measurements, constructor)(*space, scale=scale)([0] * size)
