"""What is known about degree distributions before anybody answers: a penalty on unlikely shapes.

Let y be the log of the density (share of people per degree) and t the log of the degree. In social networks y(t) is
smooth, close to a parabola over long stretches, does not bend upwards once degrees are no longer small, and falls fast
beyond a few times the root of the number of people n, or beyond twice the mean degree where that is known to be more:
in a dense network. Reports tell the mean by themselves, or the geometric mean. In that order:

    s/2 integral of (y''')^2            smoothness; s is chosen from the reports
    b/2 integral of (y'')_+^2           over degrees above 10
    w/2 sum of (y' + 3)_+^2             over bins above 2 sqrt(n), or 2 mean: falling at least like degree^-3
    z/2 (y(0) - y(1))_+^2              no more people without friends than with one

All constants are fixed for all graphs. They decide where reports say little (the far tail); a false one biases the
estimate there and never touches privacy. Degree 0 has no place on the logarithmic scale; only the last term binds it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphveil.arrays import Bits, Floats
from graphveil.local.estimation.bins import DegreeBins

BEND_FROM, BEND_WEIGHT = 10.0, 100.0
TAIL_FROM, TAIL_SLOPE, TAIL_WEIGHT = 2.0, 3.0, 10.0
LONELY_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Penalty:
    """(1/2) sum of weight z^2 with z = rows y + shift, y the logs of the shares of the bins.

    A row that is `one_sided` counts only where its z is above 0.
    """

    rows: Floats
    shift: Floats
    weight: Floats
    one_sided: Bits

    def value(self, y: Floats) -> float:
        """The penalty of log shares."""
        z = self.rows @ y + self.shift
        return float((self.weight * z) @ np.where(self.one_sided, np.maximum(z, 0), z)) / 2

    def slopes(self, y: Floats) -> tuple[Floats, Floats, Bits]:
        """Its slope, its curvature, and which rows count."""
        z = self.rows @ y + self.shift
        counts = ~self.one_sided | (z > 0)
        weight = self.weight * counts
        return self.rows.T @ (weight * z), self.rows.T @ (weight[:, np.newaxis] * self.rows), counts


@dataclass(frozen=True)
class Shape:
    """The penalty for the bins of a campaign with so many people; their mean degree as far as reports tell it."""

    bins: DegreeBins
    n_people: int
    mean: float = 0.0

    def penalty(self, smoothing: float) -> Penalty:
        """All terms, at a given smoothness s."""
        rows, shift, weight, one_sided = self._terms
        of_shares = shift - rows @ np.log(self.bins.widths)
        return Penalty(rows, of_shares, np.where(one_sided, weight, smoothing), one_sided)

    @cached_property
    def _terms(self) -> tuple[Floats, Floats, Floats, Bits]:
        """Rows and shifts for log densities, weights, and which are one-sided; s weighs the others."""
        t = np.log(self.bins.centres[1:])
        if len(t) < 4:
            return np.zeros((0, self.bins.n_bins)), np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.bool_)
        slopes, at_slopes = _differences(np.eye(len(t)), t)
        bends, at_bends = _differences(slopes, at_slopes)
        thirds, at_thirds = _differences(bends, at_bends)
        bent = np.where(at_bends > math.log(BEND_FROM), BEND_WEIGHT, 0.0)
        first_of_tail = TAIL_FROM * max(math.sqrt(self.n_people), self.mean)
        tail = np.where(at_slopes > math.log(first_of_tail), TAIL_WEIGHT, 0.0)
        smooth, bending = thirds * _root_of_spacing(at_thirds), bends * _root_of_spacing(at_bends)
        lonely = np.eye(1, self.bins.n_bins) - np.eye(1, self.bins.n_bins, 1)
        counts = (len(smooth), len(bending), len(slopes), 1)
        return (
            np.vstack([*map(_from_degree_one, (smooth, bending, slopes)), lonely]),
            np.repeat((0.0, 0.0, TAIL_SLOPE, 0.0), counts),
            np.concatenate((np.zeros(len(smooth)), bent, tail, [LONELY_WEIGHT])),
            np.repeat((False, True, True, True), counts),
        )


def _differences(rows: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Divided differences of neighbouring rows, and where each of them lies."""
    return np.diff(rows, axis=0) / np.diff(places)[:, np.newaxis], (places[1:] + places[:-1]) / 2


def _root_of_spacing(places: Floats) -> Floats:
    """Square roots of the length each place stands for, so that sums of squares become integrals."""
    if len(places) < 2:
        return np.ones((len(places), 1))
    return np.asarray(np.sqrt(np.gradient(places)))[:, np.newaxis]


def _from_degree_one(rows: Floats) -> Floats:
    return np.hstack((np.zeros((len(rows), 1)), rows))
