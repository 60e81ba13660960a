"""The attack on names is as strong as seeded graph matching, also where an attacker knows a part of the edges."""

import numpy as np
import pytest
from scipy.optimize import quadratic_assignment

from graphveil.anonymity.anonymize import anonymize
from graphveil.audit.attacks import match
from graphveil.audit.attacks.case import ABSENT, case_by_key
from graphveil.audit.attacks.propagate import choose_seeds, seed_and_propagate, share_of_edges
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster

GRAPH = power_law_cluster(150, 5, 0.5, seed=3)


def published(graph, method, k=5):
    if method == "pseudonyms":
        key = np.random.default_rng(1).permutation(graph.n_nodes)
        return case_by_key(graph, Graph.from_edges(np.argsort(key)[graph.edges()], n_nodes=graph.n_nodes), key)
    made = anonymize(graph, method=method, k=k, seed=1)
    return case_by_key(graph, made.graph, made.key)


def faq_rate(case, share):
    """scipy's FAQ with the people and edges that the attack draws under seed 0."""
    rng = np.random.default_rng(0)
    held = share_of_edges(case.original, share, rng)
    known = choose_seeds(case, 10, rng)
    matrices = []
    for graph in (held, case.published):
        matrices.append(np.zeros((graph.n_nodes, graph.n_nodes)))
        rows, columns = graph.edges().T
        matrices[-1][rows, columns] = matrices[-1][columns, rows] = 1
    pairs = np.column_stack((known, case.published_as[known]))
    found = quadratic_assignment(
        *matrices, options={"maximize": True, "partial_match": pairs, "rng": np.random.default_rng(0)}
    ).col_ind
    others = np.setdiff1d(case.members, known)
    return (found[others] == case.published_as[others]).mean()


@pytest.mark.parametrize(
    ("method", "share"),
    [
        ("pseudonyms", 0.7),
        ("pseudonyms", 0.5),
        ("k-degree", 0.7),
        ("k-degree", 0.5),
        ("k-neighbourhood", 1),
        ("k-automorphism", 1),
        ("k-seed", 1),
    ],
)
def test_the_attack_names_as_many_as_seeded_faq(method, share):
    """Up to 2 % of people, since the map that keeps more edges need not be the better one."""
    case = published(GRAPH, method)
    ours = seed_and_propagate(case, seeds=10, known_edges=share).rate
    assert ours >= faq_rate(case, share) - 0.02


@pytest.mark.parametrize(
    ("method", "share"),
    [("pseudonyms", 0.7), ("pseudonyms", 0.5), ("k-degree", 0.7), ("k-degree", 0.5), ("k-neighbourhood", 1)],
)
def test_nearly_everybody_is_named_without_matrices(method, share, monkeypatch):
    """So it is for graphs that are too large for matrices of n x n."""
    monkeypatch.setattr(match, "MOST_DENSE", 0)
    graph = power_law_cluster(600, 6, 0.6, seed=3)
    assert seed_and_propagate(published(graph, method, k=10), seeds=10, known_edges=share).rate > 0.9


def test_one_of_several_equal_candidates_is_guessed():
    """Ten hubs, each with four leaves that nothing tells apart: one leaf in four is named rightly.

    Of four leaves in random order one is at its place in expectation, with variance 1. So the 200 hubs of 20 runs give
    200 with standard deviation 14.2; a fair guess is further off than 5 deviations with probability below 1e-6. Naming
    nobody, or always the right one, is off by 14 and more.
    """
    hubs = [(i, i + 1) for i in range(9)]
    star = Graph.from_edges([*hubs, *((i, 10 + 4 * i + j) for i in range(10) for j in range(4))])
    right = 0
    for seed in range(20):
        key = np.random.default_rng(seed).permutation(star.n_nodes)
        case = case_by_key(star, Graph.from_edges(np.argsort(key)[star.edges()], n_nodes=star.n_nodes), key)
        right += seed_and_propagate(case, seeds=10, seed=seed).successes
    assert abs(right - 200) < 5 * 14.2


def test_known_people_stay_where_they_are_and_nobody_is_named_twice():
    rng = np.random.default_rng(2)
    known = np.full(GRAPH.n_nodes, ABSENT)
    known[[3, 5]] = [7, 1]
    image = match.match_people(GRAPH, power_law_cluster(100, 4, 0.5, seed=9), [known], rng)
    assert image[[3, 5]].tolist() == [7, 1]
    given = image[image != ABSENT]
    assert sorted(given.tolist()) == list(range(100))  # everybody published is somebody, and only one
