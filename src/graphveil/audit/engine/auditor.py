"""Audit a mechanism: search for the worst of the given pairs, then test the worst ones on fresh outputs.

The search uses runs that the final test does not use. It matters: a mechanism whose noise depends on the data looks
sound on most edges and fails on a few. Every candidate pair gets a small audit of its own, the best third of them one
three times as large, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.audit.engine.pairs import Pair, as_pair
from graphveil.audit.engine.result import AuditResult
from graphveil.audit.engine.sampling import Mechanism, Sampler, make_sampler
from graphveil.audit.engine.tester import draw_runs, examine, judge
from graphveil.audit.reading.reading import Features
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import Noise, SeededNoise, SystemNoise
from graphveil.privacy.loss import Number, exact_delta, exact_epsilon

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


def suggested_epsilon(first: Floats, second: Floats) -> float:
    """What the column whose distributions lie furthest apart suggests, less what chance does to so few runs.

    If a threshold is passed with probabilities that differ by D, epsilon is at least ln((1 + D) / (1 - D)). A small
    audit cannot learn much, but it can see a column that moves.
    """
    spread = (1 / len(first) + 1 / len(second)) / 2
    chance = math.sqrt(math.log(20 * first.shape[1]) * spread)  # Kolmogorov–Smirnov at 10 % over all columns
    largest = max(_distance(one, other) for one, other in zip(first.T, second.T, strict=True))
    surplus = min(max(largest - chance, 0.0), 0.999)
    return math.log((1 + surplus) / (1 - surplus))


def _distance(one: Floats, other: Floats) -> float:
    """The largest difference between the shares of two samples up to a point."""
    samples = np.sort(one), np.sort(other)
    points = np.unique(np.concatenate(samples))
    shares = [np.searchsorted(sample, points, "right") / len(sample) for sample in samples]
    return float(np.abs(shares[0] - shares[1]).max())


MIN_SAMPLES = 100


def audit(
    mechanism: Mechanism,
    *,
    pairs: Iterable[Pair | tuple[Any, Any]],
    epsilon: Number,
    delta: Number = 0,
    samples: int = 40_000,
    confidence: float = 0.99,
    seed: int | None = None,
    noise: Noise | None = None,
    features: Features | None = None,
    name: str = "",
) -> AuditResult:
    """A lower bound on the true epsilon of a mechanism, and whether it contradicts the claim.

    `mechanism(input)` returns one output; with a parameter `count` it is called once and returns that many; with a
    parameter `noise` it gets the noise source made from `seed` or given as `noise`. Each pair holds two inputs that
    differ in what the claim protects. `samples` runs an input decide; as many again are spent on learning what to
    look for, and a few more on the search where there are many pairs. `features`, if given, turns a list of outputs
    into rows of numbers; it never sees an input.

    >>> result = audit(lambda truth: truth, pairs=[(0, 1)], epsilon=1, samples=1000, seed=1)
    >>> result.verdict.value, round(result.epsilon_lower_bound, 1)
    ('refuted', 6.1)
    """
    claimed, excused = exact_epsilon(epsilon), exact_delta(delta)
    if seed is not None and noise is not None:
        raise ParameterError("give either a seed or a noise source, not both")
    if not isinstance(samples, (int, np.integer)) or samples < MIN_SAMPLES:
        raise ParameterError(f"samples must be a whole number of at least {MIN_SAMPLES}, not {samples!r}")
    if not isinstance(confidence, (int, float)) or not 0.5 < confidence < 1:
        raise ParameterError(f"confidence must lie between 0.5 and 1, not at {confidence!r}")
    if not (seed is None or isinstance(seed, (int, np.integer))):
        raise ParameterError(f"a seed is a whole number, not {seed!r}")
    if not isinstance(pairs, Iterable):
        raise ParameterError(f"pairs must be a list of two neighbouring inputs each, not {pairs!r}")
    candidates = [as_pair(pair) for pair in pairs]
    if not candidates:
        raise ParameterError("an audit needs at least one pair of neighbouring inputs")
    source = noise or (SystemNoise() if seed is None else SeededNoise(seed))
    sampler = make_sampler(mechanism, candidates[0].first, source)
    worst = worst_pairs(candidates, sampler, samples=samples, delta=float(excused), features=features)
    each = 1 - (1 - confidence) / len(worst)
    finding = max(
        (
            examine(pair, sampler, samples=samples, confidence=each, delta=float(excused), features=features)
            for pair in worst
        ),
        key=lambda found: found.bound,
    )
    return AuditResult(
        name=name or getattr(mechanism, "__name__", type(mechanism).__name__),
        claimed_epsilon=float(claimed),
        claimed_delta=float(excused),
        epsilon_lower_bound=finding.bound,
        confidence=confidence,
        samples=samples,
        worst_pair=finding.pair.words,
        event=finding.event,
        histogram=finding.histogram,
        pairs_tried=len(candidates),
    )
