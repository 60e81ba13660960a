"""The largest edge betweenness from random shortest paths: right, with an error that holds, whatever the threads."""

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi, power_law_cluster
from graphveil.graph.statistics import path_samples
from graphveil.graph.statistics.betweenness import exact_edge_betweenness
from graphveil.graph.statistics.path_samples import largest_edge_betweenness


def shares(graph, pairs, seed):
    """How often each edge lies on a drawn path, for all edges in order."""
    drawn = path_samples._draw(graph, pairs, np.random.default_rng(seed))[0]
    return np.array([(drawn == edge).sum() for edge in graph.edges() @ [graph.n_nodes, 1]]) / pairs


@pytest.mark.parametrize(
    "graph", [erdos_renyi(30, m=70, seed=3), erdos_renyi(40, m=35, seed=1), power_law_cluster(60, 3, 0.5, seed=1)]
)
def test_all_edges_are_drawn_as_often_as_their_betweenness_says(graph):
    pairs = 40_000
    expected = exact_edge_betweenness(graph) / (graph.n_nodes * (graph.n_nodes - 1) / 2)
    deviation = np.sqrt(expected * (1 - expected) / pairs)
    assert (np.abs(shares(graph, pairs, seed=5) - expected) < 5 * deviation).all()


def test_more_paths_than_floats_can_count():
    """A chain of 3,000 squares joined at corners: up to 2^3000 shortest paths between two people."""
    corners = 3 * np.arange(3_000)
    sides = [np.stack((corners + i, corners + j), axis=1) for i, j in ((0, 1), (0, 2), (1, 3), (2, 3))]
    found = largest_edge_betweenness(Graph.from_edges(np.concatenate(sides)), seed=1, pairs=1_000)
    assert abs(found.value - 4_500**2 / 2) < 4 * found.standard_error < found.value / 2


def test_the_stated_error_holds():
    graph = power_law_cluster(400, 4, 0.5, seed=2)
    exact = exact_edge_betweenness(graph)
    found = [largest_edge_betweenness(graph, seed=seed, pairs=20_000) for seed in range(20)]
    off = np.array([(one.value - exact.max()) / one.standard_error for one in found])
    assert (np.abs(off) < 2).mean() > 0.7
    assert abs(off.mean()) < 1  # not too large on average, as a maximum of estimates would be


def test_the_number_of_threads_does_not_matter(monkeypatch):
    graph = erdos_renyi(200, m=500, seed=1)
    several = largest_edge_betweenness(graph, seed=4, pairs=4_000)
    monkeypatch.setattr(path_samples.os, "cpu_count", lambda: 1)
    assert largest_edge_betweenness(graph, seed=4, pairs=4_000) == several


def test_few_pairs_where_paths_are_long():
    ring = Graph.from_edges([(i, (i + 1) % 2_001) for i in range(2_001)])
    found = largest_edge_betweenness(ring, seed=1, steps=500_000)
    assert found.pairs < 1_000
    assert abs(found.value - 1_000 * 1_001 / 2) < 4 * found.standard_error


@pytest.mark.parametrize("n_nodes", [0, 1, 5])
def test_nobody_is_joined(n_nodes):
    assert largest_edge_betweenness(Graph.from_edges([], n_nodes=n_nodes), seed=1).value == 0
