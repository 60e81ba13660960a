from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.degree_sequence import SENSITIVITY, DegreeSequence, exact_sequence
from graphveil.central.page import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise, SystemNoise

NO_NOISE = Fraction(10_000)


def test_one_edge_changes_the_sorted_list_by_exactly_the_stated_sensitivity() -> None:
    worst = max(int(np.abs(exact_sequence(more) - exact_sequence(less)).sum()) for less, more in edge_neighbours(5))
    assert worst == SENSITIVITY


def test_without_noise_the_release_is_the_sequence() -> None:
    graph = skewed_graph(300, 900, seed=1)
    assert DegreeSequence(epsilon=NO_NOISE).run(graph, SeededNoise(1)).value == tuple(exact_sequence(graph))


def test_the_release_is_a_falling_list_of_possible_degrees_under_system_noise() -> None:
    graph = skewed_graph(300, 900, seed=2)
    value = DegreeSequence(epsilon=Fraction(1, 10)).run(graph, SystemNoise()).value
    assert len(value) == 300
    assert all(a >= b for a, b in pairwise(value))
    assert 0 <= value[-1] <= value[0] <= 299
    assert all(isinstance(degree, int) for degree in value)


def test_guarantee_and_rate_follow_epsilon() -> None:
    page = DegreeSequence(epsilon=Fraction(3, 10))
    assert page.guarantee.epsilon == Fraction(3, 10)
    assert str(page.guarantee.unit) == "edge"
    assert page.rate == Fraction(3, 20)


def test_the_band_covers_the_whole_sequence_as_often_as_it_says() -> None:
    graph, noise, runs = skewed_graph(150, 400, seed=3), SeededNoise(3), 60
    truth = exact_sequence(graph)
    page = DegreeSequence(epsilon=Fraction(1))
    hits = 0
    for _ in range(runs):
        low, high = page.run(graph, noise).accuracy.interval(0.8)
        hits += bool(np.all(np.array(low) <= truth) and np.all(truth <= np.array(high)))
    assert hits >= least_successes(runs, 0.8)


def test_forecast_equals_the_accuracy_that_is_reached() -> None:
    graph = skewed_graph(50, 100, seed=4)
    page = DegreeSequence(epsilon=Fraction(1))
    assert page.forecast(PublicFacts(n_nodes=50)).bands == page.run(graph, SeededNoise(1)).accuracy.bands


@pytest.mark.parametrize("n_nodes", [0, 1])
def test_nobody_and_one_person(n_nodes: int) -> None:
    graph = Graph.from_edges([], n_nodes=n_nodes)
    assert DegreeSequence(epsilon=Fraction(1)).run(graph, SeededNoise(1)).value == (0,) * n_nodes


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1)])
def test_refuses_an_epsilon_that_is_none(epsilon: Fraction) -> None:
    with pytest.raises(ParameterError, match="epsilon must be above 0"):
        DegreeSequence(epsilon=epsilon)
