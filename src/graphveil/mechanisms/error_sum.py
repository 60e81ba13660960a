"""Half-widths of a sum of independent errors.

An error is described by its half-widths: numbers w_q with P(|error| > w_q) <= q on a fixed grid of probabilities q. The
sum of absolute errors is no larger than the sum of independent variables that take the value w_q' with the probability
q - q' of each grid cell, and that sum is computed value by value. Adding half-widths at failure probabilities that sum
up to the wanted one would be valid too, but about half as wide again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FAILURES: Floats = np.geomspace(1, 1e-8, 240)


def add_errors(parts: Sequence[Floats]) -> Floats:
    """Half-widths of the sum of independent errors, each given by its half-widths at FAILURES."""
    total = parts[0]
    for part in parts[1:]:
        total = _add(total, part)
    return total


def half_width_at(widths: Floats, failure: float) -> float:
    """The half-width at the next grid probability that is not above the one asked for."""
    return float(widths[np.argmax(failure >= FAILURES)])


def _add(one: Floats, other: Floats) -> Floats:
    mass = FAILURES[:-1] - FAILURES[1:]
    sums = np.add.outer(one[1:], other[1:]).ravel()
    order = np.argsort(sums)
    rising, weights = sums[order], np.multiply.outer(mass, mass).ravel()[order]
    beyond = np.maximum(0, 1 - np.cumsum(weights))  # what lies outside both grids counts as beyond
    first = np.searchsorted(-beyond, -FAILURES)
    return np.append(rising, np.inf)[np.minimum(first, len(rising))]
