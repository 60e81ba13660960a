"""Sound counterparts of refuted steps, ready to be audited."""

from __future__ import annotations

from typing import Any

from graphveil.audit.subject import Subject, SubjectKind
from graphveil.papers import repairs
from graphveil.papers.neighbours import degrees, graphs, lists


def _repair(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(name, SubjectKind.REPAIR, summary, build, pairs)


REPAIR_SUBJECTS = (
    _repair("two-stage-degrees", "noisy group, then place", repairs.two_stage_degrees, degrees),
    _repair("public-pairs-response", "response on a public half of the list", repairs.public_pairs_response, lists),
    _repair("asymmetric-response", "fewer reports of strangers", repairs.asymmetric_response, lists),
    _repair("second-round-count", "triangles with noise (threshold - 1) / epsilon", repairs.second_round, lists),
    _repair("triangle-transcript", "all messages of one person", repairs.triangle_transcript, lists),
    _repair("per-tuple-noise", "noise on all pairs of degrees", repairs.per_tuple_noise, graphs),
)
