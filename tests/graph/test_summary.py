"""The summary says what the single functions say, and marks what was sampled."""

import json

import networkx as nx
import numpy as np
import pytest
from small_graphs import to_networkx

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import barabasi_albert, power_law_cluster
from graphveil.graph.statistics.summary import summarize


def test_every_statistic_of_a_small_graph():
    graph = power_law_cluster(120, 4, 0.7, seed=2)
    other = to_networkx(graph)
    degrees = [degree for _, degree in other.degree()]
    found = summarize(graph)
    expected = {
        "nodes": 120,
        "edges": 464,
        "average_degree": 2 * 464 / 120,
        "degree_variance": np.var(degrees),
        "max_degree": max(degrees),
        "two_stars": sum(d * (d - 1) // 2 for d in degrees),
        "three_stars": sum(d * (d - 1) * (d - 2) // 6 for d in degrees),
        "triangles": sum(nx.triangles(other).values()) // 3,
        "global_clustering": nx.transitivity(other),
        "average_clustering": nx.average_clustering(other),
        "assortativity": nx.degree_assortativity_coefficient(other),
        "components": 1,
        "largest_component": 120,
        "degeneracy": max(nx.core_number(other).values()),
        "average_path": nx.average_shortest_path_length(other),
        "diameter": nx.diameter(other),
        "max_edge_betweenness": max(nx.edge_betweenness_centrality(other, normalized=False).values()),
    }
    told = found.to_json()
    assert told.pop("sampled") == told.pop("standard_errors") == {}
    assert told == pytest.approx(expected)
    assert found.remarks == ()


def test_sampled_statistics_are_marked():
    graph = barabasi_albert(41_000, 2, seed=0)
    found = summarize(graph, seed=1)
    assert found.sampled == {"average_path": 1024, "diameter": 1024, "max_edge_betweenness": 200_000}
    assert found.remarks[0].startswith(
        "average path is estimated from 1,024 of 41,000 people, with a standard error of "
    )
    assert found.remarks[1] == "diameter is estimated from 1,024 of 41,000 people and can only be too small"
    assert found == summarize(graph, seed=1)


@pytest.mark.parametrize("n_nodes", [0, 1, 3])
def test_a_graph_without_edges_has_numbers_only(n_nodes):
    found = summarize(Graph.from_edges([], n_nodes=n_nodes)).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["components"] == n_nodes
    assert found["average_path"] == found["assortativity"] == 0
