from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.edge.degree_sequence import YoungDegreeSequence
from graphveil.central.edge.isotonic_degree_sequence import SENSITIVITY, DegreeSequence, exact_sequence
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run

NO_NOISE = Fraction(10_000)
QUERIES = [DegreeSequence, YoungDegreeSequence]


def test_one_edge_changes_the_sorted_list_by_exactly_the_stated_sensitivity() -> None:
    worst = max(int(np.abs(exact_sequence(more) - exact_sequence(less)).sum()) for less, more in edge_neighbours(5))
    assert worst == SENSITIVITY


@pytest.mark.parametrize("query", QUERIES)
def test_without_noise_the_release_is_the_sequence(query) -> None:
    graph = skewed_graph(300, 900, seed=1)
    assert run(query(epsilon=NO_NOISE), graph, SeededNoise(1)).value == tuple(exact_sequence(graph))


@pytest.mark.parametrize("query", QUERIES)
def test_the_release_is_a_falling_list_of_possible_degrees_under_system_noise(query) -> None:
    graph = skewed_graph(300, 900, seed=2)
    value = run(query(epsilon=Fraction(1, 10)), graph, SystemNoise()).value
    assert len(value) == 300
    assert all(a >= b for a, b in pairwise(value))
    assert 0 <= value[-1] <= value[0] <= 299
    assert all(isinstance(degree, int) for degree in value)


@pytest.mark.parametrize("query", QUERIES)
def test_guarantee_and_rate_follow_epsilon(query) -> None:
    asked = query(epsilon=Fraction(3, 10))
    assert asked.guarantee.epsilon == Fraction(3, 10)
    assert str(asked.guarantee.unit) == "edge"
    assert asked.rate == Fraction(3, 20)


@pytest.mark.parametrize("query", QUERIES)
def test_the_band_covers_the_whole_sequence_as_often_as_it_says(query) -> None:
    graph, noise, runs = skewed_graph(150, 400, seed=3), SeededNoise(3), 60
    truth = exact_sequence(graph)
    asked = query(epsilon=Fraction(1))
    hits = 0
    for _ in range(runs):
        low, high = run(asked, graph, noise).accuracy.interval(0.8)
        hits += bool(np.all(np.array(low) <= truth) and np.all(truth <= np.array(high)))
    assert hits >= least_successes(runs, 0.8)


@pytest.mark.parametrize("query", QUERIES)
def test_forecast_is_the_noise_of_one_rank(query) -> None:
    weak, strong = (query(epsilon=Fraction(e)).forecast(PublicFacts(n_nodes=50)) for e in (1, 2))
    assert weak.std > strong.std > 0
    assert weak.interval(0.95)[1] > strong.interval(0.95)[1] > 0


@pytest.mark.parametrize("n_nodes", [0, 1, 2])
@pytest.mark.parametrize("query", QUERIES)
def test_nobody_and_hardly_anybody(query, n_nodes: int) -> None:
    graph = Graph.from_edges([], n_nodes=n_nodes)
    answer = run(query(epsilon=Fraction(10)), graph, SeededNoise(1))
    assert answer.value == (0,) * n_nodes
    assert len(answer.accuracy.interval(0.95)[0]) == n_nodes


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1)])
@pytest.mark.parametrize("query", QUERIES)
def test_refuses_an_epsilon_that_is_none(query, epsilon: Fraction) -> None:
    with pytest.raises(ParameterError, match="epsilon must be above 0"):
        query(epsilon=epsilon)


def test_tiles_tell_common_degrees_better_than_single_ranks_do() -> None:
    graph, noise = skewed_graph(2000, 8000, seed=7), SeededNoise(7)
    truth = exact_sequence(graph)

    def error(query) -> float:
        return float(np.mean([np.abs(run(query, graph, noise).value - truth).mean() for _ in range(5)]))

    assert 2 * error(YoungDegreeSequence(epsilon=Fraction(1))) < error(DegreeSequence(epsilon=Fraction(1)))
