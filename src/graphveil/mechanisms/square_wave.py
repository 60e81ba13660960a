"""Square Wave on a grid: a person reports a number near the true one more often than a number far from it.

Paper: Li, Wang, Lopuhaä-Zwakenberg, Škorić and Li 2020; this is their discrete form. Values 0..n_values-1 are places on
a line, for numbers of any kind put there by a public table (`log_places` for degrees). A report is one of
n_values + 2 half_width places; those within half_width of the value, shifted by half_width, are near.

Sensitivity: every value has the same number 2 half_width + 1 of near reports and n_values - 1 of far ones, all near
ones equally likely and all far ones too. So the probability of a report takes two values; the worst ratio is theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins, keep_threshold, sample_uniform
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import values_below
from graphveil.privacy.loss import Pure, exact_epsilon

AUTOMATIC = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareWave:
    """Public parameters; `half_width` is chosen from epsilon where it is not given.

    >>> wave = SquareWave(epsilon=1, n_values=100)
    >>> wave.half_width, wave.n_reports
    (25, 150)
    >>> wave.perturb([0, 50, 99], SeededNoise(1)).tolist()
    [25, 7, 109]
    """

    epsilon: Fraction
    n_values: int
    half_width: int = AUTOMATIC

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        if not 2 <= self.n_values <= 2**40:
            raise ParameterError(f"a square wave needs 2 to 2^40 places, not {self.n_values}")
        if self.half_width == AUTOMATIC:
            object.__setattr__(self, "half_width", int(best_half_width(float(self.epsilon)) * self.n_values))
        if not 0 <= self.half_width <= self.n_values:
            raise ParameterError(f"half_width must lie in 0..{self.n_values}, not at {self.half_width}")
        if self.near_probability <= self.far_probability:
            raise ParameterError(f"epsilon {float(self.epsilon):.3g} is too small: reports would say nothing")

    @property
    def loss(self) -> Pure:
        """Pure epsilon for everything the report depends on."""
        return Pure(self.epsilon)

    @property
    def n_reports(self) -> int:
        """How many different reports there are."""
        return self.n_values + 2 * self.half_width

    @property
    def near_probability(self) -> Fraction:
        """Of each of the 2 half_width + 1 near reports."""
        return Fraction(self._threshold(), GRID * (2 * self.half_width + 1))

    @property
    def far_probability(self) -> Fraction:
        """Of each of the n_values - 1 far reports."""
        return Fraction(GRID - self._threshold(), GRID * (self.n_values - 1))

    @property
    def worst_ratio(self) -> Fraction:
        """The largest ratio between the probabilities of one report under two values; at most e^epsilon."""
        return self.near_probability / self.far_probability

    def perturb(self, values: ArrayLike, noise: Noise) -> Integers:
        """One report for each person's value."""
        places = values_below(values, self.n_values)
        near = flip_coins(noise, self._threshold(), len(places))
        window = 2 * self.half_width + 1
        step = sample_uniform(noise, window, len(places))  # everybody draws all three: see `crowd`
        far = sample_uniform(noise, self.n_values - 1, len(places))
        far += window * (far >= places)  # the far reports, counted past the near window
        return np.where(near, places + step, far)

    def _threshold(self) -> int:
        return keep_threshold(self.epsilon, near=2 * self.half_width + 1, far=self.n_values - 1)


def best_half_width(epsilon: float) -> float:
    """Half the width of the near window as a share of the line, (x e^x - e^x + 1) / (2 e^x (e^x - 1 - x)), x = epsilon.

    >>> [round(best_half_width(x), 4) for x in (1e-9, 0.01, 1, 5, 2000)]
    [0.5, 0.4967, 0.2561, 0.0141, 0.0]
    """
    if epsilon < 1e-3:  # both parts vanish; the first two terms of the series are exact enough here
        return 0.5 - epsilon / 3
    if epsilon > 100:
        return 0.0
    return (epsilon + math.expm1(-epsilon)) / (2 * (math.expm1(epsilon) - epsilon))


def log_places(max_value: int, n_values: int) -> Integers:
    """The place of each number 0..max_value when the line is the logarithm of 1 + number."""
    if max_value < 1:
        raise ParameterError(f"the largest value must be at least 1, not {max_value}")
    share = np.log1p(np.arange(max_value + 1)) / math.log1p(max_value)
    return np.minimum((share * n_values).astype(np.int64), n_values - 1)
