"""Distances and betweenness against networkx and igraph; sampled ones say so, and converge."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from small_graphs import graphs, to_igraph, to_networkx

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.parallel import sum_over_parts
from graphveil.graph.statistics.betweenness import edge_betweenness, exact_edge_betweenness
from graphveil.graph.statistics.distances import Distances, exact_distances

drawn = settings(deadline=None, max_examples=80)


def random_graph(n_nodes, n_pairs, seed=0):
    return Graph.from_edges(np.random.default_rng(seed).integers(0, n_nodes, (n_pairs, 2)), n_nodes=n_nodes)


@drawn
@given(graphs())
def test_distances(graph):
    found = exact_distances(graph)
    lengths = dict(nx.all_pairs_shortest_path_length(to_networkx(graph)))
    expected = Counter(d for u, row in lengths.items() for v, d in row.items() if u < v)
    assert dict(enumerate(found.histogram)) == {d: expected[d] for d in range(len(found.histogram))}
    assert sum(found.histogram) == sum(expected.values())
    assert not found.sampled
    if graph.n_edges:
        assert found.diameter == to_igraph(graph).diameter()
        assert found.average == pytest.approx(to_igraph(graph).average_path_length())
    else:
        assert (found.diameter, found.average) == (0, 0.0)


def test_distances_over_several_batches_of_sources():
    graph = random_graph(1_300, 5_000)
    lengths = to_igraph(graph).path_length_hist(directed=False)
    assert exact_distances(graph).histogram[1:] == tuple(int(count) for _, _, count in lengths.bins())
    assert exact_distances(graph, threads=1) == exact_distances(graph, threads=3)


def test_sampled_distances_say_so_and_come_near():
    graph = random_graph(3_000, 12_000)
    exact = exact_distances(graph)
    sampled = exact_distances(graph, exact_up_to=1_000, sources=300, seed=5)
    assert (sampled.sampled, sampled.sources) == (True, 300)
    assert (exact.sampled, exact.sources) == (False, 3_000)
    assert sampled.histogram[1] == pytest.approx(300 * 2 * graph.n_edges / 3_000, rel=0.1)
    assert sampled.average == pytest.approx(exact.average, rel=0.02)
    assert sampled.diameter <= exact.diameter
    assert sampled == exact_distances(graph, exact_up_to=1_000, sources=300, seed=5)
    assert sampled != exact_distances(graph, exact_up_to=1_000, sources=300, seed=6)
    # as many sources as people: no reason to sample
    assert exact_distances(graph, exact_up_to=0, sources=3_000) == exact
    with pytest.raises(ParameterError, match="sources is 0"):
        exact_distances(graph, sources=0)


def test_distances_of_nobody():
    assert exact_distances(Graph.from_edges([])) == Distances((), 0, False)


@drawn
@given(graphs())
def test_edge_betweenness(graph):
    values = exact_edge_betweenness(graph)
    expected = nx.edge_betweenness_centrality(to_networkx(graph), normalized=False)
    assert values.tolist() == pytest.approx([expected[tuple(edge)] for edge in graph.edges().tolist()])
    assert values.tolist() == pytest.approx(to_igraph(graph).edge_betweenness(directed=False))


def test_edge_betweenness_is_the_same_on_any_number_of_threads():
    graph = random_graph(300, 900)
    one = exact_edge_betweenness(graph, threads=1)
    assert np.array_equal(one, exact_edge_betweenness(graph, threads=3))
    assert one.tolist() == pytest.approx(to_igraph(graph).edge_betweenness(directed=False))


def some_people(graph, count, seed):
    return np.random.default_rng(seed).choice(graph.n_nodes, count, replace=False)


def test_sampled_betweenness_has_no_bias():
    graph = random_graph(8, 14, seed=2)
    exact = exact_edge_betweenness(graph)
    draws = np.array([edge_betweenness(graph, some_people(graph, 3, seed), threads=1) for seed in range(3_000)])
    error = draws.mean(axis=0) - exact
    deviation = draws.std(axis=0) / np.sqrt(len(draws))
    # 5.5 standard deviations: below 1e-6 for all edges together
    assert (np.abs(error) <= 5.5 * deviation + 1e-9).all()
    assert np.array_equal(edge_betweenness(graph, np.arange(8)), exact)


def test_sampled_betweenness_comes_near_for_the_edges_that_matter():
    """Plain sampling of sources stays at an error near one half: the ends of such an edge are rarely drawn."""
    graph = power_law_cluster(600, 8, 0.5, seed=1)
    exact = exact_edge_betweenness(graph)
    top = np.argsort(exact)[-len(exact) // 10 :]

    def median_error(estimate):
        return np.median(np.abs(estimate - exact)[top] / exact[top])

    assert median_error(edge_betweenness(graph, some_people(graph, 50, 1))) < 0.15
    assert median_error(edge_betweenness(graph, some_people(graph, 400, 1))) < 0.05
    sources = np.random.default_rng(1).choice(600, 50, replace=False).tolist()
    plain = nx.edge_betweenness_centrality_subset(to_networkx(graph), sources, range(600))
    assert median_error(np.array([plain[tuple(edge)] for edge in graph.edges().tolist()]) * 600 / 50) > 0.35


def test_parts_are_summed_whatever_the_threads():
    for items in (np.arange(100), np.arange(3), np.arange(0)):
        totals = [sum_over_parts(lambda part: np.array([part.sum()]), items, 7, threads) for threads in (1, 2, None)]
        assert totals == [items.sum()] * 3
    with pytest.raises(ParameterError, match="threads is 0"):
        sum_over_parts(lambda part: part, np.arange(3), 7, 0)
