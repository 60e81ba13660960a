"""Under node privacy what would be noise is refused, for public reasons, with a forecast and what would help."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from graphveil.central.degree_distribution import NodeDegreeDistribution
from graphveil.central.node_degree_histogram import NodeDegreeHistogram
from graphveil.central.node_edges import NodeEdgeCount
from graphveil.central.node_page import NodePage
from graphveil.central.node_stars import NodeThreeStars, NodeTwoStars
from graphveil.central.node_triangles import NodeTriangles
from graphveil.central.page import PublicFacts
from graphveil.errors import ParameterError

ONE = Fraction(1)


@pytest.mark.parametrize(
    ("page", "least"),
    [
        (NodeEdgeCount, Fraction(1, 50)),
        (NodeTwoStars, Fraction(1, 10)),
        (NodeDegreeHistogram, Fraction(1, 50)),
        (NodeDegreeDistribution, Fraction(1, 50)),
    ],
)
def test_what_would_be_noise_is_refused_with_a_forecast(page: type[NodePage], least: Fraction) -> None:
    assert page(epsilon=least)
    with pytest.raises(
        ParameterError, match=r"mostly noise at epsilon .* an error near .* answered from epsilon"
    ) as said:
        page(epsilon=least * Fraction(9, 10))
    assert f"answered from epsilon {float(least):g} on" in str(said.value)
    assert page(epsilon=least / 3, max_degree=30)  # a public bound makes it answerable


@pytest.mark.parametrize(
    "page", [NodeEdgeCount, NodeTwoStars, NodeThreeStars, NodeDegreeHistogram, NodeDegreeDistribution, NodeTriangles]
)
def test_a_public_bound_that_drowns_the_answer_is_refused_unless_many_people_are_public(page: type[NodePage]) -> None:
    drowned: dict[str, Any] = {"epsilon": Fraction(1, 100), "max_degree": 30_000}
    if page is NodeTriangles:
        drowned = {"epsilon": Fraction(3, 10), "max_degree": 3_000}
    with pytest.raises(ParameterError, match=r"and max_degree 30?,000: among 10,000 people an error near") as said:
        page(**drowned)
    assert "declared_people" in str(said.value) or page is NodeThreeStars
    assert page(**drowned, declared_people=10**12 if page is NodeThreeStars else 10**9)
    words = re.search(r"answered from epsilon (\S+) on", str(said.value))
    if words is not None:
        assert page(epsilon=Fraction(words[1]), max_degree=drowned["max_degree"])


def test_a_low_public_bound_is_not_refused_for_a_guessed_h_index() -> None:
    assert NodeTriangles(epsilon=ONE, max_degree=30, declared_people=10**6)
    with pytest.raises(ParameterError, match=r"mostly noise at epsilon 0\.1 and max_degree 30: among 1,000,000 people"):
        NodeTriangles(epsilon=Fraction(1, 10), max_degree=30, declared_people=10**6)


def test_refusals_go_by_the_declared_number_of_people() -> None:
    with pytest.raises(ParameterError, match="among 300 people an error near"):
        NodeEdgeCount(epsilon=ONE, max_degree=30_000, declared_people=300)
    with pytest.raises(ParameterError, match="declared_people must be at least 1, not 0"):
        NodeEdgeCount(epsilon=ONE, declared_people=0)


def test_three_stars_are_refused_for_public_reasons_only() -> None:
    with pytest.raises(ParameterError, match=r"mostly noise at epsilon 0\.1") as refused:
        NodeThreeStars(epsilon=Fraction(1, 10))
    words = re.search(
        r"near (\S+), besides .* from about (\S+) on .* max_degree of 20 would bring it to (\S+);", str(refused.value)
    )
    error, useful, bounded = (float(word) for word in words.groups())
    facts = PublicFacts(n_nodes=10_000)
    assert NodeThreeStars(epsilon=Fraction(str(useful))).forecast(facts).std < error / 2
    assert NodeThreeStars(epsilon=Fraction(1, 10), max_degree=20).forecast(facts).std == pytest.approx(bounded, rel=0.1)
