"""Scalar statistics of people and of degrees: sensitivities by brute force, exact values, one-sided bands."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import edge_neighbours, largest_change, least_successes, node_neighbours, skewed_graph

from graphveil.central.degeneracy import Degeneracy, NodeDegeneracy
from graphveil.central.edge.components import ComponentCount
from graphveil.central.node.degree_bound import LEAST_BOUND
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.central.node.h_index import HIndex
from graphveil.central.node.nodes import NodeCount
from graphveil.central.node.stars import NodeThreeStars, NodeTwoStars
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.graph.statistics.degrees import exact_h_index, exact_k_stars
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run
from graphveil.statistics.degrees.node_tiles import tile_counts

ONE = Fraction(1)
NO_NOISE = Fraction(10_000)


def test_one_edge_changes_degeneracy_and_components_by_at_most_one() -> None:
    queries = [Degeneracy(epsilon=ONE), ComponentCount(epsilon=ONE)]
    worst = largest_change(edge_neighbours(5), lambda graph: [query.exact(graph) for query in queries])
    assert worst == [query.sensitivity for query in queries] == [1, 1]


def test_one_person_changes_these_by_at_most_one() -> None:
    queries = [NodeCount(epsilon=ONE), NodeDegeneracy(epsilon=ONE)]
    queries += [HIndex(epsilon=ONE, weight=Fraction(w)) for w in ("1", "3/2", "2", "3")]
    worst = largest_change(node_neighbours(5), lambda graph: [query.exact(graph) for query in queries])
    assert worst == [query.sensitivity for query in queries] == [1] * 6


def test_below_weight_one_one_person_moves_the_h_index_further_and_the_page_refuses() -> None:
    half = Fraction(1, 2)
    worst = max(abs(exact_h_index(a.degrees, half) - exact_h_index(b.degrees, half)) for a, b in node_neighbours(4))
    assert worst == 2
    with pytest.raises(ParameterError, match="weight must be at least 1"):
        HIndex(epsilon=ONE, weight=half)


def test_h_index_follows_its_definition() -> None:
    degrees = skewed_graph(60, 200, seed=1).degrees
    for weight in (Fraction(1), Fraction(3, 2), Fraction(1, 3)):
        supported = [x for x in range(61) if (degrees >= x).sum() >= weight * x]
        assert exact_h_index(degrees, weight) == max(supported)


@pytest.mark.parametrize("bound", [1, 2, 3])
@pytest.mark.parametrize("order", [0, 1])
def test_one_person_changes_truncated_counts_by_the_stated_sensitivity_and_no_more(bound: int, order: int) -> None:
    counts = [kind(epsilon=ONE).count for kind in (NodeEdgeCount, NodeTwoStars, NodeThreeStars)]
    worst = largest_change(
        node_neighbours(5),
        lambda graph: [count.exact(project_bounded_degree(graph, bound, order=order)) for count in counts],
    )
    assert all(change <= count.sensitivity(bound) for change, count in zip(worst, counts, strict=True))
    assert worst[0] == bound


@pytest.mark.parametrize("borders", [(0, 1), (0, 1, 2), (0, 2), (0, 1, 2, 3), (0, 1, 3), (0, 2, 3), (0, 3)])
def test_one_person_changes_all_tiles_together_by_the_bound_and_no_more(borders: tuple[int, ...]) -> None:
    def tiles(graph: Graph) -> np.ndarray:
        return tile_counts(project_bounded_degree(graph, borders[-1]).degrees, np.array(borders))

    values = {id(graph): tiles(graph) for graph in {id(g): g for pair in node_neighbours(5) for g in pair}.values()}
    worst = max(int(np.abs(values[id(less)] - values[id(more)]).sum()) for less, more in node_neighbours(5))
    assert worst == borders[-1]


@pytest.mark.parametrize(
    ("query", "statistic"),
    [
        (NodeCount(epsilon=NO_NOISE), lambda g: g.n_nodes),
        (HIndex(epsilon=NO_NOISE), lambda g: exact_h_index(g.degrees)),
        (NodeEdgeCount(epsilon=NO_NOISE, max_degree=100), lambda g: g.n_edges),
        (NodeTwoStars(epsilon=NO_NOISE, max_degree=60), lambda g: exact_k_stars(g, 2)),
    ],
)
def test_without_noise_the_release_is_the_statistic(query, statistic) -> None:
    graph = skewed_graph(200, 500, seed=2)
    assert graph.degrees.max() <= 60
    value = run(query, graph, SeededNoise(2)).value
    assert value == pytest.approx(statistic(graph), abs=10)  # 2-stars keep noise of scale 3 C(60, 2) / 10,000


@pytest.mark.parametrize("query", [NodeEdgeCount, NodeTwoStars, NodeThreeStars])
@pytest.mark.parametrize("max_degree", [None, 30])
def test_bound_and_count_cost_exactly_epsilon(query, max_degree: int | None) -> None:
    asked = query(epsilon=ONE, max_degree=max_degree)
    answer = run(asked, skewed_graph(100, 300, seed=3), SystemNoise())
    assert sum(stage.epsilon for stage in answer.stages) == ONE == asked.guarantee.epsilon
    assert asked.count.rate(7) * asked.count.sensitivity(7) + asked.count.bound.epsilon == ONE
    assert answer.value >= 0


def test_the_lower_end_holds_as_often_as_it_says_although_edges_are_dropped() -> None:
    graph, noise, runs = skewed_graph(300, 2500, seed=4, skew=0.9), SeededNoise(4), 200
    query = NodeEdgeCount(epsilon=ONE, max_degree=int(graph.degrees.max()))
    lows, highs = zip(*(run(query, graph, noise).accuracy.interval(0.8) for _ in range(runs)), strict=True)
    assert sum(low <= graph.n_edges for low in lows) >= least_successes(runs, 0.8)
    assert sum(low <= graph.n_edges for low in lows) < runs  # not vacuous either
    assert set(highs) == {math.inf}


def test_choosing_the_bound_pays_off_against_a_wrong_public_one() -> None:
    graph, noise = skewed_graph(3000, 20_000, seed=5), SeededNoise(5)

    def error(query: NodeEdgeCount) -> float:
        return sum(abs(run(query, graph, noise).value - graph.n_edges) for _ in range(10))

    assert error(NodeEdgeCount(epsilon=ONE)) < error(NodeEdgeCount(epsilon=ONE, max_degree=10))
    assert error(NodeEdgeCount(epsilon=ONE)) < error(NodeEdgeCount(epsilon=ONE, max_degree=2999))


@pytest.mark.parametrize("query", [NodeEdgeCount, NodeTwoStars, NodeThreeStars])
def test_forecasts_use_a_guess_and_improve_with_epsilon(query) -> None:
    facts = PublicFacts(n_nodes=5000)
    assert query(epsilon=Fraction(2)).forecast(facts).std < query(epsilon=ONE).forecast(facts).std
    guessed = PublicFacts(n_nodes=5000, guesses={"h_index": 20})
    assert query(epsilon=ONE).forecast(guessed).std < query(epsilon=ONE).forecast(facts).std


def test_noise_never_drives_a_chosen_bound_beyond_what_memory_holds() -> None:
    bound = NodeDegreeHistogram(epsilon=ONE).bound
    assert bound.value(10**12) == bound.most == 100_000
    assert bound.value(-(10**12)) == LEAST_BOUND
