"""GAP and LPGNet as published: what one arc, one friendship and one person change, and what audits see of it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.audit.engine.auditor import audit
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.gap.aggregation import Aggregation
from graphveil.papers.gap.audit_subjects import GAP_SUBJECTS, crowd, one_arc, one_friendship

NO_NOISE = Fraction(100)  # noise of rate 100 is never drawn


@pytest.mark.parametrize(("pairs", "changed"), [(one_arc, 1), (one_friendship, 2)])
def test_a_friendship_changes_as_many_cells_as_it_has_arcs(pairs, changed: int) -> None:
    hop = Aggregation(epsilon=NO_NOISE, classes=(0, 1, 0, 1))
    (pair,) = pairs()
    first, second = (hop.runs(arcs, 1, SeededNoise(1))[0] for arcs in (pair.first, pair.second))
    assert sorted(np.abs(first - second).tolist())[-3:] == [0] * (3 - changed) + [1] * changed


def test_sampled_neighbours_move_a_row_of_somebody_else_by_a_share_of_the_crowd() -> None:
    """All 30 count for person 0 without person 2, two thirds of them with; the claimed sensitivity is the root of 2.

    The mean of 400 runs has a deviation of 0.13, so an error of 1 has a probability below 1e-13.
    """
    hop = Aggregation(epsilon=NO_NOISE, classes=(0,) * 33, most_arcs=2)
    with_person, without = (
        hop.runs(crowd(with_person=there), 400, SeededNoise(1))[:, 0].mean() for there in (True, False)
    )
    assert without == pytest.approx(30, abs=1)
    assert with_person == pytest.approx(20, abs=1)


@pytest.mark.parametrize("subject", GAP_SUBJECTS, ids=lambda subject: subject.name)
def test_an_audit_says_what_theory_says(subject) -> None:
    """A consistent subject fails with a probability of 1 % at most, and the seed is fixed."""
    found = audit(
        subject.build(Fraction(1)), pairs=subject.pairs(), epsilon=1, delta=subject.delta, samples=8_000, seed=1
    )
    assert found.verdict is subject.expected
