from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.generate.random import barabasi_albert, power_law_cluster
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.synthetic.veil.goals import goals_from
from graphveil.synthetic.veil.measure import Measured, conclude_statistics, statistics_measurements
from graphveil.synthetic.veil.veil import Veil

GRAPH = power_law_cluster(1000, 4, 0.8, seed=3)


def measure(epsilon: str) -> Measured:
    measured: Measured = run(Veil(epsilon=Fraction(epsilon), way="measured"), GRAPH, SeededNoise(1)).parameters[
        "measured"
    ]
    return measured


def test_without_noise_average_clustering_is_met() -> None:
    assert goals_from(measure("5000")).average_clustering == pytest.approx(exact_average_clustering(GRAPH), rel=0.03)


def test_where_noise_drowns_the_classes_clustering_falls_with_degree_and_agrees_with_the_triangles() -> None:
    noisy = replace(measure("1/20"), triangles=exact_triangles(GRAPH))
    goals = goals_from(replace(noisy, clustering=np.zeros_like(noisy.clustering), epsilons=_all_tiny(noisy)))
    assert np.all(np.diff(goals.clustering) < 0)
    wedges = goals.scale.sums(goals.degrees, goals.degrees * (goals.degrees - 1.0) / 2)
    assert wedges @ goals.clustering / 3 == pytest.approx(noisy.triangles, rel=0.1)


def _all_tiny(measured: Measured) -> dict[str, Fraction]:
    return {**measured.epsilons, "clustering": Fraction(1, 10**6)}


def test_a_graph_without_triangles_is_asked_for_next_to_none() -> None:
    tree = barabasi_albert(3000, 1, seed=1)
    fit = run(Veil(epsilon=Fraction(20), way="measured"), tree, SeededNoise(1))
    assert goals_from(fit.parameters["measured"]).average_clustering < 0.002


def test_hardly_anybody_is_left_without_friends_where_all_have_some() -> None:
    tree = barabasi_albert(7000, 1, seed=1)
    goals = goals_from(run(Veil(epsilon=Fraction(1, 10)), tree, SeededNoise(2)).parameters["measured"])
    assert np.count_nonzero(goals.degrees == 0) < 0.04 * len(goals.degrees)
    assert np.count_nonzero(goals.degrees == 1) == pytest.approx(np.count_nonzero(tree.degrees == 1), rel=0.1)


def test_degrees_help_to_tell_the_number_of_edges() -> None:
    """The more, the less epsilon the number of edges itself gets."""
    shares = {**Veil(epsilon=Fraction(1, 10)).shares("measured"), "edges": Fraction(1, 300)}
    own, both = [], []
    for seed in range(40):
        outcomes = draw(statistics_measurements(GRAPH, shares), SeededNoise(seed))
        own.append(abs(outcomes[0] - GRAPH.n_edges))
        both.append(abs(conclude_statistics(GRAPH.n_nodes, shares, outcomes).edges - GRAPH.n_edges))
    assert np.mean(both) < 0.9 * np.mean(own)
