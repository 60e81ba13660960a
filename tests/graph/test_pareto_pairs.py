"""Extremes over pairs against all pairs, one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from small_graphs import graphs

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.pareto_pairs import heaviest_pair, neighbour_front, star_front


def rows(graph):
    return [set(graph.neighbors(node).tolist()) for node in range(graph.n_nodes)]


def brute_neighbour_points(graph):
    near = rows(graph)
    return {(len(near[u] & near[v]), len((near[u] ^ near[v]) - {u, v})) for u, v in combinations(range(len(near)), 2)}


def brute_star_points(graph):
    near = rows(graph)
    degrees = [(len(near[u] - {v}), len(near[v] - {u})) for u, v in combinations(range(len(near)), 2)]
    return {(max(pair), min(pair)) for pair in degrees}


def brute_front(points):
    better = lambda p, q: p != q and p[0] >= q[0] and p[1] >= q[1]  # noqa: E731
    return tuple(sorted((p for p in points if not any(better(q, p) for q in points)), reverse=True))


def brute_heaviest(graph, end, common):
    near = rows(graph)
    best = 0
    for u, v in combinations(range(len(near)), 2):
        if near[u] & near[v]:
            inner = sum(int(common[len(near[w])]) for w in near[u] & near[v])
            best = max(best, int(end[len(near[u] - {v})] + end[len(near[v] - {u})]) + inner)
    return best


def agree(graph):
    assert neighbour_front(graph) == brute_front(brute_neighbour_points(graph))
    assert star_front(graph) == brute_front(brute_star_points(graph))
    degree = np.arange(graph.n_nodes + 1)
    end, common = 60 // (degree + 1), 120 // np.maximum(1, degree * (degree - 1))
    assert heaviest_pair(graph, end, common) == brute_heaviest(graph, end, common)


@given(graphs())
def test_small_graphs_of_every_shape(graph):
    agree(graph)


def test_the_pair_with_most_in_common_need_not_be_hubs():
    """Three stars of 60 are the hubs; two others share 20 friends, who know nobody else."""
    stars = [(hub, 100 + 60 * hub + leaf) for hub in range(3) for leaf in range(60)]
    close = [(pair, 10 + friend) for pair in (3, 4) for friend in range(20)]
    graph = Graph.from_edges(stars + close)
    agree(graph)
    assert neighbour_front(graph)[0] == (20, 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_network_with_hubs_where_most_nodes_are_skipped(seed):
    agree(power_law_cluster(150, 4, 0.6, seed=seed))


def test_equal_degrees_where_no_node_can_be_skipped():
    agree(Graph.from_edges([(i, (i + step) % 40) for i in range(40) for step in (1, 2, 7)]))
