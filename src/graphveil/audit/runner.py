"""Audits by name, one after another.

What draws many outputs at a call is audited with all the samples asked for. An algorithm that runs once a call may be
slow; it gets as many samples and pairs as fit into `seconds`, and the result says how many samples that were.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable

from graphveil.audit.auditor import MIN_SAMPLES, audit
from graphveil.audit.pairs import Pair
from graphveil.audit.result import AuditResult
from graphveil.audit.sampling import Mechanism, make_sampler
from graphveil.audit.search import GROWTH, KEPT, SEARCH_SAMPLES
from graphveil.audit.subject import Subject
from graphveil.audit.subjects import find_subject, subjects
from graphveil.errors import ParameterError
from graphveil.mechanisms.source import SystemNoise
from graphveil.privacy.loss import Number, exact_epsilon

TIMED_RUNS = 5
RUNS_A_SAMPLE = 4 * KEPT  # two inputs, once to learn and once to test, for each pair kept
RUNS_A_CANDIDATE = 4 * GROWTH * SEARCH_SAMPLES[0]  # rounds of the search cost about the same, and are about three


def run_audits(
    names: Iterable[str] | None = None,
    *,
    epsilon: Number = 1,
    samples: int = 40_000,
    confidence: float = 0.99,
    seed: int | None = None,
    seconds: float = 20.0,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[AuditResult]:
    """Audit the named subjects, or all of them, at a claimed epsilon.

    `confidence` is that of the whole run: each audit is held to 1 - (1 - confidence) / (number of audits), so that
    one of many sound subjects does not look broken by chance. `seconds` limits each audit of a slow subject.
    `progress` is told (done, total, next name).
    """
    chosen = list(subjects()) if names is None else [find_subject(name) for name in dict.fromkeys(names)]
    if not chosen:
        raise ParameterError("name something to audit, or audit everything")
    each = 1 - (1 - confidence) / len(chosen)
    results = []
    for done, subject in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen), subject.name)
        own_seed = None if seed is None else seed + done
        results.append(
            audit_subject(subject, epsilon=epsilon, samples=samples, confidence=each, seed=own_seed, seconds=seconds)
        )
    if progress is not None:
        progress(len(chosen), len(chosen), "")
    return results


def audit_subject(
    subject: Subject,
    *,
    epsilon: Number,
    samples: int,
    confidence: float,
    seed: int | None = None,
    seconds: float | None = None,
    max_pairs: int | None = None,
) -> AuditResult:
    """One subject, on all of its pairs or on an even selection of at most `max_pairs`."""
    mechanism = subject.build(exact_epsilon(epsilon))
    pairs = list(subject.pairs())
    if max_pairs is not None:
        pairs = _selection(pairs, max_pairs)
    if subject.slow and seconds is not None:
        samples, pairs = _affordable(mechanism, pairs, samples, seconds)
    return audit(
        mechanism,
        pairs=pairs,
        epsilon=epsilon,
        delta=subject.delta,
        samples=samples,
        confidence=confidence,
        seed=seed,
        name=subject.name,
    )


def _affordable(mechanism: Mechanism, pairs: list[Pair], samples: int, seconds: float) -> tuple[int, list[Pair]]:
    """Samples and pairs that fit into the time: half of it for the search, half for the test."""
    given = pairs[0].first
    sampler = make_sampler(mechanism, given, SystemNoise())
    sampler(given, 1)
    start = time.perf_counter()
    sampler(given, TIMED_RUNS)
    half = seconds / 2 / max((time.perf_counter() - start) / TIMED_RUNS, 1e-9)  # in runs
    fitting = max(MIN_SAMPLES, int(float(f"{half / RUNS_A_SAMPLE:.1e}")))
    return min(samples, fitting), _selection(pairs, max(KEPT, int(half / RUNS_A_CANDIDATE)))


def _selection(pairs: list[Pair], most: int) -> list[Pair]:
    return pairs[:: math.ceil(len(pairs) / most)]
