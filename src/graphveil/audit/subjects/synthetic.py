"""Every synthesizer: what its private step measures on small graphs.

A synthesizer looks at the private graph only to measure; the fit and all graphs drawn from it are computed from the
noisy numbers. So these are audited, at full size, and no graph is drawn. Those kept as published give their noisy
tuples. A method of another package that lists no measurements is audited by the numbers of whole fits, few of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.audit.engine.pairs import Pair, edge_toggles, seed_graphs
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Cost, Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measured, Measurements
from graphveil.registry import Row
from graphveil.synthetic.attributes import Categories, mixing_measurements
from graphveil.synthetic.synthesizer import Synthesizer


@runtime_checkable
class PublishedScheme(Protocol):
    """A method kept as published whose noise step can be drawn many times at a call."""

    def runs(self, given: Graph, count: int, noise: Noise) -> AnyArray:
        """What the noise step publishes in that many runs, a row each."""
        ...


OPTIONS: Mapping[str, Mapping[str, Any]] = {"privgraph": {"group_size": 5}}  # two groups of ten people


def _mixing(graph: Graph, epsilon: Fraction) -> Measurements:
    """Everybody's category is the parity of their number."""
    return mixing_measurements(graph, Categories(("even", "odd"), np.arange(graph.n_nodes) % 2), epsilon)


def synthetic_subject(method: Row) -> Subject:
    """The subject of one row of the registry of synthesizers."""
    in_bulk = issubclass(method.cls, (Measured, PublishedScheme))
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
    return page.runs if isinstance(page, PublishedScheme) else partial(_fitted, page)


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


MIXING_SUBJECTS = (
    Subject(
        "synthesize-attributes",
        SubjectKind.ALGORITHM,
        "noisy numbers of edges between people of two categories",
        lambda epsilon: measured(partial(_mixing, epsilon=epsilon)),
        _pairs,
        AuditVerdict.CONSISTENT,
        cost=Cost.BULK,
    ),
)
