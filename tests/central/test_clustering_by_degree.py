from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.edge.clustering_by_degree import ClusteringByDegree
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import capped_class_sums, exact_local_clustering
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run
from graphveil.statistics.degrees.degree_classes import PEOPLE_SENSITIVITY, DegreeClasses, Q, exact_class_sums


def shares_of_the_loss(less: Graph, more: Graph) -> tuple[float, int]:
    """How much of the claimed loss one edge uses, of the clustering and of the people part."""
    classes = DegreeClasses(less.n_nodes)
    (f, p), (f2, p2) = exact_class_sums(less, classes), exact_class_sums(more, classes)
    loss = sum(int(w) * abs(int(a) - int(b)) for w, a, b in zip(classes.noise_weights[1:], f, f2, strict=True))
    return loss / classes.clustering_sensitivity(), int(np.abs(p - p2).sum())


def test_one_edge_of_all_small_graphs_stays_within_the_claimed_loss() -> None:
    used = [shares_of_the_loss(less, more) for less, more in edge_neighbours(5)]
    assert 0.2 < max(clustering for clustering, _ in used) <= 1
    assert max(people for _, people in used) == PEOPLE_SENSITIVITY


def extremal_graphs() -> list[Graph]:
    n = 24
    hubs = [(hub, leaf) for hub in (0, 1) for leaf in range(2, n)]
    clique = list(combinations(range(n), 2))
    star = [(0, leaf) for leaf in range(1, n)]
    wheel = star + [(leaf, leaf % (n - 1) + 1) for leaf in range(1, n)]
    return [Graph.from_edges(edges, n_nodes=n) for edges in (hubs, clique, star, wheel, hubs[: n // 2])]


@pytest.mark.parametrize("graph", [*extremal_graphs(), skewed_graph(24, 120, seed=1), skewed_graph(40, 90, seed=2)])
def test_one_edge_of_extremal_graphs_stays_within_the_claimed_loss(graph: Graph) -> None:
    edges = {tuple(edge) for edge in graph.edges().tolist()}
    for pair in combinations(range(min(graph.n_nodes, 12)), 2):
        other = Graph.from_edges(sorted(edges ^ {pair}), n_nodes=graph.n_nodes)
        clustering, people = shares_of_the_loss(graph, other)
        assert clustering <= 1
        assert people <= PEOPLE_SENSITIVITY


def test_without_caps_the_classes_add_up_to_all_local_clusterings() -> None:
    graph = skewed_graph(200, 1500, seed=3)
    classes = DegreeClasses(200)
    low, high = classes.clustering_weights()
    sums = capped_class_sums(graph, classes.k, low, high, np.full(classes.count + 2, 2**60))
    assert sums.sum() / Q == pytest.approx(exact_local_clustering(graph).sum(), rel=1e-6)
    capped = exact_class_sums(graph, classes)[0]
    assert np.all(capped <= sums[1 : classes.count])
    people = exact_class_sums(graph, classes)[1] / 2.0 ** np.arange(1, classes.count)
    assert people.sum() <= np.count_nonzero(graph.degrees > 0)


def test_people_with_very_many_friends_are_in_no_class() -> None:
    classes = DegreeClasses(40_000)
    few, many = classes.people(np.array([5, 8])), classes.people(np.array([5, 8, 16_384, 20_000]))
    assert np.array_equal(few, many)


def test_without_noise_a_clique_with_tails_has_the_clustering_of_its_members() -> None:
    clique = [(u, v) for u, v in combinations(range(17), 2)]
    graph = Graph.from_edges(clique, n_nodes=40)
    value = run(ClusteringByDegree(epsilon=Fraction(10_000)), graph, SeededNoise(1)).value
    assert isinstance(value, tuple)
    assert value[3] == pytest.approx(1, abs=0.1)  # everybody has degree 16


def test_bands_cover_the_capped_clustering_of_all_classes_together() -> None:
    graph, runs, noise = skewed_graph(400, 4000, seed=4, skew=0.7), 40, SeededNoise(5)
    classes = DegreeClasses(400)
    f, p = exact_class_sums(graph, classes)
    truth = np.divide(f / Q, p / 2.0 ** np.arange(1, classes.count), out=np.zeros(len(f)), where=p > 0)
    hits = 0
    for _ in range(runs):
        low, high = run(ClusteringByDegree(epsilon=Fraction(1)), graph, noise).accuracy.interval(0.8)
        hits += bool(np.all(np.array(low) <= truth + 1e-12) and np.all(truth <= np.array(high) + 1e-12))
    assert hits >= least_successes(runs, 0.8)


def test_production_noise_and_forecast() -> None:
    graph = skewed_graph(400, 4000, seed=4)
    query = ClusteringByDegree(epsilon=Fraction(1, 3))
    answer = run(query, graph, SystemNoise())
    assert sum(stage.epsilon for stage in answer.stages) == Fraction(1, 3)
    assert isinstance(answer.value, tuple)
    assert all(0 <= clustering <= 1 for clustering in answer.value)
    forecast = query.forecast(PublicFacts(400))
    assert isinstance(forecast.value, tuple)
    assert len(forecast.value) == len(answer.value)


@pytest.mark.parametrize("n_nodes", [0, 1, 2])
def test_too_few_people_have_no_classes(n_nodes: int) -> None:
    answer = run(ClusteringByDegree(epsilon=Fraction(1)), Graph.from_edges([], n_nodes=n_nodes), SeededNoise(1))
    assert answer.value == ()
    assert answer.accuracy.interval(0.95) == ((), ())


def test_the_forecast_expects_most_people_near_the_mean_degree_and_nobody_far_above() -> None:
    """Classes of equal size were forecast before: a twelfth of epsilon 1 looked worth its while for 5,000 people."""
    twelfth, whole = (
        ClusteringByDegree(epsilon=Fraction(1, each)).forecast(PublicFacts(5_000)).std for each in (12, 1)
    )
    assert min(whole[2:6]) == min(whole) < 0.01  # around 8 to 64 friends
    assert whole[8] == 0.5  # around 512
    assert np.median(twelfth) > 0.2 > np.median(whole)
