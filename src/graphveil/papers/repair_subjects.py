"""Sound counterparts of refuted steps, and two of them with too little noise, ready to be audited."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphveil.audit.engine.pairs import Pair, friend_list
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.papers import repairs
from graphveil.papers.neighbours import degrees, graphs, lists
from graphveil.papers.repairs import N_OTHERS, THRESHOLD, SecondRound, per_tuple_noise


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


def quarter_scale_count(epsilon: Fraction) -> Mechanism:
    """A second-round triangle count with a quarter of the noise it needs."""
    return SecondRound(epsilon=4 * epsilon, threshold=THRESHOLD).runs


def third_scale_tuples(epsilon: Fraction) -> Mechanism:
    """Counts of all pairs of degrees with a third of the noise they need."""
    return per_tuple_noise(3 * epsilon)


def _lists_at_the_cap() -> list[Pair]:
    without = friend_list(N_OTHERS, [*range(1, THRESHOLD), N_OTHERS - 1])
    instead = friend_list(N_OTHERS, [*range(THRESHOLD), N_OTHERS - 1])
    return [Pair(without, instead, "at the cap, a friend of all others takes the place of a friend of none")]


def _control(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(f"control-{name}", SubjectKind.CONTROL, summary, build, pairs, AuditVerdict.REFUTED)


PUBLISHED_CONTROLS = (
    _control(
        "quarter-scale-count",
        "a quarter of the noise a triangle count needs",
        quarter_scale_count,
        _lists_at_the_cap,
    ),
    _control("third-scale-tuples", "a third of the noise that pairs of degrees need", third_scale_tuples, graphs),
)
