"""One rule refuses, for public reasons, what would be mostly noise; the noise can be accepted."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from graphveil.central.choices.noisy_adjacency import NoisyAdjacency
from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.central.edge.edges import EdgeCount
from graphveil.central.node.degree_distribution import NodeDegreeDistribution
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.central.node.stars import NodeThreeStars, NodeTwoStars
from graphveil.central.node.transitivity import NodeTransitivity
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES
from graphveil.release.job import PreparedQuery, Request
from graphveil.release.policy import EXPECTED, check_worth, facts_for, says_nothing
from graphveil.release.session import Session

ONE = Fraction(1)
NODE = [NodeEdgeCount, NodeTwoStars, NodeThreeStars, NodeDegreeHistogram, NodeDegreeDistribution, NodeTriangles,
        NodeTransitivity]  # fmt: skip


def refusal(query: Any, facts: PublicFacts) -> str | None:
    try:
        assert check_worth(query, facts) is None
    except ParameterError as refused:
        return str(refused)
    return None


@pytest.mark.parametrize(("people", "refused"), [(600, True), (10_000, False)])
def test_a_coefficient_of_which_nothing_would_be_known_is_refused(people: int, refused: bool) -> None:
    session = Session(Graph.from_edges([(0, 1), (1, 2)], n_nodes=people), unit="edge", budget=1)
    if refused:
        with pytest.raises(ParameterError, match=r"mostly noise .* 600 people an error near 1 .* nothing was spent"):
            session.assortativity(epsilon=ONE / 2)
        assert session.spent == 0
    session.assortativity(epsilon=ONE / 2, accept_noise=refused)


def forecast_error(query: Any, facts: PublicFacts) -> float:
    return float(query.forecast(facts).std)


@pytest.mark.parametrize("kind", NODE)
@pytest.mark.parametrize("epsilon", ["0.002", "0.01", "0.1", "0.3", "1", "3"])
@pytest.mark.parametrize("max_degree", [None, 30, 1000])
def test_refused_is_exactly_what_the_forecast_calls_noise(kind: Any, epsilon: str, max_degree: int | None) -> None:
    query = kind(epsilon=Fraction(epsilon), max_degree=max_degree)
    facts = facts_for(query, 7)  # how many people there are is private under node privacy
    assert facts.n_nodes == 10_000
    noise = forecast_error(query, facts) >= EXPECTED[query.query](facts)
    assert (refusal(query, facts) is not None) == noise


@pytest.mark.parametrize("kind", NODE)
def test_what_a_refusal_names_is_answered(kind: Any) -> None:
    query = kind(epsilon=Fraction(1, 1000))
    facts = facts_for(query, 0)
    said = refusal(query, facts)
    assert said is not None
    assert "among 10,000 people (assumed, for how many there are is private; --option declared_people=N" in said
    assert "--accept-noise" in said
    larger = Fraction(re.search(r"epsilon (\S+) (or|would)", said.partition("expected;")[2])[1])
    assert refusal(replace(query, epsilon=larger), facts) is None
    if lower := re.search(r"max_degree of (\S+)", said):
        assert refusal(replace(query, max_degree=int(lower[1].replace(",", ""))), facts) is None


@pytest.mark.parametrize("kind", NODE)
@pytest.mark.parametrize("max_degree", [None, 30, 3000])
@pytest.mark.parametrize("people", [300, 10_000, 10**6])
def test_more_epsilon_is_never_refused(kind: Any, max_degree: int | None, people: int) -> None:
    facts = PublicFacts(people)
    epsilons = ("0.01", "0.1", "0.29", "0.3", "1", "3", "30", "1000")
    verdicts = [refusal(kind(epsilon=Fraction(e), max_degree=max_degree), facts) is None for e in epsilons]
    assert verdicts == sorted(verdicts)


def test_every_offered_query_has_an_expected_size_but_a_choice_and_what_is_learnt_from() -> None:
    assert {row.query for row in QUERIES} - set(EXPECTED) == {"best-partition", "class-rows", "attribute-mean"}


@pytest.mark.parametrize("people", [50, 10_000, 10**6])
def test_default_epsilons_are_answered_for_edge_counts_of_any_size(people: int) -> None:
    assert check_worth(EdgeCount(epsilon=ONE), PublicFacts(people)) is None


def test_a_declared_number_of_people_takes_the_place_of_the_assumed_one() -> None:
    query = NodeEdgeCount(epsilon=Fraction(1, 1000))
    assert refusal(query, facts_for(query, 0)) is not None
    many = replace(query, declared_people=10**6)
    assert facts_for(many, 0).n_nodes == 10**6
    assert refusal(many, facts_for(many, 0)) is None
    with pytest.raises(ParameterError, match="declared_people must be 1 or more, not 0"):
        facts_for(replace(query, declared_people=0), 0)


@pytest.mark.parametrize("below", [49_999, 9_999, 999])
def test_one_person_more_decides_only_where_the_forecast_does(below: int) -> None:
    """A threshold on the number of people itself would contradict the forecast."""
    query = NodeTriangles(epsilon=ONE)
    assert (refusal(query, PublicFacts(below)) is None) == (refusal(query, PublicFacts(below + 1)) is None)


def test_accepted_noise_is_answered_with_a_warning() -> None:
    graph = power_law_cluster(200, 4, 0.5, seed=5)
    session = Session(graph, unit="node", budget=1, noise=SeededNoise(1))
    with pytest.raises(ParameterError, match="triangles would be mostly noise"):
        session.triangles(epsilon="0.02")
    assert session.left[0] == 1
    release = session.triangles(epsilon="0.02", accept_noise=True)
    assert session.left[0] == Fraction(49, 50)
    assert "warning: mostly noise: among 10,000 people (assumed" in release.explain()
    quiet = session.edges(epsilon="0.5", accept_noise=True)
    assert "warning" not in quiet.explain()


def test_a_group_is_refused_where_even_the_largest_is_noise() -> None:
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)], n_nodes=6)
    groups = {person: "a" if person < 4 else "b" for person in range(6)}
    session = Session(graph, unit="edge", budget=9, noise=SeededNoise(1))
    with pytest.raises(ParameterError, match="among 4 people"):
        session.release_by_group("edges", groups=groups, epsilon="0.05")
    both = session.release_by_group("edges", groups=groups, epsilon="0.05", accept_noise=True)
    assert all("warning: mostly noise" in release.explain() for release in both.values())
    assert set(session.release_by_group("edges", groups=groups, epsilon=2)) == {"a", "b"}


def test_batches_accept_noise_query_by_query() -> None:
    session = Session(Graph.from_edges([(0, 1)], n_nodes=4), unit="edge", budget=9, noise=SeededNoise(1))
    noisy = Request("max-degree", Fraction(1, 10), accept_noise=True)
    assert len(session.release_all([noisy, Request("edges", Fraction(2))])) == 2
    quiet = replace(noisy, accept_noise=False)
    known = [PreparedQuery.prepare(request, session.unit) for request in (noisy, quiet)]
    texts = [each.request.to_json(each.query) for each in known]
    assert texts[0] == texts[1]  # a stored answer is found by either


@pytest.mark.parametrize(
    ("query", "tiny", "enough"),
    [
        (TopMFilter, "1e-9", "0.001"),
        (NoisyAdjacency, "1e-6", "0.2"),
        (lambda epsilon: NoisyAdjacency(epsilon, "most-likely"), "0.001", "0.2"),
    ],
)
def test_published_edges_that_are_noise_by_the_million_are_never_published(query: Any, tiny: str, enough: str) -> None:
    facts = PublicFacts(2_000_000)
    for accept in (False, True):
        with pytest.raises(ParameterError, match=r"adjacency would be mostly noise.*is never published"):
            check_worth(query(Fraction(tiny)), facts, accept_noise=accept)
    assert check_worth(query(Fraction(enough)), facts) is None
    with pytest.raises(ParameterError, match="is never published"):  # though so many edges are expected
        check_worth(query(Fraction(tiny)), PublicFacts(10**9), accept_noise=True)
    with pytest.raises(ParameterError, match="accept_noise=True"):
        check_worth(query(Fraction("1e-12")), PublicFacts(30))
    assert check_worth(query(Fraction("1e-12")), PublicFacts(30), accept_noise=True)


def test_an_interval_that_excludes_nothing_is_said_to_be_worth_nothing() -> None:
    def accuracy(below: float, above: float, support: tuple[float, float]) -> Accuracy:
        return Accuracy(5, None, (Band(0.95, below, above),), support=support)

    assert "says nothing" in says_nothing(accuracy(7, math.inf, (0, math.inf)))
    assert "says nothing" in says_nothing(accuracy(7, 9, (0, 10)))
    assert says_nothing(accuracy(3, math.inf, (0, math.inf))) == ""
    assert says_nothing(accuracy(7, 3, (0, 10))) == ""
    assert says_nothing(Accuracy(5, None, ())) == ""


def test_a_release_says_that_it_is_worth_nothing() -> None:
    star = Graph.from_edges([(0, i) for i in range(1, 30)], n_nodes=30, named=True)
    session = Session(star, unit="node", budget=9, noise=SeededNoise(1))
    release = session.triangles(epsilon=1)
    assert release.accuracy.interval(0.95) == (0, math.inf)
    assert "warning: this answer says nothing" in str(release)
    assert "warning: this answer says nothing" in release.explain()
    assert "warning" not in str(session.nodes(epsilon=2))


def test_a_bound_that_is_all_noise_is_in_the_forecast() -> None:
    """At epsilon .005 the bound itself is drawn from noise: too low it cuts most edges off, too high it drowns them."""
    facts = PublicFacts(10_000)
    with pytest.raises(ParameterError, match="edges would be mostly noise"):
        check_worth(NodeEdgeCount(epsilon=Fraction(1, 200)), facts)
    assert check_worth(NodeEdgeCount(epsilon=Fraction(1, 2)), facts) is None
    assert check_worth(NodeEdgeCount(epsilon=Fraction(1, 200), max_degree=100), facts) is None


@pytest.mark.parametrize("unit", ["edge", "5-edge"])
def test_a_refusal_names_a_total_that_is_enough_and_not_twice_what_is_needed(unit: str) -> None:
    """Among several queries, or for several edges, epsilon is shared: the user types the total."""
    circle = Graph.from_edges([(i, (i + 1) % 120) for i in range(120)], n_nodes=120, named=True)

    def ask(total: Fraction) -> None:
        requests = [Request(name, total / 3) for name in ("edges", "degree-histogram", "average-clustering")]
        Session(circle, unit=unit, budget=99, accept_weak=True, noise=SeededNoise(1)).release_all(requests)

    with pytest.raises(ParameterError, match="mostly noise") as refused:
        ask(Fraction(1))
    named = re.search(r"a total epsilon of ([\d.]+)", str(refused.value))
    assert named is not None
    enough = Fraction(named.group(1))
    ask(enough)
    with pytest.raises(ParameterError, match="mostly noise"):
        ask(enough * 4 / 5)


@pytest.mark.parametrize(
    ("value", "below", "above", "support", "said"),
    [
        (0, 0.0, 7958.0, (0, math.inf), "little"),  # triangles of 800 people: "0, 0 to 7,958"
        (36, 40.0, 811.0, (0, math.inf), "little"),
        (0.2, 0.3, 0.5, (0.0, 1.0), "little"),
        (0.4, 0.5, 0.7, (0.0, 1.0), "nothing"),
        (0, 0.0, math.inf, (0, math.inf), "nothing"),  # one-sided, and nothing is known
        ((0, 1), 5.0, 5.0, (0, math.inf), "little"),
        ((0, 100), 5.0, 5.0, (0, math.inf), ""),  # one entry that tells something
        (1300, 500.0, 500.0, (0, math.inf), ""),
        (40, 40.0, 40.0, (0, math.inf), ""),
        (-0.1, 0.2, 0.2, (-1.0, 1.0), ""),
    ],
)
def test_an_answer_that_says_little_says_so(value, below, above, support, said) -> None:
    accuracy = Accuracy(value, None, (Band(0.95, below, above),), support=support)
    told = says_nothing(accuracy)
    assert told.startswith(f"this answer says {said}: ") if said else not told


def test_a_list_says_so_where_most_of_it_is_not_known() -> None:
    """A degree histogram is known for people of common degrees or it is not; its long end never is."""

    def accuracy(width: float) -> Accuracy:
        values = (0, 40, 60, 30, *(1 for _ in range(40)))
        return Accuracy(values, None, (Band(0.95, width, width),), support=(0, math.inf))

    assert says_nothing(accuracy(10)) == says_nothing(accuracy(35)) == ""
    assert "43 of its 44 entries have a 95 % interval that reaches from the smallest" in says_nothing(accuracy(45))
