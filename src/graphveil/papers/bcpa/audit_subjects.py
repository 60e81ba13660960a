"""The noise steps of dK-PA, DRC and BCPA, as published and half repaired, ready to be audited."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.bcpa.bcpa import Bcpa
from graphveil.papers.bcpa.dk_pa import DkPa
from graphveil.papers.bcpa.drc import Drc
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.papers.neighbours import graphs, paths_cut


def padded_tuples(scheme: TuplePerturbation) -> Mechanism:
    """A half repair: noise on the tuples that do not occur, too, of the scale that the largest possible degree needs.

    Where all tuples form one group, those that do not occur belong to it and get its noise.
    """

    def run(given: Graph, count: int, noise: Noise) -> Floats:
        cells = scheme.runs(given, count, noise)
        largest = int(given.degrees.max()) if scheme.n_groups == 1 else given.n_nodes - 1
        missing = np.flatnonzero(np.isnan(cells[0]))  # the same in every run
        padding = bulk_discrete_laplace(noise, scheme.rate(largest), count * len(missing))
        cells[:, missing] = padding.reshape(count, len(missing))
        return cells

    return run


_SCHEMES: tuple[tuple[str, str, Callable[[Fraction], TuplePerturbation]], ...] = (
    ("dk-pa", "dK-PA", lambda epsilon: DkPa(epsilon=epsilon)),
    ("drc", "DRC", lambda epsilon: Drc(epsilon=epsilon, n_groups=2)),
    ("bcpa", "BCPA", lambda epsilon: Bcpa(epsilon=epsilon, n_groups=2)),
)
_STEPS: tuple[tuple[str, str, Callable[[TuplePerturbation], Mechanism], Callable[[], list[Pair]]], ...] = (
    ("", "", lambda scheme: scheme.runs, graphs),
    ("-padded", " with noise on missing tuples", padded_tuples, paths_cut),
)


def _subject(
    name: str,
    summary: str,
    make: Callable[[Fraction], TuplePerturbation],
    step: Callable[[TuplePerturbation], Mechanism],
    pairs: Callable[[], list[Pair]],
) -> Subject:
    return Subject(
        name, SubjectKind.PUBLISHED, summary, lambda epsilon: step(make(epsilon)), pairs, AuditVerdict.REFUTED
    )


TUPLE_SUBJECTS = tuple(
    _subject(name + ending, f"{short}'s noise step{words}", make, step, pairs)
    for ending, words, step, pairs in _STEPS
    for name, short, make in _SCHEMES
)
