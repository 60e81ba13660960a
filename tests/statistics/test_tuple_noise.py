"""Noise on all pairs of degrees: brute force of its loss, scale of the noise, what stands out."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.bcpa.private import PrivateBcpa
from graphveil.papers.peers.dp_2k import DpJointDegrees, dyadic_groups
from graphveil.release.draw import run
from graphveil.statistics.joint_degrees.tuple_noise import (
    SENSITIVITY,
    all_pairs,
    count_pairs,
    noise_degrees,
    pair_counts,
    pair_places,
)

NETWORK = power_law_cluster(400, 5, 0.4, seed=1)


def loss(before: Graph, after: Graph, bound: int) -> float:
    """The weighted change of the counts over the sensitivity: what one edge costs at epsilon 1."""
    return change(*(pair_counts(graph, bound, Fraction(1)) for graph in (before, after)))


def change(first: NoisyVector, second: NoisyVector) -> float:
    return float(np.abs(second.exact - first.exact) @ first.weights.astype(float)) / SENSITIVITY


@pytest.mark.parametrize("bound", [1, 2, 3, 4])
def test_no_edge_costs_more_than_epsilon(bound):
    pairs = list(itertools.combinations(range(5), 2))
    chosen = [[pair for bit, pair in enumerate(pairs) if mask >> bit & 1] for mask in range(1 << len(pairs))]
    counts = [pair_counts(Graph.from_edges(edges, n_nodes=5), bound, Fraction(1)) for edges in chosen]
    bits = [1 << bit for bit in range(len(pairs))]
    worst = max(change(counts[mask], counts[mask | bit]) for mask in range(len(counts)) for bit in bits)
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
    counts = pair_counts(Graph.from_edges([], n_nodes=50), 40, Fraction(1, 2), groups)
    largest = noise_degrees(40, groups)
    assert (largest >= pairs[:, 1]).all()
    relative = np.abs(counts.draws(SeededNoise(1), 50)) / (2 * (4 * largest + 1))
    # E|X| / scale is 1 up to the grid, its standard deviation 1; 5 standard deviations of the mean of 41,000
    assert abs(relative.mean() - 1) < 5 / np.sqrt(relative.size)


def test_counts_that_stand_out_are_kept_and_others_not():
    fit = run(DpJointDegrees(epsilon=Fraction(1000), max_degree=100), NETWORK, SeededNoise(1))
    kept = {(x, y): count for x, y, count in fit.targets["joint_degrees"]}
    exact = exact_joint_degrees(NETWORK).to_dict()
    clear = {pair: count for pair, count in exact.items() if count > 2 * (4 * pair[1] + 1) / 1000 * 8}
    assert clear.keys() <= kept.keys()
    assert len(kept) <= len(exact) + 5
    nothing = run(DpJointDegrees(epsilon=Fraction(1, 10)), NETWORK, SeededNoise(1))
    assert len(nothing.targets["joint_degrees"]) <= 5


def test_order_and_groups_of_repaired_bcpa_come_from_released_numbers():
    """The same first release must give the same groups, whatever the private graph is."""
    method = PrivateBcpa(epsilon=Fraction(4), max_degree=60)
    drawn = power_law_cluster(100, 3, 0.3, seed=2)
    groups = method.group_degrees(drawn, 60)
    assert (groups >= all_pairs(60)[:, 1]).all()
    assert (groups == method.group_degrees(drawn, 60)).all()
