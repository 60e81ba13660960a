"""Ladders of average clustering and of degree products, and the smooth bound, against all graphs on five people."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import skewed_graph
from exact_loss import all_graphs, assert_ladder_function, flips, largest_loss, values_of

from graphveil.central.edge.assortativity import level_of_products
from graphveil.central.edge.average_clustering import (
    Q,
    clustering_ladder,
    heaviest_change,
    total_clustering,
)
from graphveil.central.edge.triangles import LadderTriangles
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.degrees import exact_degree_products, neighbour_degree_sums, two_largest
from graphveil.papers.peers.smooth_sensitivity import noise_scale, smooth_bound
from graphveil.statistics.ladder.functions import product_ladder
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

N = 5
GRAPHS = all_graphs(N)
MASKS = np.arange(len(GRAPHS))


def products_of(graph: Graph) -> Ladder:
    sums = two_largest(neighbour_degree_sums(graph))
    return product_ladder(two_largest(graph.degrees.astype(np.int64)), sums, graph.n_nodes)


def largest_step(values: np.ndarray) -> int:
    return max(int(np.abs(values - values[MASKS ^ flip]).max()) for flip in flips(N))


def test_clustering_has_a_ladder_function_and_its_start_the_stated_sensitivity() -> None:
    starts = np.array([heaviest_change(graph) for graph in GRAPHS])
    ladders = [clustering_ladder(int(start), N) for start in starts]
    assert_ladder_function(values_of(GRAPHS, total_clustering), ladders, N, count=12)
    assert 0.9 * Q < largest_step(starts) <= Q


@pytest.mark.parametrize("seed", range(4))
def test_one_edge_of_a_larger_graph_changes_no_more_than_the_ladder_says(seed: int) -> None:
    graph = skewed_graph(14, 30, seed=seed)
    edges = graph.edges().tolist()
    for i in range(len(edges)):
        other = Graph.from_edges(edges[:i] + edges[i + 1 :], n_nodes=14)
        change = abs(total_clustering(graph) - total_clustering(other))
        assert change <= min(heaviest_change(graph), heaviest_change(other))
        assert abs(heaviest_change(graph) - heaviest_change(other)) <= Q
        moved = abs(exact_degree_products(graph) - exact_degree_products(other))
        assert moved <= min(products_of(graph).steps[0], products_of(other).steps[0])
        assert np.all(products_of(graph).first(20)[:-1] <= products_of(other).first(20)[1:])


def test_the_integer_sum_is_average_clustering() -> None:
    graph = skewed_graph(60, 300, seed=1)
    assert total_clustering(graph) / (Q * 60) == pytest.approx(exact_average_clustering(graph), abs=1 / Q)


def test_degree_products_have_a_ladder_function() -> None:
    values = values_of(GRAPHS, exact_degree_products)
    ladders = [products_of(graph) for graph in GRAPHS]
    assert_ladder_function(values, ladders, N)
    for share in (Fraction(1, 20), Fraction(1, 2)):
        laws = [SmoothedLadder(ladder, Fraction(1), share) for ladder in ladders]
        assert 0.3 < largest_loss(values, laws, N, margin=400) < 1


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(20), Fraction(200)])
def test_levels_have_sensitivity_one(epsilon: Fraction) -> None:
    levels = np.array([level_of_products(products_of(graph), epsilon) for graph in GRAPHS])
    assert largest_step(levels) <= 1
    if epsilon == 200:
        assert largest_step(levels) == 1


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(10), Fraction(30)])
def test_smooth_sensitivity_loses_less_than_epsilon(epsilon: Fraction) -> None:
    query = LadderTriangles(epsilon=Fraction(1))
    outcomes = np.arange(-600, 611)
    scales = [float(noise_scale(smooth_bound(query.count.ladder(graph), epsilon), epsilon)) for graph in GRAPHS]
    total = {scale: (1 / (1 + (np.arange(-50_000, 50_001) / scale) ** 4)).sum() for scale in set(scales)}
    laws = np.array([
        -np.log1p(((outcomes - query.count.exact(graph)) / scale) ** 4) - np.log(total[scale])
        for graph, scale in zip(GRAPHS, scales, strict=True)
    ])  # fmt: skip
    loss = max(float(np.abs(laws - laws[MASKS ^ flip]).max()) for flip in flips(N))
    assert 0.01 * float(epsilon) < loss <= float(epsilon)
