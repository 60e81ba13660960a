"""Behaviour of all queries that stand on ladders: zero noise, production, coverage, odd graphs, forecasts."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from every_small_graph import least_successes, skewed_graph

from graphveil.central.edge.assortativity import Assortativity
from graphveil.central.edge.average_clustering import AverageClustering
from graphveil.central.edge.k_stars import KStars, ThreeStars, TwoStars
from graphveil.central.edge.transitivity import Transitivity
from graphveil.central.edge.triangles import LadderTriangles
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import exact_average_clustering, exact_transitivity
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.papers.peers.published_ladder import PublishedLadderTriangles
from graphveil.papers.peers.smooth_sensitivity import SmoothSensitivityTriangles
from graphveil.release.draw import run

EXACT: dict[Any, Callable[[Graph], float]] = {
    LadderTriangles: exact_triangles,
    PublishedLadderTriangles: exact_triangles,
    SmoothSensitivityTriangles: exact_triangles,
    TwoStars: lambda graph: exact_k_stars(graph, 2),
    ThreeStars: lambda graph: exact_k_stars(graph, 3),
    KStars: lambda graph: exact_k_stars(graph, 4),
    Transitivity: exact_transitivity,
    AverageClustering: exact_average_clustering,
    Assortativity: exact_assortativity,
}
NETWORK = skewed_graph(400, 3000, seed=1, skew=0.7)
over_pages = pytest.mark.parametrize("query", EXACT, ids=lambda query: query.__name__)


@over_pages
def test_without_noise_the_release_is_the_statistic(query: Any) -> None:
    value = run(query(epsilon=Fraction(10_000)), NETWORK, SeededNoise(1)).value
    assert value == pytest.approx(EXACT[query](NETWORK), rel=0.02 if query is SmoothSensitivityTriangles else 1e-5)


@over_pages
def test_the_loss_is_what_was_asked_and_fully_used(query: Any) -> None:
    for epsilon in (Fraction(1, 7), Fraction(2)):
        answer = run(query(epsilon=epsilon), NETWORK, SystemNoise())
        assert sum(stage.epsilon for stage in answer.stages) == epsilon
        assert query(epsilon=epsilon).guarantee.epsilon == epsilon


@over_pages
def test_intervals_cover_the_truth_as_often_as_they_say(query: Any) -> None:
    truth, noise, runs = EXACT[query](NETWORK), SeededNoise(2), 40
    epsilon = Fraction(5 if query is Assortativity else 1)  # so few people say next to nothing about it at 1
    hits = 0
    for _ in range(runs):
        low, high = run(query(epsilon=epsilon), NETWORK, noise).accuracy.interval(0.8)
        hits += low <= truth <= high
    assert hits >= least_successes(runs, 0.8)


@over_pages
@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (1, 2), (0, 2)]])
def test_graphs_of_next_to_nothing_get_an_answer(query: Any, edges: list[tuple[int, int]]) -> None:
    for extra in range(3):
        n_nodes = max((max(pair) + 1 for pair in edges), default=0) + extra
        answer = run(query(epsilon=Fraction(1, 2)), Graph.from_edges(edges, n_nodes=n_nodes), SeededNoise(3))
        low, high = answer.accuracy.interval(0.95)
        assert low <= answer.value <= high


@pytest.mark.parametrize("query", [LadderTriangles, PublishedLadderTriangles, SmoothSensitivityTriangles])
def test_two_people_have_no_triangle_and_that_needs_no_noise(query: Any) -> None:
    for _ in range(20):
        assert run(query(epsilon=Fraction(1, 10)), Graph.from_edges([(0, 1)]), SystemNoise()).value == 0


@over_pages
def test_forecasts_shrink_as_epsilon_grows_and_follow_guesses(query: Any) -> None:
    facts = PublicFacts(n_nodes=5000, max_degree=300)
    widths = [query(epsilon=Fraction(e)).forecast(facts).interval(0.95)[1] for e in ("0.1", "0.5", "1", "50")]
    assert all(isinstance(width, float | int) and width > 0 for width in widths[:3])
    assert widths == sorted(widths, reverse=True)
    less = PublicFacts(n_nodes=5000, max_degree=100)
    if query not in (Transitivity, AverageClustering, Assortativity):
        assert query(epsilon=Fraction(1)).forecast(less).interval(0.95)[1] < widths[2]


def test_a_forecast_with_the_right_guess_is_what_comes_out() -> None:
    graph = skewed_graph(2000, 30_000, seed=4, skew=0.6)
    query = LadderTriangles(epsilon=Fraction(1))
    answer = run(query, graph, SeededNoise(5))
    noisy = answer.derived["max_common_neighbors"]
    assert isinstance(noisy, int)
    facts = PublicFacts(2000, guesses={"max_common_neighbors": noisy})
    assert query.forecast(facts).bands == answer.accuracy.bands
    assert query.forecast(facts).std == answer.accuracy.std


def test_the_smoothed_ladder_beats_both_published_methods() -> None:
    facts = PublicFacts(n_nodes=5000, max_degree=800)
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(4)):
        queries = (LadderTriangles, PublishedLadderTriangles, SmoothSensitivityTriangles)
        ours, published, smooth = (query(epsilon=epsilon).forecast(facts).std for query in queries)
        assert isinstance(ours, float)
        assert ours < published < smooth


@over_pages
def test_answers_stay_within_what_is_possible(query: Any) -> None:
    tiny = Graph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    for seed in range(10):
        answer = run(query(epsilon=Fraction(1, 20)), tiny, SeededNoise(seed))
        low, high = answer.accuracy.support
        assert low <= answer.value <= high
        assert math.isfinite(answer.value)


@over_pages
def test_refuses_an_epsilon_that_is_none(query: Any) -> None:
    with pytest.raises(ParameterError, match="epsilon must be above 0"):
        query(epsilon=Fraction(0))


@pytest.mark.parametrize("friends_in_common", [1, 2, 4])
def test_triangles_of_a_sparse_network_are_about_as_close_as_on_the_published_ladder(friends_in_common: int) -> None:
    ours, published = (q(epsilon=Fraction(2)) for q in (LadderTriangles, PublishedLadderTriangles))
    assert ours.law_std(friends_in_common, 200) < 1.2 * published.law_std(friends_in_common, 200)
