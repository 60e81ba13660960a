"""A lower bound on epsilon, from a guessing game.

A fair coin picks one of two neighbouring inputs, the mechanism runs on it, and a player who sees only the output names
the input or passes. If the mechanism is epsilon-differentially private, an output on which the player speaks came from
the named input with probability at most t = e^epsilon / (1 + e^epsilon), whatever the rule of the player. So among K
guesses the number of right ones is stochastically at most Binomial(K, t), and the Clopper–Pearson lower bound on t is
a lower bound on epsilon = ln(t / (1 - t)), exact for every number of runs.

With delta: each of two (epsilon, delta)-close laws is a mixture of two epsilon-close laws with weight 1 - delta and
anything with weight delta (Kairouz, Oh and Viswanath 2015). The runs of the second kind number at most
Binomial(runs, delta); an upper quantile of that many right guesses is struck out before the bound is taken, at a tenth
of the error probability.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

DELTA_SHARE = 0.1  # of the error probability, kept for the count of runs that delta excuses


def epsilon_lower_bound(
    right: ArrayLike, wrong: ArrayLike, *, runs: int, confidence: float, delta: float = 0.0
) -> NDArray[np.float64]:
    """What epsilon must exceed, elementwise; 0 where the guesses show nothing.

    >>> bound = epsilon_lower_bound([731, 1000], [269, 0], runs=2000, confidence=0.99)
    >>> [round(float(value), 2) for value in bound]
    [0.83, 5.38]
    """
    from scipy.special import betaincinv

    error = 1 - confidence
    excused = 0
    if delta > 0:
        excused = binomial_upper_quantile(runs, delta, DELTA_SHARE * error)
        error *= 1 - DELTA_SHARE
    kept = np.maximum(np.asarray(right, dtype=np.float64) - excused, 0)
    missed = np.asarray(wrong, dtype=np.float64)
    low = np.where(kept > 0, betaincinv(np.maximum(kept, 1), missed + 1, error), 0.0)
    low = np.clip(low, 0.5, 1 - 1e-12)
    return np.asarray(np.log(low) - np.log1p(-low), dtype=np.float64)


def binomial_upper_quantile(trials: int, probability: float, tail: float) -> int:
    """The smallest m with P(Binomial(trials, probability) > m) <= tail."""
    from scipy.special import bdtrc

    low, high = -1, trials
    while high - low > 1:
        middle = (low + high) // 2
        if bdtrc(middle, trials, probability) <= tail:
            high = middle
        else:
            low = middle
    return high
