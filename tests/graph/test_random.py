"""Generated graphs keep what they promise: sizes, degrees, laws, and the same graph for the same seed."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from scipy import stats
from small_graphs import to_networkx

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import barabasi_albert, erdos_renyi, power_law_cluster
from graphveil.graph.statistics.clustering import exact_transitivity

ALPHA = 1e-6


@pytest.mark.parametrize(("n", "m"), [(0, 0), (1, 0), (2, 1), (5, 10), (6, 15), (50, 1000), (50, 3), (2000, 5000)])
def test_erdos_renyi_has_exactly_m_edges(n, m):
    graph = erdos_renyi(n, m=m, seed=4)
    assert (graph.n_nodes, graph.n_edges) == (n, m)


@pytest.mark.parametrize("n", [6, 7])
def test_erdos_renyi_takes_every_pair_alike(n):
    pairs = n * (n - 1) // 2
    for m in (2, pairs - 2):
        drawn = [erdos_renyi(n, m=m, seed=seed).edges() for seed in range(1500)]
        met = Counter(map(tuple, np.concatenate(drawn).tolist()))
        assert len(met) == pairs
        assert stats.chisquare(list(met.values())).pvalue > ALPHA


def test_erdos_renyi_sizes_follow_the_binomial_law():
    sizes = [erdos_renyi(40, p=0.1, seed=seed).n_edges for seed in range(400)]
    z = (np.mean(sizes) - 78) / np.sqrt(78 * 0.9 / len(sizes))
    assert abs(z) < stats.norm.isf(ALPHA / 2)
    assert erdos_renyi(40, p=0, seed=0).n_edges == 0
    assert erdos_renyi(40, p=1, seed=0).n_edges == 780


def test_a_sparse_graph_on_a_million_people_takes_no_table_of_pairs():
    graph = erdos_renyi(1_000_000, m=1_000, seed=0)
    assert graph.n_edges == 1_000
    assert graph.degrees.max() < 5


@pytest.mark.parametrize("arguments", [{}, {"p": 0.5, "m": 3}, {"p": -0.1}, {"p": 1.1}, {"m": -1}, {"m": 11}])
def test_erdos_renyi_refuses(arguments):
    with pytest.raises(ParameterError):
        erdos_renyi(5, **arguments, seed=0)


@pytest.mark.parametrize(("n", "m"), [(2, 1), (4, 3), (500, 1), (500, 7)])
@pytest.mark.parametrize("p", [0.0, 0.6, 1.0])
def test_growth_has_its_edges_and_is_connected(n, m, p):
    graph = power_law_cluster(n, m, p, seed=3)
    assert (graph.n_nodes, graph.n_edges) == (n, m * (n - m))
    assert graph.degrees[m:].min() >= m
    assert nx.is_connected(to_networkx(graph))


def test_attachment_prefers_the_well_connected_as_in_networkx():
    """The largest degrees of both implementations come from one law."""
    ours = [barabasi_albert(300, 3, seed=seed).degrees.max() for seed in range(300)]
    theirs = [max(d for _, d in nx.barabasi_albert_graph(300, 3, seed=seed).degree()) for seed in range(300)]
    assert stats.ks_2samp(ours, theirs).pvalue > ALPHA
    uniform = [erdos_renyi(300, m=891, seed=seed).degrees.max() for seed in range(300)]
    assert stats.ks_2samp(ours, uniform).pvalue < ALPHA


def test_second_person_to_join_a_star_prefers_its_centre():
    """m = 1: person 2 meets one of two; person 3 meets somebody of degree 2 with probability 2/4."""
    centre_met = 0
    for seed in range(2000):
        degrees = barabasi_albert(4, 1, seed=seed).degrees
        centre_met += int(degrees.max() == 3)
    assert stats.binomtest(centre_met, 2000, 0.5).pvalue > ALPHA


def test_triangles_grow_with_p():
    shares = [exact_transitivity(power_law_cluster(2000, 6, p, seed=1)) for p in (0.0, 0.3, 0.6, 1.0)]
    assert shares == sorted(shares)
    assert shares[0] < 0.03
    assert shares[-1] > 0.1


@pytest.mark.parametrize(("n", "m", "p"), [(3, 3, 0), (3, 0, 0), (5, 2, -0.1), (5, 2, 1.1)])
def test_growth_refuses(n, m, p):
    with pytest.raises(ParameterError):
        power_law_cluster(n, m, p, seed=0)


@pytest.mark.parametrize(
    "generate",
    [
        lambda seed: erdos_renyi(60, p=0.2, seed=seed),
        lambda seed: erdos_renyi(60, m=200, seed=seed),
        lambda seed: barabasi_albert(60, 3, seed=seed),
        lambda seed: power_law_cluster(60, 3, 0.5, seed=seed),
    ],
)
def test_a_seed_is_a_graph(generate):
    assert generate(1) == generate(1)
    assert generate(1) != generate(2)
    assert isinstance(generate(1), Graph)
