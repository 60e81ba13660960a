"""The search for the pair of inputs that tells most, on runs that the final test does not use.

The pair decides: a mechanism whose noise depends on the data looks sound on most edges and gives itself away on a few.
Every candidate gets a small audit of its own, the best third of them one three times as large, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from graphveil.audit.engine.binning import Columns
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Sampler
from graphveil.audit.engine.tester import draw_runs, judge
from graphveil.audit.reading.reading import Features

KEPT = 2
GROWTH = 3
SEARCH_SHARE = 20  # of the samples of the final test
SEARCH_SAMPLES = 100, 500  # at least, at most, in the first round
SEARCH_CONFIDENCE = 0.7  # a bound this loose ranks candidates; it proves nothing


def worst_pairs(
    candidates: Sequence[Pair], sampler: Sampler, *, samples: int, delta: float, features: Features | None
) -> Sequence[Pair]:
    """The pairs that small audits tell apart best; all of them where there are few."""
    least, most = SEARCH_SAMPLES
    size = min(max(samples // SEARCH_SHARE, least), most)
    pairs = candidates
    while len(pairs) > KEPT:
        promise = partial(_promise, sampler=sampler, samples=size, delta=delta, features=features)
        pairs = sorted(pairs, key=promise, reverse=True)[: max(KEPT, len(pairs) // GROWTH)]
        size *= GROWTH
    return pairs


def _promise(pair: Pair, *, sampler: Sampler, samples: int, delta: float, features: Features | None) -> float:
    runs = draw_runs(pair, sampler, samples, features)
    shift = suggested_epsilon(*(np.concatenate(side) for side in zip(runs.learn, runs.test, strict=True)))
    return max(shift, judge(pair, runs, confidence=SEARCH_CONFIDENCE, delta=delta).bound)


def suggested_epsilon(first: Columns, second: Columns) -> float:
    """What the column whose distributions lie furthest apart suggests, less what chance does to so few runs.

    If a threshold is passed with probabilities that differ by D, epsilon is at least ln((1 + D) / (1 - D)). A small
    audit cannot learn much, but it can see a column that moves.
    """
    spread = (1 / len(first) + 1 / len(second)) / 2
    chance = math.sqrt(math.log(20 * first.shape[1]) * spread)  # Kolmogorov–Smirnov at 10 % over all columns
    largest = max(_distance(one, other) for one, other in zip(first.T, second.T, strict=True))
    surplus = min(max(largest - chance, 0.0), 0.999)
    return math.log((1 + surplus) / (1 - surplus))


def _distance(one: Columns, other: Columns) -> float:
    """The largest difference between the shares of two samples up to a point."""
    samples = np.sort(one), np.sort(other)
    points = np.unique(np.concatenate(samples))
    shares = [np.searchsorted(sample, points, "right") / len(sample) for sample in samples]
    return float(np.abs(shares[0] - shares[1]).max())
