"""A published graph whose size is mostly noise: refused while that is still free.

Pages that publish edges publish about as many as a noisy count says. The deviation of that count follows from epsilon
and the number of people alone. At a tiny epsilon it reaches billions of edges, none of which means anything: they would
fill the memory after the budget is spent.
"""

from __future__ import annotations

import math
from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.privacy.rounding import text_up

MOST_NOISE = 10_000_000  # edges, as a standard deviation; a million edges take 0.3 GB while they are published


def check_noise(n_people: int, epsilon: Fraction, least: float) -> None:
    """Refuse an epsilon below `least`, from which on the noise is no larger; few people have few pairs anyway."""
    if math.comb(n_people, 2) > MOST_NOISE and epsilon < least:
        raise ParameterError(
            f"the number of edges published of {n_people:,} people would be noise, up to all of their pairs; give an "
            f"epsilon of {text_up(Fraction(least))} or more for one edge"
        )
