"""A guarantee in words says no more than was proved."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphveil.privacy.compose import sequential
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.unit import EDGE, Trust, Unit


def words(unit: str, trust: Trust, relationship: int | None = None) -> str:
    shared = None if relationship is None else Fraction(relationship)
    return str(Guarantee(Unit.parse(unit), trust, Fraction(1), relationship_epsilon=shared))


@pytest.mark.parametrize(
    ("unit", "protected"),
    [("edge", "one edge"), ("5-edge", "any 5 edges"), ("node", "one person with all their edges")],
)
def test_a_curator_protects_the_graph(unit: str, protected: str) -> None:
    assert words(unit, Trust.CENTRAL) == f"1-differential privacy for {protected}, central model"


@pytest.mark.parametrize(
    ("unit", "relationship", "protected"),
    [
        ("edge", 2, "one entry of one person's list (epsilon 2 for a relationship, which stands in two lists)"),
        ("edge", 1, "one entry of one person's list (epsilon 1 for a relationship, which stands in two lists)"),
        (
            "3-edge",
            6,
            "any 3 entries of one person's list (epsilon 6 for any 3 relationships, which stand in two lists)",
        ),
        ("node", 2, "one person's own list (epsilon 2 for a relationship, which stands in two lists)"),
    ],
)
def test_a_local_report_protects_only_what_its_sender_lists(unit: str, relationship: int, protected: str) -> None:
    assert words(unit, Trust.LOCAL, relationship) == f"1-differential privacy for {protected}, local model"


EDGE_PROMISE = Guarantee(Unit.parse("edge"), Trust.CENTRAL, Fraction(1))


def test_a_plug_in_s_guarantee_is_unreviewed_in_words_and_in_json() -> None:
    foreign = replace(EDGE_PROMISE, package="mine")
    assert foreign.status is Status.UNREVIEWED
    assert str(foreign) == "1-differential privacy for one edge, central model; unreviewed (package mine)"
    assert (foreign.to_json()["status"], foreign.to_json()["package"]) == ("unreviewed", "mine")
    assert (EDGE_PROMISE.to_json()["status"], EDGE_PROMISE.to_json()["package"]) == ("proved", None)


def test_nothing_turns_an_unreviewed_guarantee_into_a_proved_one() -> None:
    foreign = replace(EDGE_PROMISE, package="mine")
    assert replace(foreign, status=Status.PROVED).status is Status.UNREVIEWED
    together = sequential([EDGE_PROMISE, foreign, replace(EDGE_PROMISE, package="yours")])
    assert (together.status, together.package, together.epsilon) == (Status.UNREVIEWED, "mine, yours", 3)
    assert sequential([EDGE_PROMISE, EDGE_PROMISE]).status is Status.PROVED


def test_seeds_and_refuted_claims_stay_worse_than_unreviewed() -> None:
    foreign = replace(EDGE_PROMISE, package="mine")
    assert str(foreign.seeded()).startswith("NO GUARANTEE (seeded-no-guarantee): would be 1-")
    assert sequential([foreign, EDGE_PROMISE.seeded()]).status is Status.SEEDED
    refuted = replace(EDGE_PROMISE, status=Status.CLAIM_REFUTED)
    assert sequential([foreign, refuted]).status is Status.CLAIM_REFUTED


def test_only_a_stream_by_event_speaks_of_changes() -> None:
    """A relationship may cost more than epsilon for another reason: of two directions, each is an edge."""
    both_ways = Guarantee(EDGE, Trust.CENTRAL, Fraction(1), relationship_epsilon=Fraction(2))
    assert str(both_ways) == "1-differential privacy for one edge, central model"
    by_event = replace(both_ways, by_event=True)
    assert "one change of an edge (epsilon 2 for a friendship over all time)" in str(by_event)
