"""The width of a smoothed ladder as a whole number of sensitivity 1, for ladders that nothing simpler bounds.

Whole widths grow by at most floor(J / q) a step, so with g(x) = x + floor(x / q), J_0(G') <= J_1(G) <= g(J_0(G)) for
neighbours. Let x_0 = q, x_{l+1} = g(x_l) and level(J) the smallest l with J <= x_l. g is monotone: J <= x_l gives
g(J) <= x_{l+1}, so levels of neighbours differ by at most 1. (Widths below q cannot grow at all; they share level 0.)
A level tells the width up to a factor of 1 + 1/q, and J_s <= g^s(J_0) bounds the whole ladder.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from graphveil.statistics.ladder.ladder import Ladder


def _levels(q: int) -> Iterator[int]:
    width = q
    while True:
        yield width
        width += width // q


def level_of(width: int, q: int) -> int:
    """The smallest level that is not below this width.

    >>> level_of(3, q=10), level_of(10, q=10), level_of(11, q=10), level_of(14, q=10)
    (0, 0, 1, 4)
    """
    return next(level for level, most in enumerate(_levels(q)) if width <= most)


def ladder_from_level(level: int, q: int, count: int) -> Ladder:
    """The first steps of a ladder above all smoothed ladders of this level; constant after them, for reports only."""
    return Ladder(np.fromiter(islice(_levels(q), max(0, level), max(0, level) + count), dtype=np.int64))
