"""Learning audited from predictions alone; 400 runs an input, bounds hold with a probability of 99 %."""

from __future__ import annotations

from fractions import Fraction

from learning_end_to_end import both_ends, learning_pairs, predictions

from graphveil.audit.engine.auditor import audit
from graphveil.audit.engine.result import AuditVerdict

EPSILON = Fraction(2)


def test_predictions_keep_the_claimed_epsilon_and_are_told_apart_nearly_as_well_as_allowed() -> None:
    found = audit(predictions(EPSILON), pairs=learning_pairs()[:1], epsilon=EPSILON, samples=400, seed=1)
    assert found.verdict is AuditVerdict.CONSISTENT
    assert found.epsilon_lower_bound > 1  # the audit sees something: 1.69 was measured


def test_edges_that_both_ends_read_with_the_noise_of_one_are_found() -> None:
    found = audit(both_ends(EPSILON), pairs=learning_pairs()[1:], epsilon=EPSILON, samples=400, seed=1)
    assert found.verdict is AuditVerdict.REFUTED
