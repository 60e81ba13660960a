"""Triangles and transitivity under node privacy: the ladder by brute force, exact loss, bands."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import least_successes, node_neighbours, skewed_graph

from graphveil.central.node.ladder import TRIANGLES, TWO_STARS, Shares, TruncatedCount, Truncation
from graphveil.central.node.transitivity import NodeTransitivity
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_first_edges
from graphveil.graph.statistics.degrees import exact_h_index
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run
from graphveil.statistics.ladder.ladder import SmoothedLadder

ONE = Fraction(1)
COUNTS = [TRIANGLES, TWO_STARS]
ids = ["triangles", "2-stars"]


def clustered_graph(n_people: int, seed: int) -> Graph:
    """Overlapping groups of friends, so that there are triangles."""
    rng = np.random.default_rng(seed)
    groups = [rng.choice(n_people, size=12, replace=False) for _ in range(n_people // 3)]
    return Graph.from_edges([(u, v) for group in groups for u in group for v in group if u < v], n_nodes=n_people)


@pytest.mark.parametrize("bound", [2, 3])
@pytest.mark.parametrize("count", COUNTS, ids=ids)
def test_it_is_a_ladder_function_on_all_small_graphs(count: TruncatedCount, bound: int) -> None:
    pairs = node_neighbours(5)
    graphs = {id(graph): graph for pair in pairs for graph in pair}.values()
    value = {id(graph): count.exact(project_first_edges(graph, bound)) for graph in graphs}
    steps = {id(graph): count.ladder(graph, bound).first(12) for graph in graphs}
    for less, more in pairs:
        change = abs(value[id(less)] - value[id(more)])
        for one, other in ((less, more), (more, less)):
            assert change <= steps[id(one)][0]  # (a)
            assert np.all(steps[id(other)][:-1] <= steps[id(one)][1:])  # (b)
    assert all(np.all(np.diff(ladder) >= 0) for ladder in steps.values())


@pytest.mark.parametrize("count", COUNTS, ids=ids)
def test_the_exact_loss_stays_below_epsilon_on_all_small_graphs(count: TruncatedCount) -> None:
    """Probabilities of all outcomes near the counts, for graphs that lose one person; a third of the pairs."""
    pairs, epsilon, bound = node_neighbours(5)[::3], ONE, 2
    laws: dict[tuple[int, bytes], np.ndarray] = {}

    def log_law(graph: Graph) -> np.ndarray:
        middle, ladder = count.exact(project_first_edges(graph, bound)), count.ladder(graph, bound)
        key = (middle, ladder.steps.tobytes())
        if key not in laws:
            law = SmoothedLadder(ladder, epsilon, Fraction(1, 10))
            reach = law.reach(400).astype(np.float64)
            sizes = np.concatenate(([2 * reach[0] + 1], 2 * np.diff(reach)))
            total = math.log((sizes * np.exp(-float(law.rate) * np.arange(400))).sum())
            rung = np.searchsorted(reach, np.abs(np.arange(-60, 61) - middle))
            laws[key] = -float(law.rate) * rung - total
        return laws[key]

    worst = max(float(np.abs(log_law(less) - log_law(more)).max()) for less, more in pairs)
    assert 0.4 < worst < float(epsilon)


@pytest.mark.parametrize("count", COUNTS, ids=ids)
def test_public_laws_are_nowhere_below_the_private_ladder(count: TruncatedCount) -> None:
    for seed in range(5):
        graph = skewed_graph(80, 500, seed=seed)
        h_index = exact_h_index(graph.degrees)
        for bound in (5, h_index, 2 * h_index):
            truncation = Truncation(bound, h_index, graph.n_nodes, Shares.of(ONE))
            above = truncation.law(count, ONE, None).ladder.first(3 * bound)
            assert np.all(count.ladder(graph, bound).first(3 * bound) <= above)


@pytest.mark.parametrize("epsilon", [Fraction(3, 10), ONE, Fraction(4)])
def test_the_parts_cost_exactly_epsilon(epsilon: Fraction) -> None:
    graph = clustered_graph(90, seed=1)
    for query in (NodeTriangles(epsilon=epsilon), NodeTransitivity(epsilon=epsilon, max_degree=40)):
        answer = run(query, graph, SystemNoise())
        assert sum(stage.epsilon for stage in answer.stages) == epsilon == query.guarantee.epsilon


def test_with_much_budget_the_counts_are_found() -> None:
    graph = clustered_graph(200, seed=2)
    top = int(graph.degrees.max())
    exact = exact_triangles(graph)
    value = run(NodeTriangles(epsilon=Fraction(200), max_degree=top), graph, SeededNoise(2)).value
    assert value == pytest.approx(exact, rel=0.1)
    wedges = float((graph.degrees * (graph.degrees - 1) / 2).sum())
    value = run(NodeTransitivity(epsilon=Fraction(200), max_degree=top), graph, SeededNoise(2)).value
    assert value == pytest.approx(3 * exact / wedges, rel=0.1)


def test_the_lower_end_holds_as_often_as_it_says() -> None:
    graph, noise, runs = clustered_graph(300, seed=3), SeededNoise(3), 60
    exact, query = exact_triangles(graph), NodeTriangles(epsilon=Fraction(2), max_degree=int(graph.degrees.max()))
    intervals = [run(query, graph, noise).accuracy.interval(0.8) for _ in range(runs)]
    assert sum(low <= exact for low, _ in intervals) >= least_successes(runs, 0.8)
    assert {high for _, high in intervals} == {math.inf}


def test_the_band_of_transitivity_speaks_of_the_truncated_graph_and_covers_it() -> None:
    graph, noise, runs = clustered_graph(300, seed=4), SeededNoise(4), 40
    query = NodeTransitivity(epsilon=Fraction(3), max_degree=20)
    cut = project_first_edges(graph, 20)
    exact = 3 * exact_triangles(cut) / float((cut.degrees * (cut.degrees - 1) / 2).sum())
    answers = [run(query, graph, noise) for _ in range(runs)]
    hits = sum(low <= exact <= high for low, high in (answer.accuracy.interval(0.8) for answer in answers))
    assert hits >= least_successes(runs, 0.8)
    assert "first 20 edges" in answers[0].accuracy.scope


@pytest.mark.parametrize("query", [NodeTriangles, NodeTransitivity])
def test_refuses_a_bound_that_leaves_no_pair_of_edges(query) -> None:
    with pytest.raises(ParameterError, match="max_degree must be at least 2, not 1"):
        query(epsilon=ONE, max_degree=1)
    with pytest.raises(ParameterError, match="max_degree must be at most 1,000,000 for"):
        query(epsilon=ONE, max_degree=2_000_000)


@pytest.mark.parametrize("query", [NodeTriangles, NodeTransitivity])
def test_forecasts_improve_with_epsilon(query) -> None:
    facts = PublicFacts(n_nodes=5000)
    assert query(epsilon=Fraction(2)).forecast(facts).std < query(epsilon=ONE).forecast(facts).std
    assert query(epsilon=Fraction(2)).forecast(facts).bands[0].below < query(epsilon=ONE).forecast(facts).bands[0].below


def test_a_bound_near_the_h_index_is_said_to_leave_a_poor_lower_end() -> None:
    """The h-index of this graph is 20 or so; nothing but noisy values decides."""
    graph = skewed_graph(300, 2000, seed=3)
    near, far = (NodeTriangles(epsilon=Fraction(2), max_degree=bound) for bound in (30, 200))
    accuracy = run(near, graph, SeededNoise(1)).accuracy
    assert accuracy.interval(0.95)[0] == 0
    assert "says little, as the h-index may be" in accuracy.scope
    assert "says little" not in run(far, graph, SeededNoise(1)).accuracy.scope
