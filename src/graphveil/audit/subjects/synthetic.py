"""Every synthesizer: what its private step measures on small graphs.

A synthesizer looks at the private graph only to measure; the fit and all graphs drawn from it are computed from the
noisy numbers. So these are audited, at full size, and no graph is drawn. Those kept as published give their noisy
tuples. A method of another package that lists no measurements is audited by the numbers of whole fits, few of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphveil.audit.engine.neighbours import edge_toggles, seed_graphs
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Cost, Subject, SubjectKind
from graphveil.audit.subjects.measured import measured
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measured, Measurements
from graphveil.papers.bcpa.audit_subjects import published_tuples
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.synthetic.attributes import Categories, mixing_measurements
from graphveil.synthetic.registry import Method, methods
from graphveil.synthetic.synthesizer import Synthesizer

OPTIONS: Mapping[str, Mapping[str, Any]] = {"privgraph": {"group_size": 5}}  # two groups of ten people


def synthetic_subjects() -> tuple[Subject, ...]:
    """One subject for every method of the registry, and one for how people's categories mix."""
    return (*(_subject(method) for method in methods()), _mixing_subject())


def _mixing_subject() -> Subject:
    return Subject(
        "synthesize-attributes",
        SubjectKind.ALGORITHM,
        "noisy numbers of edges between people of two categories",
        lambda epsilon: measured(partial(_mixing, epsilon=epsilon)),
        _pairs,
        AuditVerdict.CONSISTENT,
        cost=Cost.BULK,
    )


def _mixing(graph: Graph, epsilon: Fraction) -> Measurements:
    """Everybody's category is the parity of their number."""
    return mixing_measurements(graph, Categories(("even", "odd"), np.arange(graph.n_nodes) % 2), epsilon)


def _subject(method: Method) -> Subject:
    in_bulk = issubclass(method.page, (Measured, TuplePerturbation))
    what = "numbers of fits" if not in_bulk else "noisy tuples" if method.refuted else "measurements"
    return Subject(
        f"synthesize-{method.name}",
        SubjectKind.PUBLISHED if method.refuted else SubjectKind.ALGORITHM,
        f"graphs synthesized by {method.name}: their {what}",
        lambda epsilon: _mechanism(method.build(epsilon, OPTIONS.get(method.name))),
        _pairs,
        AuditVerdict.REFUTED if method.refuted else AuditVerdict.CONSISTENT,
        cost=Cost.BULK if in_bulk else Cost.FIT,
        package=method.package,
    )


def _mechanism(page: Synthesizer) -> Mechanism:
    if isinstance(page, Measured):
        return measured(page.measurements)
    return published_tuples(page) if isinstance(page, TuplePerturbation) else partial(_fitted, page)


def _pairs() -> list[Pair]:
    return edge_toggles(seed_graphs())


def _fitted(page: Synthesizer, given: Graph, noise: Noise) -> tuple[float, ...]:
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
