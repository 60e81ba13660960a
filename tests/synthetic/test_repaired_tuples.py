"""Noise on all pairs of degrees and soft joint degrees: brute force of the loss, scale of the noise, what comes out."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from graphveil.evaluation.metrics.compare import evaluate
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.bcpa import betweenness_order as module
from graphveil.papers.bcpa.betweenness_order import betweenness_order, detached_betweenness
from graphveil.papers.bcpa.private import PrivateBcpa
from graphveil.papers.peers.dp_2k import DpJointDegrees, dyadic_groups
from graphveil.statistics.joint_degrees.tuple_noise import all_pairs, count_pairs, pair_places, perturb_pairs
from graphveil.synthetic.dk2.soft import SoftDk2

NETWORK = power_law_cluster(400, 5, 0.4, seed=1)


def loss(before: Graph, after: Graph, bound: int) -> float:
    """Of one run at epsilon 1, at most: each count's change over its scale."""
    change = np.abs(count_pairs(after, bound) - count_pairs(before, bound))
    return float((change / (4 * all_pairs(bound)[:, 1] + 1)).sum())


@pytest.mark.parametrize("bound", [1, 2, 3, 4])
def test_no_edge_costs_more_than_epsilon(bound):
    pairs = list(itertools.combinations(range(5), 2))
    worst = 0.0
    for mask in range(1 << len(pairs)):
        edges = [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]
        before = Graph.from_edges(edges, n_nodes=5)
        for pair in pairs:
            if pair not in edges:
                worst = max(worst, loss(before, Graph.from_edges([*edges, pair], n_nodes=5), bound))
    assert 0.1 < worst <= 1


def test_the_bound_is_nearly_reached_between_large_stars():
    size = 300
    stars = [(0, i) for i in range(2, size + 2)] + [(1, i) for i in range(size + 2, 2 * size + 2)]
    before, after = Graph.from_edges(stars), Graph.from_edges([*stars, (0, 1)])
    assert 0.99 < loss(before, after, 2 * size) <= 1
    assert loss(before, after, 200) < 0.01  # both count as the bound before and after


def test_pairs_have_their_places():
    pairs = all_pairs(30)
    assert pair_places(pairs).tolist() == list(range(len(pairs)))
    table = exact_joint_degrees(NETWORK)
    counts = count_pairs(NETWORK, 200)
    assert counts[pair_places(table.degrees)].tolist() == table.counts.tolist()
    assert counts.sum() == count_pairs(NETWORK, 7).sum() == NETWORK.n_edges


@pytest.mark.parametrize("grouped", [False, True])
def test_noise_has_the_scale_that_the_proof_needs(grouped):
    pairs = all_pairs(40)
    groups = dyadic_groups(pairs) if grouped else None
    empty, noise = Graph.from_edges([], n_nodes=50), SeededNoise(1)
    runs = [perturb_pairs(empty, 40, Fraction(1, 2), noise, groups).counts for _ in range(50)]
    largest = pairs[:, 1] if groups is None else groups
    assert (largest >= pairs[:, 1]).all()
    relative = np.abs(np.array(runs)) / (2 * (4 * largest + 1))
    # E|X| / scale is 1 up to the grid, its standard deviation 1; 5 standard deviations of the mean of 41,000
    assert abs(relative.mean() - 1) < 5 / np.sqrt(relative.size)


def test_counts_that_stand_out_are_kept_and_others_not():
    fit = DpJointDegrees(epsilon=Fraction(1000), max_degree=100).fit(NETWORK, SeededNoise(1))
    kept = {(x, y): count for x, y, count in fit.targets["joint_degrees"]}
    exact = exact_joint_degrees(NETWORK).to_dict()
    clear = {pair: count for pair, count in exact.items() if count > 2 * (4 * pair[1] + 1) / 1000 * 8}
    assert clear.keys() <= kept.keys()
    assert len(kept) <= len(exact) + 5
    nothing = DpJointDegrees(epsilon=Fraction(1, 10)).fit(NETWORK, SeededNoise(1))
    assert len(nothing.targets["joint_degrees"]) <= 5


def test_soft_joint_degrees_follow_degrees_and_mixing():
    method = SoftDk2(epsilon=Fraction(100))
    fit = method.fit(NETWORK, SeededNoise(1))
    table = fit.parameters["table"]
    assert table.table.sum(axis=1) == pytest.approx(table.degrees * table.people, rel=0.02)
    counts = table.whole(seed=1)[1]
    assert counts.sum() == pytest.approx(fit.targets["edges"], abs=2)
    drawn = method.sample(fit, seed=1)
    errors = evaluate(NETWORK, drawn).errors
    assert errors["joint_degree_l1"] < 0.15
    assert errors["edges"] < 0.01
    assert errors["degree_ks"] < 0.05


def test_order_and_groups_of_repaired_bcpa_come_from_released_numbers():
    """The same first release must give the same groups, whatever the private graph is."""
    method = PrivateBcpa(epsilon=Fraction(4), max_degree=60)
    drawn = power_law_cluster(100, 3, 0.3, seed=2)
    groups = method.group_degrees(drawn, 60)
    assert (groups >= all_pairs(60)[:, 1]).all()
    assert (groups == method.group_degrees(drawn, 60)).all()


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


@pytest.mark.needs_data
@pytest.mark.parametrize(("epsilon", "most"), [(1, 0.17), (5, 0.094), (10, 0.075)])
def test_joint_degrees_of_facebook_come_out_as_promised(real_graph, epsilon, most):
    graph = real_graph("ego-Facebook")
    method = SoftDk2(epsilon=Fraction(epsilon))
    errors = evaluate(graph, method.sample(method.fit(graph, SeededNoise(1)), seed=1)).errors
    assert errors["joint_degree_l1"] < most
    assert errors["edges"] < 0.01
