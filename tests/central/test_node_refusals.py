"""Under node privacy what would be noise is refused, for public reasons, with a forecast and what would help."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from graphveil.central.node.degree_distribution import NodeDegreeDistribution
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.central.node.query import NodePage
from graphveil.central.node.stars import NodeThreeStars, NodeTwoStars
from graphveil.central.node.transitivity import NodeTransitivity
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.query import PublicFacts
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
    with pytest.raises(ParameterError, match=r"mostly noise at epsilon .* an error near") as said:
        page(epsilon=least * Fraction(9, 10))
    assert f"answered from epsilon {float(least):g} on" in str(said.value)
    assert page(epsilon=least / 3, max_degree=30)  # a public bound makes it answerable


PAGES = {
    NodeEdgeCount: {"epsilon": "0.01", "max_degree": 30_000},
    NodeTwoStars: {"epsilon": "1", "max_degree": 5_000},
    NodeThreeStars: {"epsilon": "1", "max_degree": 5_000},
    NodeDegreeHistogram: {"epsilon": "0.01", "max_degree": 30_000},
    NodeDegreeDistribution: {"epsilon": "0.01", "max_degree": 30_000},
    NodeTriangles: {"epsilon": "0.3", "max_degree": 3_000},
    NodeTransitivity: {"epsilon": "1", "max_degree": 2_000},
}


def built(page: type[NodePage], epsilon: str | Fraction, **options: Any) -> NodePage:
    return page(epsilon=Fraction(epsilon), **options)


@pytest.mark.parametrize("page", PAGES)
def test_a_public_bound_whose_noise_drowns_the_answer_is_refused_and_each_remedy_works(page: type[NodePage]) -> None:
    asked = PAGES[page]
    with pytest.raises(ParameterError, match="among 10,000 people, as no declared_people says otherwise") as refused:
        built(page, **asked)
    said = str(refused.value)
    larger = re.search(r"answered from epsilon (\S+) on", said)[1]
    assert built(page, **asked | {"epsilon": larger})
    with pytest.raises(ParameterError, match="mostly noise"):
        built(page, **asked | {"epsilon": Fraction(larger) * Fraction(89, 100)})
    size = int(re.search(r"declared_people of (\S+) or more", said)[1].replace(",", ""))
    assert built(page, **asked, declared_people=size)
    if lower := re.search(r"public max_degree of (\S+) or less", said):
        assert built(page, **asked | {"max_degree": int(lower[1].replace(",", ""))})
    else:
        assert "without max_degree" in said
        assert built(page, epsilon=asked["epsilon"])


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("max_degree", [2, 30, 300, 3_000, 100_000])
@pytest.mark.parametrize("declared_people", [None, 300, 10**6])
def test_more_epsilon_is_never_refused(page: type[NodePage], max_degree: int, declared_people: int | None) -> None:
    def answered(epsilon: str) -> bool:
        try:
            return bool(built(page, epsilon, max_degree=max_degree, declared_people=declared_people))
        except ParameterError:
            return False

    verdicts = [answered(epsilon) for epsilon in ("0.01", "0.1", "0.29", "0.3", "1", "3", "30", "1000")]
    assert verdicts == sorted(verdicts)


def test_where_many_people_are_public_a_small_epsilon_is_answered_if_its_error_is_small() -> None:
    assert NodeEdgeCount(epsilon=Fraction(1, 1000), declared_people=10**6)
    with pytest.raises(ParameterError, match="among 50,000 people an error near"):
        NodeEdgeCount(epsilon=Fraction(1, 10_000), declared_people=50_000)
    with pytest.raises(ParameterError, match="among 49,999 people an error near"):
        NodeEdgeCount(epsilon=Fraction(1, 1000), declared_people=49_999)


def test_a_low_public_bound_is_refused_only_where_answers_are_mostly_noise() -> None:
    """How many people are near a low bound is private, and the guess of it is rough."""
    low = {"max_degree": 100, "declared_people": 10**6}
    assert NodeTriangles(epsilon=Fraction(3, 10), **low)
    with pytest.raises(ParameterError, match="mostly noise"):
        NodeTriangles(epsilon=Fraction(29, 100), **low)


@pytest.mark.parametrize("people", [0, -1, 2**31, 10**30])
def test_refuses_a_size_that_no_network_has(people: int) -> None:
    with pytest.raises(ParameterError, match=f"declared_people must be from 1 to 2,147,483,647, not {people}"):
        NodeTriangles(epsilon=ONE, declared_people=people)


def test_three_stars_name_a_bound_an_epsilon_that_helps_and_2_stars() -> None:
    with pytest.raises(ParameterError, match=r"3-stars .* with a public max_degree of 200 or less; 2-stars") as refused:
        NodeThreeStars(epsilon=Fraction(1, 10))
    error, useful = map(float, re.search(r"near (\S+), besides .* from about (\S+) on", str(refused.value)).groups())
    facts = PublicFacts(n_nodes=10_000)
    assert NodeThreeStars(epsilon=Fraction(str(useful))).forecast(facts).std < error / 2
