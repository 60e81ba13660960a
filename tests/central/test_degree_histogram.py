from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from every_small_graph import least_successes, skewed_graph

from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.central.query import Answer, PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run

NO_NOISE = Fraction(10_000)


def exact_histogram(graph: Graph, size: int) -> np.ndarray:
    return np.bincount(graph.degrees, minlength=max(size, graph.n_nodes))[:size]


def test_without_noise_the_release_is_the_histogram() -> None:
    graph = skewed_graph(300, 900, seed=1)
    value = run(DegreeHistogram(epsilon=NO_NOISE), graph, SeededNoise(1)).value
    top = int(graph.degrees.max())
    dense = np.bincount(graph.degrees)
    width_one = int(np.flatnonzero(dense == 0)[0])  # without noise every level with people above it is its own tile
    assert np.allclose(value[:width_one], dense[:width_one])
    assert len(value) == top + 1


def test_entries_sum_to_the_public_number_of_people_under_system_noise() -> None:
    graph = skewed_graph(400, 1500, seed=2)
    value = np.array(run(DegreeHistogram(epsilon=Fraction(1, 5)), graph, SystemNoise()).value)
    assert value.min() >= 0
    assert value.sum() == pytest.approx(400)


def test_guarantee_and_rate_follow_epsilon() -> None:
    query = DegreeHistogram(epsilon=Fraction(3, 10))
    assert query.guarantee.epsilon == Fraction(3, 10)
    assert str(query.guarantee.unit) == "edge"
    assert query.rate == Fraction(3, 20)


def test_more_people_per_degree_or_more_epsilon_give_narrower_tiles() -> None:
    weak, strong = DegreeHistogram(epsilon=Fraction(1, 10)), DegreeHistogram(epsilon=Fraction(1))
    assert weak.width(10, 1000.0) > strong.width(10, 1000.0)
    assert strong.width(50, 100.0) > strong.width(50, 100_000.0)


def ring(people: int, degree: int) -> Graph:
    return Graph.from_edges([(i, (i + j) % people) for i in range(people) for j in range(1, degree // 2 + 1)])


GRAPHS = {
    "falling degrees": skewed_graph(500, 3000, seed=3),
    "hubs": power_law_cluster(400, 5, 0.5, seed=5),
    "one hub": Graph.from_edges([(0, i) for i in range(1, 300)], n_nodes=400),
    "no edges": Graph.from_edges([], n_nodes=200),
    "equal degrees": ring(600, 40),  # no scatter within a pool from which its width could be guessed
    "equal high degrees": ring(600, 120),
}
RUNS = 60


@cache
def answers_about(name: str) -> list[Answer]:
    noise = SeededNoise(3)
    return [run(DegreeHistogram(epsilon=Fraction(1)), GRAPHS[name], noise) for _ in range(RUNS)]


def held(answer: Answer, graph: Graph, level: float, *, reach: float = 1, left_out: int = 0) -> bool:
    """Return whether the interval, `reach` times as long, holds every entry; beyond the last it says that nobody is.

    The last `left_out` entries of the list are taken away before.
    """
    ends = np.array([*answer.accuracy.interval(level), answer.value])[:, : len(answer.value) - left_out]
    low, high, value = np.pad(ends, ((0, 0), (0, graph.n_nodes - ends.shape[1])))
    truth = np.bincount(graph.degrees, minlength=graph.n_nodes)
    low = np.where(low > 0, value - reach * (value - low), 0)  # no number of people is below 0, however sure we are
    high = value + reach * (high - value)
    return bool(np.all((low <= truth + 1e-6) & (truth <= high + 1e-6)))


@pytest.mark.parametrize("name", GRAPHS)
def test_the_band_covers_all_entries_as_often_as_it_says(name: str) -> None:
    """A right program fails with a probability below 1e-6 for each graph and level."""
    graph, answers = GRAPHS[name], answers_about(name)
    for level in (0.8, 0.95):
        assert sum(held(answer, graph, level) for answer in answers) >= least_successes(RUNS, level)


@pytest.mark.parametrize("name", ["falling degrees", "hubs", "one hub", "equal degrees", "equal high degrees"])
def test_a_shorter_band_or_list_is_noticed(name: str) -> None:
    """The counterpart: intervals of a third of their length, and lists that end before the largest degree."""
    graph, answers = GRAPHS[name], answers_about(name)
    assert sum(held(answer, graph, 0.8, reach=1 / 3) for answer in answers) < least_successes(RUNS, 0.8)
    for answer in answers:
        assert not held(answer, graph, 0.95, left_out=len(answer.value) - int(graph.degrees.max()))


def test_degrees_beyond_the_end_of_the_list_are_had_by_nobody() -> None:
    graph, noise = skewed_graph(500, 3000, seed=3), SeededNoise(5)
    runs = [run(DegreeHistogram(epsilon=Fraction(1)), graph, noise) for _ in range(60)]
    assert min(len(answer.value) for answer in runs) > graph.degrees.max()


def test_smoothing_beats_the_plain_noisy_histogram() -> None:
    graph, noise = skewed_graph(2000, 8000, seed=4), SeededNoise(4)
    query = DegreeHistogram(epsilon=Fraction(1))
    plain_error = 4 * np.count_nonzero(np.bincount(graph.degrees))  # a histogram with noise of scale 4 on each entry
    errors = []
    for _ in range(5):
        value = np.array(run(query, graph, noise).value)
        errors.append(np.abs(value - exact_histogram(graph, len(value))).sum())
    assert np.mean(errors) < plain_error


def test_forecast_needs_public_facts_only() -> None:
    weak = DegreeHistogram(epsilon=Fraction(1, 10)).forecast(PublicFacts(n_nodes=1000))
    strong = DegreeHistogram(epsilon=Fraction(1)).forecast(PublicFacts(n_nodes=1000))
    assert weak.std > strong.std > 0
    assert weak.bands[0].above > strong.bands[0].above


@pytest.mark.parametrize(("n_nodes", "expected"), [(0, ()), (1, (1.0,))])
def test_nobody_and_one_person(n_nodes: int, expected: tuple[float, ...]) -> None:
    answer = run(DegreeHistogram(epsilon=Fraction(1)), Graph.from_edges([], n_nodes=n_nodes), SeededNoise(1))
    assert answer.value == expected
    assert len(answer.accuracy.interval(0.95)[0]) == n_nodes
