from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.edge.joint_degrees import JointDegrees
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run
from graphveil.statistics.joint_degrees.soft import SENSITIVITY, cell_rate, count_soft_cells, last_exponent


def soft_cells(graph: Graph) -> np.ndarray:
    cells, integers = count_soft_cells(graph)
    return integers / 2.0 ** cells.sum(axis=1)


def knot_share(degree: int, knot: int, last: int) -> float:
    """The share of a knot in a degree, from its definition as a piecewise linear function."""
    degree = min(degree, 2**last)
    return float(np.interp(degree, [2.0**k for k in range(last + 1)], [float(k == knot) for k in range(last + 1)]))


def test_cells_follow_the_definition() -> None:
    graph = skewed_graph(40, 120, seed=1)
    last = last_exponent(40)
    cells, _ = count_soft_cells(graph)
    shares = np.array([[knot_share(degree, knot, last) for knot in range(last + 1)] for degree in graph.degrees])
    table = np.zeros((last + 1, last + 1))
    for u, v in graph.edges():
        product = np.outer(shares[u], shares[v])
        table += np.triu(product + product.T) - np.diag(np.diag(product))
    assert np.allclose(soft_cells(graph), [table[k, j] for k, j in cells])
    assert soft_cells(graph).sum() == pytest.approx(graph.n_edges)


def test_one_edge_changes_the_cells_by_less_than_nine_on_all_small_graphs() -> None:
    cells = {id(graph): soft_cells(graph) for pair in edge_neighbours(5) for graph in pair}
    worst = max(np.abs(cells[id(less)] - cells[id(more)]).sum() for less, more in edge_neighbours(5))
    assert 6.9 < worst < SENSITIVITY


@pytest.mark.parametrize("leaves", [3, 7, 15, 31])
def test_two_stars_come_close_to_the_bound(leaves: int) -> None:
    """Both hubs have 2^k - 1 leaves, where one step of the degree moves most."""
    hubs = [(hub, 2 + hub * leaves + i) for hub in (0, 1) for i in range(leaves)]
    n = 2 + 2 * leaves
    before, after = Graph.from_edges(hubs, n_nodes=n), Graph.from_edges([*hubs, (0, 1)], n_nodes=n)
    change = np.abs(soft_cells(before) - soft_cells(after)).sum()
    assert 9 - 9 / leaves - 2 < change < SENSITIVITY


def test_degrees_beyond_the_last_knot_count_for_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphveil.statistics.joint_degrees.soft.LAST_EXPONENT", 2)
    star = Graph.from_edges([(0, i) for i in range(1, 20)])
    cells, integers = count_soft_cells(star)
    assert cells[-1].tolist() == [2, 2]
    assert integers[cells.tolist().index([0, 2])] == 19 * 2**2


def test_without_noise_the_release_is_the_table() -> None:
    graph = skewed_graph(300, 2000, seed=2)
    answer = run(JointDegrees(epsilon=Fraction(10_000)), graph, SeededNoise(2))
    assert np.allclose(answer.value, soft_cells(graph), atol=0.05)
    assert answer.derived["knots"] == tuple(2**k for k in range(last_exponent(300) + 1))


def test_rates_add_up_to_epsilon_whatever_the_cell() -> None:
    for exponent in (0, 7, 30):
        assert cell_rate(Fraction(1, 3), exponent) * SENSITIVITY * 2**exponent == Fraction(1, 3)
    assert JointDegrees(epsilon=Fraction(1, 3)).guarantee.epsilon == Fraction(1, 3)


def test_the_band_covers_all_cells_as_often_as_it_says() -> None:
    graph, noise, runs = skewed_graph(100, 600, seed=3), SeededNoise(3), 100
    truth = soft_cells(graph)
    hits = 0
    for _ in range(runs):
        low, high = run(JointDegrees(epsilon=Fraction(1)), graph, noise).accuracy.interval(0.8)
        hits += bool(np.all(np.array(low) <= truth) and np.all(truth <= np.array(high)))
    assert least_successes(runs, 0.8) <= hits < runs


def test_system_noise_and_forecast() -> None:
    query = JointDegrees(epsilon=Fraction(1))
    value = run(query, skewed_graph(100, 300, seed=4), SystemNoise()).value
    assert len(value) == (last_exponent(100) + 1) * (last_exponent(100) + 2) // 2
    assert query.forecast(PublicFacts(n_nodes=100)).std == pytest.approx(9 * np.sqrt(2), rel=1e-3)
