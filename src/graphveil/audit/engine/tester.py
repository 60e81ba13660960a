"""One pair of inputs put to the test: learn a score, choose a rule, count right guesses on untouched outputs.

For a test of `samples` runs an input, as many again are drawn before: one half of them teaches the scorers, the other
half chooses scorer and thresholds. The test itself labels 2 `samples` runs by fair coins (see `bound`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.audit.engine.binning import Columns
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import Histogram, make_histogram
from graphveil.audit.engine.rules import SAFE_SHARE, Rule, choose_rules
from graphveil.audit.engine.sampling import Sampler
from graphveil.audit.engine.scorers import Scores, learn_scorers
from graphveil.audit.reading.reading import Features, Reading, read_outputs
from graphveil.mechanisms.noise.source import Noise


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
    learn: tuple[Columns, Columns]
    test: tuple[Columns, Columns]


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
    """Learn, choose, test."""
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


def describe_event(rule: Rule, names: Sequence[str], first: Scores, second: Scores) -> str:
    """What the player looks at, how often it speaks and how often it is right."""
    right, wrong = rule.tally(first, second)
    guesses, runs = right + wrong, len(first) + len(second)
    if not guesses:
        return "nothing telling was found"
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
