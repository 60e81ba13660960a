"""Softmax models fitted by noisy gradients: what a step measures, and the weights that follow from noisy steps.

Every person adds one gradient to a step, of length 1 at most, as whole numbers on a grid: so one record changes the sum
by a vector of length 1. The sum is divided by a noisy number of people, never by the true one, which is private.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.learn.softmax import log_normalised

GRID = 2**20
STEPS = 40
MOMENTUM = 0.9


def on_grid(parts: Floats, weights: Integers | int = 1) -> Integers:
    """Rows as whole numbers of GRID-ths, cut to length 1; `weights` says how often each entry of a row stands.

    >>> cut = on_grid(np.array([[3.0, 4.0], [0.0, 0.5]]))
    >>> (cut / GRID).round(3).tolist()
    [[0.6, 0.8], [0.0, 0.5]]
    """
    length = np.sqrt((weights * parts**2).sum(axis=1, keepdims=True))
    whole: Integers = np.trunc(parts * (GRID / np.maximum(length, 1.0))).astype(np.int64)
    too_long = (weights * whole**2).sum(axis=1) > GRID**2  # by a rounding error of floating point
    whole[too_long] -= np.sign(whole[too_long])
    return whole


@dataclass(slots=True)
class Descent:
    """Gradient descent with momentum; the mean of the later half of the steps is the result."""

    start: Floats
    rate: float
    people: float  # a noisy number
    pull: float = 0.0  # towards 0
    weights: Floats = field(init=False)
    _speed: Floats = field(init=False)
    _sum: Floats = field(init=False)
    _done: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.weights = self.start.copy()
        self._speed = np.zeros_like(self.start)
        self._sum = np.zeros_like(self.start)

    def step(self, noisy: Integers) -> None:
        """Go on with the noisy sum of the gradients."""
        slope = noisy.reshape(self.start.shape) / GRID / self.people + self.pull * self.weights
        self._speed = MOMENTUM * self._speed - self.rate * slope
        self.weights = self.weights + self._speed
        self._done += 1
        if 2 * self._done > STEPS:
            self._sum += self.weights

    def result(self) -> Floats:
        """The weights after all steps."""
        return self._sum / (STEPS - STEPS // 2)


def misses(scores: Floats, classes: Integers) -> Floats:
    """Probabilities less the truth: the gradient of the loss by the scores."""
    missed: Floats = np.exp(log_normalised(scores))
    missed[np.arange(len(classes)), classes] -= 1
    return missed
