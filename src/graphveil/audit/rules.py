"""The rule of the player: two thresholds on a score, chosen on outputs that the score has not seen.

Two rules are kept. The safe one maximises a bound of very high confidence, so that a lucky small event is not chosen
over a broad true one. The bold one takes the most lopsided event as it stands: it is what finds a failure of
probability 1/1000. The safe one gets most of the error probability when both are put to the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.binning import Columns
from graphveil.audit.bound import epsilon_lower_bound
from graphveil.audit.scorers import Scorer, Scores

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
