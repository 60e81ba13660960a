"""Communities: modularity as networkx computes it, planted groups found, partitions as good as igraph's."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from small_graphs import graphs, to_igraph, to_networkx

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.communities import exact_modularity, find_communities


@given(graphs())
def test_modularity_is_that_of_networkx(graph):
    labels = find_communities(graph, seed=1)
    assert len(labels) == graph.n_nodes
    if graph.n_edges:
        groups = [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]
        assert exact_modularity(graph, labels) == pytest.approx(nx.community.modularity(to_networkx(graph), groups))
    else:
        assert exact_modularity(graph, labels) == 0


def test_planted_groups_are_found():
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(8), 40)
    pairs = np.argwhere(np.triu(rng.random((320, 320)) < np.where(group[:, None] == group, 0.4, 0.01), 1))
    found = find_communities(Graph.from_edges(pairs, n_nodes=320))
    assert np.array_equal(found, group)


def test_partitions_are_about_as_good_as_those_of_igraph():
    graph = power_law_cluster(3000, 5, 0.7, seed=4)
    ours = exact_modularity(graph, find_communities(graph, seed=0))
    theirs = to_igraph(graph).community_multilevel().modularity
    assert ours > 0.97 * theirs


def test_people_without_friends_are_communities_of_their_own():
    assert find_communities(Graph.from_edges([(0, 2)], n_nodes=4)).tolist() == [0, 1, 0, 2]
    assert find_communities(Graph.from_edges([], n_nodes=0)).tolist() == []
