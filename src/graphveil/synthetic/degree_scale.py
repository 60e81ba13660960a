"""Degrees on the soft scale 1, 2, 4, ...: the same scale that joint degrees and clustering were measured with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.statistics.joint_degrees.soft import last_exponent


@dataclass(frozen=True, slots=True)
class DegreeScale:
    """For every degree 0..n-1 its lower knot and what it counts there; the rest counts at the next knot."""

    lower: Integers
    share: Floats
    knots: Floats

    @classmethod
    def of_people(cls, n_nodes: int) -> DegreeScale:
        """For the degrees that n people can have.

        >>> scale = DegreeScale.of_people(7)
        >>> scale.knots.tolist(), scale.lower.tolist(), scale.share.tolist()
        ([1.0, 2.0, 4.0, 8.0], [0, 0, 1, 1, 2, 2, 2], [1.0, 1.0, 1.0, 0.5, 1.0, 0.75, 0.5])
        """
        last = max(1, last_exponent(n_nodes))
        knots: Floats = 2.0 ** np.arange(last + 1, dtype=np.float64)
        degree = np.clip(np.arange(max(1, n_nodes)), 1, knots[-1])
        lower = np.minimum(np.frexp(degree)[1] - 1, last - 1).astype(np.int64)
        return cls(lower, 2 - degree / knots[lower], knots)

    def sums(self, degrees: Integers, weights: Floats) -> Floats:
        """What weights at these degrees add up to at every knot."""
        total = np.zeros(len(self.knots))
        for knot, share in self._both(degrees):
            total += np.bincount(knot, share * weights, len(total))
        return total

    def _both(self, degrees: Integers) -> list[tuple[Integers, Floats]]:
        lower, share = self.lower[degrees], self.share[degrees]
        return [(lower, share), (lower + 1, 1 - share)]

    def at(self, values: Floats, degrees: Integers) -> Floats:
        """Values at the knots (rows of them), interpolated to degrees."""
        lower, share = self.lower[degrees], self.share[degrees]
        weight = share.reshape(-1, *[1] * (values.ndim - 1))
        between: Floats = weight * values[lower] + (1 - weight) * values[lower + 1]
        return between
