"""One pair of inputs put to the test: a guessing game on outputs, and the lower bound on epsilon that it proves.

A fair coin picks one of two neighbouring inputs and the mechanism runs on it. The auditor sees the output alone and
guesses the input or passes. If the mechanism is epsilon-differentially private, an output on which the auditor guesses
came from the named input with probability at most t = e^epsilon / (1 + e^epsilon), whatever the rule of guessing. So
among K guesses the number of right ones is stochastically at most Binomial(K, t), and the Clopper–Pearson lower bound
on t is a lower bound on epsilon = ln(t / (1 - t)), exact for every number of runs.

With delta: each of two (epsilon, delta)-close laws is a mixture of two epsilon-close laws with weight 1 - delta and
anything with weight delta (Kairouz, Oh and Viswanath 2015). The runs of the second kind number at most
Binomial(runs, delta); an upper quantile of that many right guesses is struck out before the bound is taken, at a tenth
of the error probability.

A rule of guessing is two thresholds on a score. For a test of `samples` runs an input, as many again are drawn before:
one half of them teaches the scorers, the other half chooses scorer and thresholds. Two rules are kept. The safe one
maximises a bound of very high confidence, so that a lucky small event is not chosen over a broad true one. The bold one
takes the most lopsided event as it stands: it is what finds a failure of probability 1/1000. The safe one gets most of
the error probability when both are put to the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Floats, Integers
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import Histogram, make_histogram
from graphveil.audit.engine.sampling import Sampler
from graphveil.audit.engine.scorers import Scorer, learn_scorers
from graphveil.audit.reading.reading import Features, Reading, read_outputs
from graphveil.mechanisms.noise.source import Noise

DELTA_SHARE = 0.1  # of the error probability, kept for the count of runs that delta excuses


def epsilon_lower_bound(
    right: ArrayLike, wrong: ArrayLike, *, runs: int, confidence: float, delta: float = 0.0
) -> Floats:
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

    def tally(self, first: Floats, second: Floats) -> tuple[int, int]:
        """(right, wrong) guesses on scores of outputs of either input."""
        right = np.count_nonzero(first <= self.lower) + np.count_nonzero(second >= self.upper)
        wrong = np.count_nonzero(second <= self.lower) + np.count_nonzero(first >= self.upper)
        return int(right), int(wrong)

    def bound(self, first: Floats, second: Floats, *, confidence: float, delta: float) -> float:
        """The lower bound on epsilon that this rule proves on scores of fresh outputs."""
        right, wrong = self.tally(first, second)
        excusable = delta / 2 if self.one_sided else delta  # runs of the input never named cannot be right guesses
        runs = len(first) + len(second)
        return float(epsilon_lower_bound(right, wrong, runs=runs, confidence=confidence, delta=excusable))


def choose_rules(scorers: Sequence[Scorer], first: Floats, second: Floats, delta: float) -> tuple[Rule, Rule]:
    """The safe and the bold rule among all scorers and thresholds."""
    scored = [(scorer, scorer.score(first), scorer.score(second)) for scorer in scorers]
    safe, bold = (
        max((_best_thresholds(*entry, confidence, delta) for entry in scored), key=lambda found: found[0])[1]
        for confidence in (SAFE_CONFIDENCE, BOLD_CONFIDENCE)
    )
    return safe, bold


def _best_thresholds(
    scorer: Scorer, first: Floats, second: Floats, confidence: float, delta: float
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


def _up_to(scores: Floats, thresholds: Floats) -> Integers:
    return np.searchsorted(np.sort(scores), thresholds, side="right")


def _from(scores: Floats, thresholds: Floats) -> Integers:
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")


@dataclass(frozen=True, slots=True)
class Finding:
    """The bound that one pair gave, the event behind it in words, and its score under both inputs."""

    pair: Pair
    bound: float
    event: str
    histogram: Histogram


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Outputs on both inputs as columns: some to learn from, others for the test."""

    names: tuple[str, ...]
    learn: tuple[Floats, Floats]
    test: tuple[Floats, Floats]


def examine(
    pair: Pair, sampler: Sampler, *, samples: int, confidence: float, delta: float, features: Features | None = None
) -> Finding:
    """The lower bound on epsilon that outputs on this pair of inputs prove."""
    return judge(pair, draw_runs(pair, sampler, samples, features), confidence=confidence, delta=delta)


def draw_runs(pair: Pair, sampler: Sampler, samples: int, features: Features | None) -> Runs:
    """Run the mechanism on both inputs and read the outputs."""
    n_second = count_heads(sampler.noise, 2 * samples)
    n_first = 2 * samples - n_second
    batches = [sampler(given, samples + size) for given, size in ((pair.first, n_first), (pair.second, n_second))]
    reading = read_shuffled(batches, sampler.noise, features)
    cuts = np.cumsum((samples, n_first, samples))
    learn_first, test_first, learn_second, test_second = np.split(reading.columns, cuts)
    return Runs(reading.names, (learn_first, learn_second), (test_first, test_second))


def judge(pair: Pair, runs: Runs, *, confidence: float, delta: float) -> Finding:
    """Learn scores from some outputs, choose rules on others, and take the better bound of the rules on the rest."""
    first, second = runs.learn
    half = len(first) // 2
    scorers = learn_scorers(first[:half], second[:half])
    safe, bold = choose_rules(scorers, first[half:], second[half:], delta)
    shares = ((safe, 1.0),) if safe == bold else ((safe, SAFE_SHARE), (bold, 1 - SAFE_SHARE))
    findings = []
    for rule, share in shares:
        scores = rule.scorer.score(runs.test[0]), rule.scorer.score(runs.test[1])
        bound = rule.bound(*scores, confidence=1 - share * (1 - confidence), delta=delta)
        histogram = make_histogram(*scores, rule.lower, rule.upper)
        findings.append(Finding(pair, bound, describe_event(rule, runs.names, *scores), histogram))
    return max(findings, key=lambda finding: finding.bound)


def describe_event(rule: Rule, names: Sequence[str], first: Floats, second: Floats) -> str:
    """In words: which entries the rule looks at, how often it guesses and how often it is right."""
    right, wrong = rule.tally(first, second)
    guesses, runs = right + wrong, len(first) + len(second)
    if not guesses:
        return "nothing was found that differs between the inputs"
    looks_at = ", ".join(names[j] for j in rule.scorer.looks_at()) or "the output as a whole"
    return f"from {looks_at}: {right:,} of {guesses:,} guesses right, silent on {runs - guesses:,} of {runs:,} outputs"


def read_shuffled(batches: Sequence[Sequence[Any]], noise: Noise, features: Features | None) -> Reading:
    """All batches read in one call in random order, then put back in the order given.

    Rows of numbers are read column by column, whatever their order, so they are left in theirs.
    """
    widths = {getattr(batch, "shape", (0, "no array"))[1:] for batch in batches}
    if len(widths) == 1 and all(isinstance(batch, np.ndarray) for batch in batches) and features is None:
        return read_outputs(np.concatenate(batches))
    together = [output for batch in batches for output in batch]
    order = np.argsort(noise.words(len(together)), kind="stable")
    reading = read_outputs([together[i] for i in order], features)
    columns = np.empty_like(reading.columns)
    columns[order] = reading.columns
    return Reading(reading.names, columns)


def count_heads(noise: Noise, coins: int) -> int:
    """How many of that many fair coins fall heads."""
    words = noise.words(-(-coins // 64)).copy()
    words[-1] >>= np.uint64(-coins % 64)
    return int(np.bitwise_count(words).sum())
