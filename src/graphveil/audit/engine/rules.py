"""The rule of the player: two thresholds on a score, chosen on outputs that the score has not seen.

Two rules are kept. The safe one maximises a bound of very high confidence, so that a lucky small event is not chosen
over a broad true one. The bold one takes the most lopsided event as it stands: it is what finds a failure of
probability 1/1000. The safe one gets most of the error probability when both are put to the test.

A lower bound on epsilon, from a guessing game.

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

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.audit.engine.binning import Columns
from graphveil.audit.engine.scorers import Scorer, Scores

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


SAFE_CONFIDENCE = 1 - 1e-5
BOLD_CONFIDENCE = 0.99
SAFE_SHARE = 0.8  # of the error probability of the final test
TAILS = np.array([0.0002, 0.0005, 0.001, 0.002, 0.005])
LEVELS = np.concatenate((TAILS, np.linspace(0.01, 0.99, 50), 1 - TAILS))


@dataclass(frozen=True, slots=True)
class Rule:
    """Names the second input at scores from `upper` on, the first at scores up to `lower`, passes in between."""

    scorer: Scorer
    lower: float
    upper: float

    @property
    def one_sided(self) -> bool:
        """Whether only one of the inputs is ever named."""
        return bool(np.isinf(self.lower) or np.isinf(self.upper))

    def tally(self, first: Scores, second: Scores) -> tuple[int, int]:
        """(right, wrong) guesses on scores of outputs of either input."""
        right = np.count_nonzero(first <= self.lower) + np.count_nonzero(second >= self.upper)
        wrong = np.count_nonzero(second <= self.lower) + np.count_nonzero(first >= self.upper)
        return int(right), int(wrong)

    def bound(self, first: Scores, second: Scores, *, confidence: float, delta: float) -> float:
        """The lower bound on epsilon that this rule proves on scores of fresh outputs."""
        right, wrong = self.tally(first, second)
        excusable = delta / 2 if self.one_sided else delta  # runs of the input never named cannot be right guesses
        runs = len(first) + len(second)
        return float(epsilon_lower_bound(right, wrong, runs=runs, confidence=confidence, delta=excusable))


def choose_rules(scorers: Sequence[Scorer], first: Columns, second: Columns, delta: float) -> tuple[Rule, Rule]:
    """The safe and the bold rule among all scorers and thresholds."""
    scored = [(scorer, scorer.score(first), scorer.score(second)) for scorer in scorers]
    safe, bold = (
        max((_best_thresholds(*entry, confidence, delta) for entry in scored), key=lambda found: found[0])[1]
        for confidence in (SAFE_CONFIDENCE, BOLD_CONFIDENCE)
    )
    return safe, bold


def _best_thresholds(
    scorer: Scorer, first: Scores, second: Scores, confidence: float, delta: float
) -> tuple[float, Rule]:
    grid = np.unique(np.quantile(np.concatenate((first, second)), LEVELS, method="inverted_cdf"))
    lowers, uppers = np.append(grid, -np.inf), np.append(grid, np.inf)
    right = _up_to(first, lowers)[:, None] + _from(second, uppers)
    wrong = _up_to(second, lowers)[:, None] + _from(first, uppers)
    one_sided = np.isinf(lowers)[:, None] | np.isinf(uppers)
    runs = len(first) + len(second)
    bounds = np.where(
        one_sided,
        epsilon_lower_bound(right, wrong, runs=runs, confidence=confidence, delta=delta / 2),
        epsilon_lower_bound(right, wrong, runs=runs, confidence=confidence, delta=delta),
    )
    bounds[lowers[:, None] >= uppers] = -1.0
    i, j = np.unravel_index(int(bounds.argmax()), bounds.shape)
    return float(bounds[i, j]), Rule(scorer, float(lowers[i]), float(uppers[j]))


def _up_to(scores: Scores, thresholds: Scores) -> NDArray[np.int64]:
    return np.searchsorted(np.sort(scores), thresholds, side="right")


def _from(scores: Scores, thresholds: Scores) -> NDArray[np.int64]:
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")
