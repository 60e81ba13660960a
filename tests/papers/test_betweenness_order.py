"""The order of BCPA: betweenness from all people or from a sample, and how far off the sample is."""

import itertools

import networkx as nx
import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.papers.bcpa import betweenness_order as module
from graphveil.papers.bcpa.bcpa import Bcpa
from graphveil.papers.bcpa.betweenness_order import BETWEENNESS, betweenness_order, detached_betweenness

NETWORK = power_law_cluster(400, 5, 0.4, seed=1)


def test_sampled_betweenness_says_how_far_off_it_is(monkeypatch):
    table = exact_joint_degrees(NETWORK)
    exact = betweenness_order(NETWORK, table)
    assert (exact.sources, exact.error) == (400, 0.0)
    monkeypatch.setattr(module, "STEPS", 0)
    sampled = betweenness_order(NETWORK, table, least_sources=100)
    ranks = [np.argsort(order.places) for order in (exact, sampled)]
    assert np.corrcoef(*ranks)[0, 1] > 0.8
    assert 0.02 < sampled.error < 0.6
    assert sampled.to_json() == {"betweenness_sources": 100, "betweenness_error": sampled.error}


def test_sampled_sources_estimate_betweenness_without_bias():
    exact = detached_betweenness(NETWORK)
    people = np.random.default_rng(1).permutation(400).reshape(4, 100)
    mean = np.mean([detached_betweenness(NETWORK, part) for part in people], axis=0)
    assert mean == pytest.approx(exact, rel=0.05, abs=1e-5)


@pytest.mark.parametrize("betweenness", ["ordinary", "equation-2"])
def test_tuples_are_ordered_by_the_mean_betweenness_of_their_edges(betweenness):
    network = nx.Graph(NETWORK.edges().tolist())
    known = nx.edge_betweenness_centrality(network, normalized=False)
    detached = dict(zip(map(tuple, NETWORK.edges().tolist()), detached_betweenness(NETWORK), strict=True))
    table = exact_joint_degrees(NETWORK)
    values = {tuple(row): [] for row in table.degrees.tolist()}
    for u, v in NETWORK.edges().tolist():
        value = known.get((u, v), known.get((v, u))) if betweenness == "ordinary" else detached[u, v]
        values[tuple(sorted((NETWORK.degrees[u], NETWORK.degrees[v])))].append(value)
    means = np.array([np.mean(values[tuple(row)]) for row in table.degrees.tolist()])
    ordered = means[betweenness_order(NETWORK, table, betweenness=betweenness).places]
    assert (np.diff(ordered) >= -1e-9).all()
    assert ordered[-1] > 2 * max(ordered[0], 1e-9)


def test_bcpa_reads_the_paper_in_words_and_takes_its_equation_as_an_option():
    table = exact_joint_degrees(NETWORK)
    orders = {name: Bcpa(epsilon=1, betweenness=name).order(NETWORK, table) for name in BETWEENNESS}
    assert np.array_equal(Bcpa(epsilon=1).order(NETWORK, table).places, orders["ordinary"].places)
    assert not np.array_equal(orders["ordinary"].places, orders["equation-2"].places)
    with pytest.raises(ParameterError, match="ordinary or equation-2"):
        Bcpa(epsilon=1, betweenness="best")


@pytest.mark.parametrize("seed", range(3))
def test_detached_betweenness_leaves_out_pairs_on_the_edge(seed):
    graph = power_law_cluster(13, 2, 0.3, seed=seed)
    network = nx.Graph(graph.edges().tolist())
    expected = []
    for u, v in graph.edges().tolist():
        total = 0.0
        for s in network:
            for t in network:
                if s != t and not {s, t} & {u, v}:
                    paths = list(nx.all_shortest_paths(network, s, t))
                    used = sum({u, v} in map(set, itertools.pairwise(path)) for path in paths)
                    total += used / len(paths)
        expected.append(total / (12 * 11))
    assert detached_betweenness(graph) == pytest.approx(expected)
