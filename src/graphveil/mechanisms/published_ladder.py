"""The ladder as published by Zhang, Cormode, Procopiuc, Srivastava and Xiao (2015): the exponential mechanism on rungs.

Rung 0 holds f alone and rung t >= 1 the next I_{t-1} integers on each side, so that by (a) and (b) of `ladder` the rung
of an outcome moves by at most 1 between neighbours. That is a score of sensitivity 1, and P(x) ~ exp(-epsilon rung / 2)
has a loss of at most epsilon: one half for the rung, one half for the normaliser.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.errors import ParameterError
from graphveil.mechanisms.ladder import MIN_EPSILON, Ladder, Whole
from graphveil.privacy.loss import exact_epsilon


@dataclass(frozen=True, slots=True)
class PublishedLadder:
    """The law above for a ladder that ends in a constant.

    >>> PublishedLadder(Ladder(np.array([3, 4])), Fraction(1)).reach(4).tolist()
    [0, 3, 7, 11]
    """

    ladder: Ladder
    epsilon: Fraction

    def __post_init__(self) -> None:
        if exact_epsilon(self.epsilon) < MIN_EPSILON:
            raise ParameterError(f"a ladder has more rungs than fit below an epsilon of 0.00001, not {self.epsilon}")
        if self.ladder.slope:
            raise ParameterError("the published ladder needs a ladder function that ends in a constant")

    @property
    def rate(self) -> Fraction:
        """What one rung costs."""
        return self.epsilon / 2

    @property
    def steady(self) -> int:
        """The first rung beyond the list."""
        return len(self.ladder.steps)

    def reach(self, count: int) -> Whole:
        """The largest distance from the middle on each of the first rungs."""
        return np.concatenate([[0], np.cumsum(self.ladder.first(count - 1))])

    def tail(self, last_size: int) -> tuple[Fraction, Fraction]:  # noqa: ARG002 - one bound for all
        """No rung holds more than twice the last step."""
        return Fraction(2 * int(self.ladder.steps[-1])), Fraction(1)
