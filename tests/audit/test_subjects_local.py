"""What is audited of collection protocols: all that one person sends, and all that both ends of a friendship send."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import pytest

from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.registry import find_subject
from graphveil.audit.runner import audit_subject
from graphveil.audit.subjects.local import (
    N_PEOPLE,
    USER,
    _choices,
    _protocol_at,
    _relationship_cost,
    relationship_subject,
    relationships,
)
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.losses import ANSWERED_ROLES, Message, Messages, Role
from graphveil.local.triangles.design import Design
from graphveil.privacy.unit import Kind
from graphveil.registry import PROTOCOLS, Job, Row, build_protocol

CHEAP = {"epsilon": 1, "samples": 1000, "confidence": 0.9999, "seed": 4, "max_pairs": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedOnce(NoisyDegrees):
    """Says that one end reports a friendship, so that it costs what one list costs; both ends report it."""

    name: ClassVar[str] = "counted-once"

    def messages(self, context, choice=0):
        return Messages(Kind.EDGE, (Message("degree", self.channel.added, ANSWERED_ROLES),))

    @property
    def role_pairs(self):
        return frozenset({(Role.ANSWERED, Role.NEITHER)})


def test_who_is_audited_chooses_the_most_on_offer_and_others_choose_everything() -> None:
    strengths = {"strengths": ("1/4", "1", "1/2")}
    protocol = build_protocol(
        "triangles", "preference", unit="edge", epsilon=1, n_people=N_PEOPLE, parameters=strengths
    )
    choices = _choices(protocol, (USER,))
    assert protocol.guarantees[choices[USER]].epsilon == Fraction(1)
    assert set(choices.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("row", PROTOCOLS, ids=lambda row: f"{row.query}-{row.name}-{row.unit}")
def test_a_relationship_is_audited_at_what_it_is_said_to_cost(row: Row) -> None:
    cost = _relationship_cost(_protocol_at(row, Fraction(1)))
    assert Fraction(3, 4) < cost <= 1


def test_a_friendship_stands_in_both_lists_or_in_neither() -> None:
    pairs = relationships()
    for pair in pairs:
        (u, v), (mine, theirs) = pair.first.ends, pair.first.lists
        assert v not in mine
        assert u not in theirs
        assert pair.second == replace(pair.first, lists=((*mine, v), (*theirs, u)))
    assert {len(pair.first.lists[0]) for pair in pairs[::3]} == {0, 9}
    assert {len(set(pair.first.networks)) for pair in pairs[::3]} == {1, 2}


def test_a_false_claim_for_a_relationship_is_refuted_by_a_small_audit() -> None:
    """The list alone gives nothing away: only both lists together do."""
    row = Row(Job.COLLECT, "counted-once", "degree-distribution", "edge", ":CountedOnce", home=__name__)
    subject = relationship_subject(row)
    assert subject.name == "degree-distribution-counted-once-edge-relationship"
    assert audit_subject(subject, **CHEAP).verdict is AuditVerdict.REFUTED
    honest = find_subject("degree-distribution-veil-edge-relationship")
    assert audit_subject(honest, **CHEAP).verdict is AuditVerdict.CONSISTENT


def test_whoever_protects_the_whole_list_is_audited_for_the_whole_list(monkeypatch) -> None:
    """An answer about a pair that is given truly, at the other strength, gives lists away that differ in much."""
    subject = find_subject("clustering-preference-edge-whole-list")
    assert {len(pair.second) - len(pair.first) for pair in subject.pairs()} == {1, 9, 40}
    assert audit_subject(subject, **CHEAP).verdict is AuditVerdict.CONSISTENT
    monkeypatch.setattr(Design, "closed", lambda design, choices: choices < 0)
    assert audit_subject(subject, **CHEAP).verdict is AuditVerdict.REFUTED
