"""Everything registered is audited: what is right passes, what is wrong is caught.

Here at a cheap size, which sees gross leaks; under `make laws` at full size.
"""

import pytest

from graphveil.audit.controls import CONTROLS
from graphveil.audit.runner import audit_subject, run_audits
from graphveil.audit.subjects import find_subject, subjects
from graphveil.errors import ParameterError
from graphveil.local.registry import PROTOCOLS
from graphveil.release.registry import ALGORITHMS

FULL_SIZE_ONLY = ("-padded", "fails-once-in-1000")  # wrong in a way that a cheap audit cannot see

over_all = pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)


@over_all
def test_a_cheap_audit_gives_the_verdict_that_theory_says(subject):
    samples, most = (100, 1) if subject.slow else (1000, 12)
    result = audit_subject(subject, epsilon=1, samples=samples, confidence=0.9999, seed=4, max_pairs=most)
    assert result.name == subject.name
    if not subject.name.endswith(FULL_SIZE_ONLY):
        assert result.verdict is subject.expected


@pytest.mark.laws
@over_all
def test_a_full_audit_gives_the_verdict_that_theory_says(subject):
    samples, most = (400, 4) if subject.slow else (40_000, 100)
    confidence = 1 - 0.01 / len(subjects())
    result = audit_subject(subject, epsilon=1, samples=samples, confidence=confidence, seed=11, max_pairs=most)
    assert result.verdict is subject.expected


def test_a_slow_subject_gets_as_many_samples_as_fit():
    options = {"epsilon": 1, "samples": 5000, "confidence": 0.99, "seed": 1}
    hasty = audit_subject(find_subject("edge-count"), **options, seconds=0.01)
    assert (hasty.samples, hasty.pairs_tried) == (100, 2)
    bulk = audit_subject(find_subject("binary-response"), **{**options, "samples": 200}, seconds=0.001)
    assert bulk.samples == 200


def test_every_algorithm_of_the_registry_is_a_subject():
    assert {algorithm.name for algorithm in ALGORITHMS} <= {subject.name for subject in subjects()}


def test_names_are_unique_and_controls_are_all_there():
    names = [subject.name for subject in subjects()]
    assert len(set(names)) == len(names)
    assert len(CONTROLS) >= 6


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
    with pytest.raises(ParameterError, match="square-wave"):
        find_subject("squarewave")
    with pytest.raises(ParameterError, match="name something"):
        run_audits([])


def test_every_collection_protocol_is_a_subject():
    names = [subject.name for subject in subjects()]
    for entry in PROTOCOLS:
        assert any(name.startswith(f"{entry.statistic}-{entry.name}-{entry.unit}") for name in names)
