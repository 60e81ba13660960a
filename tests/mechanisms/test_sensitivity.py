"""Every sensitivity of the table is the largest change over all graphs with up to five people, and is attained."""

import itertools
from fractions import Fraction

import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.sensitivity import (
    TABLE,
    graph_sensitivity,
    mean_sensitivity,
    sensitivity_argument,
)
from graphveil.privacy.unit import Adjacency

N = 5
STATISTICS = {
    "edges": lambda n, edges: len(edges),
    "max-degree": lambda n, edges: max(degrees(n, edges), default=0),
    "triangles": lambda n, edges: sum(
        {(a, b), (a, c), (b, c)} <= edges for a, b, c in itertools.combinations(range(n), 3)
    ),
    "mean-degree": lambda n, edges: Fraction(2 * len(edges), n) if n else Fraction(0),
}


def degrees(n, edges):
    return [sum(node in edge for edge in edges) for node in range(n)]


def graphs(n):
    pairs = list(itertools.combinations(range(n), 2))
    for kept in itertools.product((False, True), repeat=len(pairs)):
        yield frozenset(itertools.compress(pairs, kept))


def edge_neighbours(bound):
    for edges in graphs(N):
        if max(degrees(N, edges)) <= bound:
            for edge in edges:
                yield (N, edges), (N, edges - {edge})


def node_neighbours(bound):
    for n in range(1, N + 1):
        for edges in graphs(n):
            if max(degrees(n, edges)) <= bound:
                yield (n, edges), (n - 1, frozenset(edge for edge in edges if n - 1 not in edge))


@pytest.fixture(scope="module")
def changes():
    """The largest change of each statistic, by unit and degree bound."""
    largest = {}
    for unit, neighbours in (("edge", edge_neighbours), ("node", node_neighbours)):
        for bound in range(1, N):
            pairs = list(neighbours(bound))
            for name, statistic in STATISTICS.items():
                largest[name, unit, bound] = max(abs(statistic(*one) - statistic(*other)) for one, other in pairs)
    return largest


@pytest.mark.parametrize("unit", ["edge", "node"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_table_is_the_brute_force(statistic, unit, changes):
    for bound in range(1, N):
        stated = graph_sensitivity(statistic, unit, n_nodes=N, max_degree=bound)
        assert stated == changes[statistic, unit, bound]
    assert graph_sensitivity(statistic, unit, n_nodes=N) == changes[statistic, unit, N - 1]
    assert len(sensitivity_argument(statistic, unit)) > 20


def test_the_table_is_covered():
    assert {row.statistic for row in TABLE} == set(STATISTICS)


def test_several_edges_cost_several_times_as_much():
    assert graph_sensitivity("triangles", "3-edge", n_nodes=10) == 3 * 8


def test_two_people_are_enough():
    assert graph_sensitivity("edges", "node", n_nodes=2) == 1


@pytest.mark.parametrize(("name", "n", "bound"), [("colour", 5, None), ("edges", 1, None), ("edges", 5, 0)])
def test_unknown_rows_are_refused(name, n, bound):
    with pytest.raises(ParameterError):
        graph_sensitivity(name, "edge", n_nodes=n, max_degree=bound)


def test_mean_of_clipped_records():
    points = [Fraction(0), Fraction(3), Fraction(10)]
    mean = {
        records: sum(records) / len(records) for k in (1, 2, 3, 4) for records in itertools.product(points, repeat=k)
    }
    added = max(abs(mean[records] - mean[(*records, x)]) for records in mean if len(records) < 4 for x in points)
    assert added == mean_sensitivity(Fraction(10), Adjacency.ADD_REMOVE)
    for n in (1, 2, 3, 4):
        replaced = max(
            abs(mean[records] - mean[(*records[1:], x)]) for records in mean if len(records) == n for x in points
        )
        assert replaced == mean_sensitivity(Fraction(10), Adjacency.REPLACE_ONE, n_records=n)
    with pytest.raises(ParameterError):
        mean_sensitivity(Fraction(10), Adjacency.REPLACE_ONE)
