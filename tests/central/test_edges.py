"""Edges and largest degree: the stated sensitivities, by brute force, and the queries' answers."""

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import edge_neighbours, largest_change, least_successes, node_neighbours

from graphveil.central.edge.edges import EdgeCount
from graphveil.central.edge.max_degree import MaximumDegree
from graphveil.central.node.edges import NodeEdgeCount
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run

ONE = Fraction(1)


@pytest.mark.parametrize("query", [EdgeCount(ONE), MaximumDegree(ONE)], ids=lambda p: p.query)
def test_one_edge_changes_the_statistic_by_at_most_the_sensitivity(query):
    assert largest_change(edge_neighbours(5), lambda graph: [query.exact(graph)]) == [query.sensitivity]


def test_one_person_changes_the_bounded_count_by_at_most_the_bound_and_never_lowers_it():
    kept = {id(g): [project_bounded_degree(g, bound).n_edges for bound in (1, 2, 3)] for g in all_with_names()}
    changes = np.array([np.subtract(kept[id(more)], kept[id(less)]) for less, more in node_neighbours(5)])
    assert changes.max(axis=0).tolist() == [1, 2, 3]
    assert changes.min() >= 0


def all_with_names():
    """Labels decide the order of edges, so they travel with the people."""
    return {id(graph): graph for pair in node_neighbours(5) for graph in pair}.values()


def test_the_noise_is_scaled_by_the_sensitivity():
    assert EdgeCount(Fraction(1, 2)).rate == Fraction(1, 2)
    (measurement,) = NodeEdgeCount(Fraction(1, 2), max_degree=10).measure(Graph.from_edges([(0, 1)]))
    assert measurement.rate == Fraction(1, 20)


def test_answers_stay_in_the_publicly_possible_range():
    empty = Graph.from_edges([], n_nodes=3)
    for seed in range(50):
        assert run(EdgeCount(Fraction(1, 10)), empty, SeededNoise(seed)).value in range(4)
        assert run(MaximumDegree(Fraction(1, 10)), empty, SeededNoise(seed)).value in range(3)
        assert run(NodeEdgeCount(Fraction(1, 10), max_degree=2), empty, SeededNoise(seed)).value >= 0


def test_the_public_range_of_edges_is_not_private():
    """The cut may use n, never the data: neighbouring graphs share it."""
    query = EdgeCount(ONE)
    assert (
        query.support(Graph.from_edges([(0, 1)], n_nodes=4)) == query.support(Graph.from_edges([], n_nodes=4)) == (0, 6)
    )


def test_intervals_cover():
    """A right program fails with a probability below 1e-6 at each level."""
    graph = Graph.from_edges([(i, j) for i in range(60) for j in range(i)])
    draws = 500
    for query, truth in ((EdgeCount(ONE), 1770), (NodeEdgeCount(ONE, max_degree=30), None)):
        exact = truth if truth is not None else project_bounded_degree(graph, 30).n_edges
        noise = SeededNoise(11)
        answers = [run(query, graph, noise) for _ in range(draws)]
        for level in (0.8, 0.95, 0.99):
            intervals = [answer.accuracy.interval(level) for answer in answers]
            assert sum(low <= exact <= high for low, high in intervals) >= least_successes(draws, level)


@pytest.mark.parametrize("bound", [0, -3])
def test_a_bound_below_one_is_refused(bound):
    with pytest.raises(ParameterError, match="max_degree"):
        NodeEdgeCount(ONE, max_degree=bound)
