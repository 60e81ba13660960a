"""A guarantee in words says no more than was proved."""

from fractions import Fraction

import pytest

from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.unit import Trust, Unit


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
