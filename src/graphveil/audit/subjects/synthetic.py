"""Every synthesizer: what its private step measures on small graphs.

A synthesizer looks at the private graph only to measure; the fit and all graphs drawn from it are computed from the
noisy numbers. So these are audited, at full size, and no graph is drawn. Those kept as published give their noisy
tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.audit.engine.pairs import Pair, edge_toggles, seed_graphs
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.measurement import Measurements
from graphveil.mechanisms.noise.source import Noise
from graphveil.registry import Row
from graphveil.synthetic.attributes import Categories, mixing_measurements
from graphveil.synthetic.synthesizer import Synthesizer


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
    what = "noisy tuples" if method.refuted else "measurements"
    return Subject(
        f"synthesize-{method.name}",
        SubjectKind.PUBLISHED if method.refuted else SubjectKind.ALGORITHM,
        f"graphs synthesized by {method.name}: their {what}",
        lambda epsilon: _mechanism(method.build(epsilon, OPTIONS.get(method.name))),
        _pairs,
        AuditVerdict.REFUTED if method.refuted else AuditVerdict.CONSISTENT,
        package=method.package,
    )


def _mechanism(method: Synthesizer | PublishedScheme) -> Mechanism:
    return measured(method.measure) if isinstance(method, Synthesizer) else method.runs


def _pairs() -> list[Pair]:
    return edge_toggles(seed_graphs())


MIXING_SUBJECTS = (
    Subject(
        "synthesize-attributes",
        SubjectKind.ALGORITHM,
        "noisy numbers of edges between people of two categories",
        lambda epsilon: measured(partial(_mixing, epsilon=epsilon)),
        _pairs,
        AuditVerdict.CONSISTENT,
    ),
)
