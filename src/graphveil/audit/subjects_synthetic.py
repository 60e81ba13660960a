"""Every synthesizer: the numbers that its private step releases on small graphs.

Graphs are drawn from these alone. Objects that a fit keeps besides (tables, goals) are computed from the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.audit.neighbours import edge_toggles, seed_graphs
from graphveil.audit.pairs import Pair
from graphveil.audit.result import AuditVerdict
from graphveil.audit.sampling import Mechanism
from graphveil.audit.subject import Cost, Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import Noise
from graphveil.synthetic.page import Synthesizer
from graphveil.synthetic.registry import Method, methods

COSTS = {"veil": Cost.FIT, "dk2-soft": Cost.FIT, "bcpa-private": Cost.FIT}


def synthetic_subjects() -> tuple[Subject, ...]:
    """One subject for every method of the registry."""
    return tuple(_subject(method) for method in methods())


def _subject(method: Method) -> Subject:
    def build(epsilon: Fraction) -> Mechanism:
        page = method.build(epsilon)
        return lambda given, noise: _released(page, given, noise)

    return Subject(
        f"synthesize-{method.name}",
        SubjectKind.PUBLISHED if method.refuted else SubjectKind.ALGORITHM,
        f"graphs synthesized by {method.name}",
        build,
        _pairs,
        AuditVerdict.REFUTED if method.refuted else AuditVerdict.CONSISTENT,
        cost=COSTS.get(method.name, Cost.GRAPH),
        package=method.package,
    )


def _pairs() -> list[Pair]:
    return edge_toggles(seed_graphs())


def _released(page: Synthesizer, given: Graph, noise: Noise) -> tuple[float, ...]:
    """All numbers of a fit, in a fixed order."""
    fit = page.fit(given, noise)
    return tuple(_numbers((fit.targets, fit.parameters)))


def _numbers(part: Any) -> Iterator[float]:
    if isinstance(part, Mapping):
        for key in sorted(part, key=str):
            yield from _numbers(part[key])
    elif isinstance(part, Graph):
        yield from _numbers(part.edges())
    elif isinstance(part, (tuple, list)):
        for entry in part:
            yield from _numbers(entry)
    elif isinstance(part, np.ndarray):
        yield float(part.size)
        yield from part.ravel().astype(np.float64).tolist()
    elif isinstance(part, (bool, int, float, np.number)):
        yield float(part)
