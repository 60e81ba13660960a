"""Everything registered is audited: what is right passes, what is wrong is caught.

Here at a cheap size, which sees gross leaks; under `make laws` at full size.
"""

from dataclasses import replace

import pytest

from graphveil.audit import Pair
from graphveil.audit.registry import find_subject, subjects
from graphveil.audit.runner import audit_subject, run_audits
from graphveil.audit.subject import Cost, Subject, SubjectKind
from graphveil.audit.subjects.controls import CONTROLS, half_scale_laplace
from graphveil.errors import ParameterError
from graphveil.testing import a_cheap_audit_agrees

FULL_SIZE_ONLY = ("-padded", "fails-once-in-1000", "gap-friendship")  # wrong in a way that a cheap audit cannot see

over_all = pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)


@over_all
def test_a_cheap_audit_gives_the_verdict_that_theory_says(subject):
    if not subject.name.endswith(FULL_SIZE_ONLY):
        a_cheap_audit_agrees(subject)


@pytest.mark.laws
@over_all
def test_a_full_audit_gives_the_verdict_that_theory_says(subject):
    confidence = 1 - 0.01 / len(subjects())
    result = audit_subject(subject, epsilon=1, samples=40_000, confidence=confidence, seed=11)
    assert result.verdict is subject.expected


def test_costs_limit_samples_and_pairs_by_fixed_numbers():
    """The same on every machine: nothing is timed."""
    count = Subject("mine", SubjectKind.MECHANISM, "", half_scale_laplace, lambda: [Pair(n, n + 1) for n in range(150)])
    options = {"epsilon": 1, "samples": 12_000, "confidence": 0.99, "seed": 1}
    slow, bulk = (audit_subject(replace(count, cost=cost), **options) for cost in (Cost.CALL, Cost.BULK))
    assert (slow.samples, slow.pairs_tried) == (10_000, 75)
    assert (bulk.samples, bulk.pairs_tried) == (12_000, 150)


def test_everything_of_ours_is_audited_in_bulk():
    assert not [subject.name for subject in subjects() if not subject.package and subject.cost is not Cost.BULK]


def test_names_are_unique_and_controls_are_all_there():
    names = [subject.name for subject in subjects()]
    assert len(set(names)) == len(names)
    assert len(CONTROLS) >= 6


def test_a_seeded_audit_does_not_depend_on_what_else_is_audited():
    names = ["edge-count", "binary-response", "edge-count"]
    together = run_audits(names, samples=300, seed=3, confidence=0.98)
    alone = run_audits(["binary-response"], samples=300, seed=3, confidence=0.99)
    assert together[1] == alone[0]
    assert run_audits(["binary-response"], samples=300, seed=4, confidence=0.99) != alone


def test_several_audits_share_the_error_probability():
    heard = []
    names = ["binary-response", "control-half-scale-laplace", "binary-response"]
    results = run_audits(names, epsilon=0.5, samples=500, seed=1, progress=lambda *step: heard.append(step))
    assert [result.name for result in results] == ["binary-response", "control-half-scale-laplace"]
    assert [result.verdict.value for result in results] == ["consistent", "refuted"]
    assert results[0].claimed_epsilon == 0.5
    assert results[0].confidence == pytest.approx(0.995)
    assert heard == [(0, 2, "binary-response"), (1, 2, "control-half-scale-laplace"), (2, 2, "")]


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(ParameterError, match=r"did you mean square-wave\?.* lists all"):
        find_subject("squarewave")
    with pytest.raises(ParameterError, match="lists all"):
        find_subject("xyz")
    with pytest.raises(ParameterError, match="name something"):
        run_audits([])
