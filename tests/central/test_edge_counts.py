"""Edges and largest degree: the stated sensitivities, by brute force, and the pages' answers."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from graphveil.central.edge.edges import EdgeCount
from graphveil.central.edge.max_degree import MaximumDegree
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run

ONE = Fraction(1)
PAIRS = list(itertools.combinations(range(5), 2))


def all_graphs():
    for present in itertools.product((False, True), repeat=len(PAIRS)):
        yield [pair for pair, there in zip(PAIRS, present, strict=True) if there]


@pytest.mark.parametrize("page", [EdgeCount(ONE), MaximumDegree(ONE)], ids=lambda p: p.query)
def test_one_edge_changes_the_statistic_by_at_most_the_sensitivity(page):
    worst = 0
    for edges in all_graphs():
        value = page.exact(Graph.from_edges(edges, n_nodes=5))
        for pair in edges:
            without = Graph.from_edges([e for e in edges if e != pair], n_nodes=5)
            worst = max(worst, abs(value - page.exact(without)))
    assert worst == page.sensitivity


@pytest.mark.parametrize("max_degree", [1, 2, 3])
def test_one_person_changes_the_bounded_count_by_at_most_the_bound(max_degree):
    names = np.array([17, 4, 99, 23, 56])  # labels decide the order, so they must travel with the people
    worst = 0
    for edges in all_graphs():
        kept = project_bounded_degree(Graph.from_edges(edges, n_nodes=5, labels=names), max_degree).n_edges
        for gone in range(5):
            rest = [v for v in range(5) if v != gone]
            number = {v: i for i, v in enumerate(rest)}
            pairs = [(number[u], number[v]) for u, v in edges if gone not in (u, v)]
            smaller = Graph.from_edges(pairs, n_nodes=4, labels=names[rest])
            change = kept - project_bounded_degree(smaller, max_degree).n_edges
            assert change >= 0
            worst = max(worst, change)
    assert worst == max_degree


def test_the_noise_is_scaled_by_the_sensitivity():
    assert EdgeCount(Fraction(1, 2)).rate == Fraction(1, 2)
    assert NodeEdgeCount(Fraction(1, 2), max_degree=10).rate(10) == Fraction(1, 20)


def test_answers_stay_in_the_publicly_possible_range():
    empty = Graph.from_edges([], n_nodes=3)
    for seed in range(50):
        assert run(EdgeCount(Fraction(1, 10)), empty, SeededNoise(seed)).value in range(4)
        assert run(MaximumDegree(Fraction(1, 10)), empty, SeededNoise(seed)).value in range(3)
        assert run(NodeEdgeCount(Fraction(1, 10), max_degree=2), empty, SeededNoise(seed)).value >= 0


def test_the_public_range_of_edges_is_not_private():
    """The cut may use n, never the data: neighbouring graphs share it."""
    page = EdgeCount(ONE)
    assert (
        page.support(Graph.from_edges([(0, 1)], n_nodes=4)) == page.support(Graph.from_edges([], n_nodes=4)) == (0, 6)
    )


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_intervals_cover(level):
    """Binomial slack of five standard deviations: a false alarm has a chance below 1e-6."""
    graph = Graph.from_edges([(i, j) for i in range(60) for j in range(i)])
    draws = 2000
    for page, truth in ((EdgeCount(ONE), 1770), (NodeEdgeCount(ONE, max_degree=30), None)):
        exact = truth if truth is not None else project_bounded_degree(graph, 30).n_edges
        noise, hits = SeededNoise(11), 0
        for _ in range(draws):
            low, high = run(page, graph, noise).accuracy.interval(level)
            hits += low <= exact <= high
        assert hits >= draws * level - 5 * (draws * level * (1 - level)) ** 0.5


@pytest.mark.parametrize("bound", [0, -3])
def test_a_bound_below_one_is_refused(bound):
    with pytest.raises(ParameterError, match="max_degree"):
        NodeEdgeCount(ONE, max_degree=bound)
