from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import least_successes, skewed_graph

from graphveil.central.node.degree_histogram import DEFAULT_BOUND, NodeDegreeHistogram
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import barabasi_albert
from graphveil.mechanisms.accuracy import discrete_laplace_quantile
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run


def exact_histogram(graph: Graph, size: int) -> np.ndarray:
    return np.bincount(graph.degrees, minlength=size)[:size]


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("max_degree", [None, 50])
def test_the_parts_cost_exactly_epsilon(epsilon: Fraction, max_degree: int | None) -> None:
    query = NodeDegreeHistogram(epsilon=epsilon, max_degree=max_degree)
    assert sum(query.shares) == epsilon == query.guarantee.epsilon
    assert str(query.guarantee.unit) == "node"
    stages = run(query, skewed_graph(100, 200, seed=1), SeededNoise(1)).stages
    assert sum(stage.epsilon for stage in stages) == epsilon


def test_a_public_bound_costs_nothing_and_is_used() -> None:
    graph = skewed_graph(200, 600, seed=2)
    answer = run(NodeDegreeHistogram(epsilon=Fraction(1), max_degree=40), graph, SeededNoise(2))
    assert answer.derived["max_degree"] == 40
    assert "h_index" not in answer.derived
    small = run(NodeDegreeHistogram(epsilon=Fraction(1, 10)), graph, SeededNoise(2))
    assert small.derived["max_degree"] == DEFAULT_BOUND


def test_with_much_budget_the_histogram_is_close() -> None:
    graph = skewed_graph(3000, 15_000, seed=3)
    value = np.array(run(NodeDegreeHistogram(epsilon=Fraction(50)), graph, SeededNoise(3)).value)
    error = np.abs(value - exact_histogram(graph, len(value))).sum() / graph.n_nodes
    assert error < 0.12  # the scatter of single degrees around a smooth curve


def test_entries_are_counts_that_sum_to_the_noisy_number_of_people_under_system_noise() -> None:
    graph = skewed_graph(400, 1500, seed=4)
    answer = run(NodeDegreeHistogram(epsilon=Fraction(1)), graph, SystemNoise())
    value = np.array(answer.value)
    assert value.min() >= 0
    assert value.sum() == pytest.approx(answer.derived["people"])


def test_upper_ends_cover_all_entries_and_lower_ends_say_nothing() -> None:
    graph, noise, runs = skewed_graph(500, 4000, seed=5), SeededNoise(5), 40
    hits = 0
    for _ in range(runs):
        accuracy = run(NodeDegreeHistogram(epsilon=Fraction(2)), graph, noise).accuracy
        low, high = accuracy.interval(0.8)
        assert set(low) == {0}
        hits += bool(np.all(exact_histogram(graph, len(high)) <= np.array(high) + 1e-6))
    assert hits >= least_successes(runs, 0.8)
    assert "one-sided" in accuracy.scope


@pytest.mark.parametrize("n_nodes", [0, 1, 3])
def test_hardly_anybody(n_nodes: int) -> None:
    answer = run(NodeDegreeHistogram(epsilon=Fraction(1)), Graph.from_edges([], n_nodes=n_nodes), SeededNoise(6))
    assert np.all(np.isfinite(answer.value))
    assert sum(answer.value) == pytest.approx(answer.derived["people"])


def test_forecast_improves_with_epsilon_and_with_a_lower_bound() -> None:
    facts = PublicFacts(n_nodes=5000)
    weak, strong = (NodeDegreeHistogram(epsilon=Fraction(e)).forecast(facts).std for e in (1, 2))
    assert weak > strong
    assert NodeDegreeHistogram(epsilon=Fraction(1), max_degree=20).forecast(facts).std < weak


def test_refuses_a_bound_below_one() -> None:
    with pytest.raises(ParameterError, match="max_degree must be at least 1, not 0"):
        NodeDegreeHistogram(epsilon=Fraction(1), max_degree=0)


def test_upper_ends_allow_for_the_noise_of_the_number_of_people() -> None:
    graph, noise, runs = Graph.from_edges([], n_nodes=200), SeededNoise(7), 60
    query = NodeDegreeHistogram(epsilon=Fraction(20), max_degree=2)  # nearly exact tiles; the count of people decides
    hits = sum(run(query, graph, noise).accuracy.interval(0.8)[1][0] >= 200 for _ in range(runs))
    assert hits >= least_successes(runs, 0.8)


@pytest.mark.parametrize("epsilon", [300, 10_000])
@pytest.mark.parametrize("max_degree", [None, 96])
def test_next_to_no_noise_the_fit_still_ends(epsilon, max_degree):
    graph = barabasi_albert(300, 3, seed=1)
    query = NodeDegreeHistogram(epsilon=Fraction(epsilon), max_degree=max_degree)
    histogram = np.array(run(query, graph, SeededNoise(1)).value)
    degrees = np.arange(len(histogram))
    assert histogram @ degrees == pytest.approx(graph.degrees.sum(), rel=0.05)


def test_no_upper_end_passes_that_of_the_number_of_people() -> None:
    graph = skewed_graph(500, 4000, seed=5)
    answer = run(NodeDegreeHistogram(epsilon=Fraction(1)), graph, SeededNoise(8))
    high = np.array(answer.accuracy.interval(0.95)[1])
    noise = discrete_laplace_quantile(NodeDegreeHistogram(epsilon=Fraction(1)).shares.people, 0.95)
    assert high[: len(answer.value)].max() <= max(answer.derived["people"] + noise, max(answer.value))
    assert high[0] < answer.derived["people"]  # hardly anybody has no neighbours here
