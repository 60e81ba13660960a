"""Audits by name, one after another.

What draws many outputs at a call, as everything in this package does, is audited with all the samples asked for. What
has to run once a call gets at most as many samples and pairs as its cost allows: a fixed number. Nothing is timed, so
an audit under a seed repeats on any machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable

from graphveil.audit.engine.auditor import audit
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditResult
from graphveil.audit.registry import find_subject, subjects
from graphveil.audit.subject import Cost, Subject
from graphveil.errors import ParameterError
from graphveil.privacy.loss import Number, exact_epsilon

MOST_SAMPLES = Cost.BULK.samples


def run_audits(
    names: Iterable[str] | None = None,
    *,
    epsilon: Number = 1,
    samples: int = 40_000,
    confidence: float = 0.99,
    seed: int | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[AuditResult]:
    """Audit the named subjects, or all of them, at a claimed epsilon.

    `confidence` is that of the whole run: each audit is held to 1 - (1 - confidence) / (number of audits), so that
    one of many sound subjects does not look broken by chance. With a `seed` the run repeats exactly, on any machine;
    a subject's own seed follows from it and from the subject's name. `progress` is called with (done, total,
    next name).
    """
    if isinstance(samples, int) and samples > MOST_SAMPLES:
        raise ParameterError(f"samples may be at most {MOST_SAMPLES:,}, not {samples:,}")
    chosen = list(subjects()) if names is None else [find_subject(name) for name in dict.fromkeys(names)]
    if not chosen:
        raise ParameterError("name something to audit, or audit everything")
    each = 1 - (1 - confidence) / len(chosen)
    results = []
    for done, subject in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen), subject.name)
        own_seed = None if seed is None else seed_for(subject.name, seed)
        results.append(audit_subject(subject, epsilon=epsilon, samples=samples, confidence=each, seed=own_seed))
    if progress is not None:
        progress(len(chosen), len(chosen), "")
    return results


def seed_for(name: str, seed: int) -> int:
    """The seed of one subject in a seeded run: the same whatever else is audited.

    >>> seed_for("edge-count", 11) != seed_for("edge-count", 12) != seed_for("node-count", 11)
    True
    """
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8])


def audit_subject(
    subject: Subject,
    *,
    epsilon: Number,
    samples: int,
    confidence: float,
    seed: int | None = None,
    max_pairs: int | None = None,
) -> AuditResult:
    """One subject, on all of its pairs or on an even selection of at most `max_pairs`, as its cost allows."""
    most = min(subject.cost.pairs, max_pairs or subject.cost.pairs)
    return audit(
        subject.build(exact_epsilon(epsilon)),
        pairs=_selection(list(subject.pairs()), most),
        epsilon=epsilon,
        delta=subject.delta,
        samples=min(samples, subject.cost.samples),
        confidence=confidence,
        seed=seed,
        name=subject.name,
    )


def _selection(pairs: list[Pair], most: int) -> list[Pair]:
    return pairs[:: math.ceil(len(pairs) / most)]
