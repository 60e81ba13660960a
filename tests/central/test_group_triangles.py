"""Triangles between groups: what one edge moves, over all graphs of five people, and what is answered."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.group_triangles import GroupTriangles
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.group_triangles import exact_group_triangles, kinds_of, most_common_by_group
from graphveil.mechanisms.measurement import draw, total_loss
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

PAIRS = list(combinations(range(5), 2))
STEPS = 5


def column_of(groups: list[int]) -> PeopleColumn:
    table = {"person": list(range(len(groups))), "team": [f"t{group}" for group in groups]}
    return PeopleColumn.from_columns(table, attribute="team", public=True)


def by_listing(graph: Graph, groups: list[int], n_groups: int) -> list[int]:
    edges = {tuple(edge) for edge in graph.edges().tolist()}
    closed = [three for three in combinations(range(graph.n_nodes), 3) if set(combinations(three, 2)) <= edges]
    found = [tuple(sorted(groups[person] for person in three)) for three in closed]
    return [found.count(kind) for kind in kinds_of(n_groups)]


@pytest.mark.parametrize("groups", [[0, 0, 1, 1, 1], [0, 1, 2, 0, 1], [0, 0, 0, 0, 0]])
def test_an_edge_moves_as_many_kinds_as_there_are_groups_by_no_more_than_their_ladders(groups):
    """(a) and (b) of `statistics.ladder.ladder` for every kind, on all 1,024 graphs; other kinds stay."""
    n_groups = len(set(groups))
    query = GroupTriangles(epsilon=Fraction(1), column=column_of(groups))
    exact, ladders, bounds = [], [], []
    for code in range(2 ** len(PAIRS)):
        graph = Graph.from_edges([pair for i, pair in enumerate(PAIRS) if code >> i & 1], n_nodes=5)
        kinds, bound = query.measure(graph)
        assert kinds.at_once == n_groups
        assert list(kinds.exact) == by_listing(graph, groups, n_groups)
        exact.append(kinds.exact)
        ladders.append([rungs.ladder.first(STEPS) for rungs in kinds.rungs])
        bounds.append(bound.exact)
    exact, ladders, bounds = np.array(exact), np.array(ladders), np.array(bounds)
    codes, most_moved, tight = np.arange(len(exact)), 0, False
    for edge in range(len(PAIRS)):
        other = codes ^ (1 << edge)
        change = np.abs(exact[other] - exact)
        assert (change <= ladders[:, :, 0]).all()
        assert (ladders[other][:, :, :-1] <= ladders[:, :, 1:]).all()
        assert np.abs(bounds[other] - bounds).max() == 1
        moved = (change > 0) | (ladders[other] != ladders).any(axis=2)
        most_moved = max(most_moved, int(moved.sum(axis=1).max()))
        tight |= bool(((change == ladders[:, :, 0]) & (change > 0)).any())
    assert most_moved <= n_groups
    assert tight


def test_counts_and_bounds_are_those_of_listing_on_larger_graphs():
    rng = np.random.default_rng(2)
    for _ in range(10):
        graph = Graph.from_edges(rng.integers(0, 15, (60, 2)), n_nodes=15)
        groups = rng.integers(0, 3, 15)
        assert exact_group_triangles(graph, groups, 3).tolist() == by_listing(graph, groups.tolist(), 3)
        linked = np.zeros((15, 15), dtype=bool)
        linked[tuple(graph.edges().T)] = True
        linked |= linked.T
        most = dict.fromkeys(kinds_of(3), 0)
        for u, v in combinations(range(15), 2):
            for third in range(3):
                common = int((linked[u] & linked[v] & (groups == third)).sum())
                kind = tuple(sorted((int(groups[u]), int(groups[v]), third)))
                most[kind] = max(most[kind], common)
        assert most_common_by_group(graph, groups, 3).tolist() == list(most.values())


def test_what_is_drawn_costs_epsilon_and_intervals_hold_at_once():
    """60 draws of 95 % intervals: a correct program fails with probability below 1e-6 beyond 16 misses."""
    rng = np.random.default_rng(4)
    groups = rng.integers(0, 2, 60).tolist()
    graph = Graph.from_edges(rng.integers(0, 60, (700, 2)), n_nodes=60)
    query = GroupTriangles(epsilon=Fraction(2), column=column_of(groups))
    measured = query.measure(graph)
    assert total_loss(measured).epsilon == 2
    truth, missed = np.array(by_listing(graph, groups, 2)), 0
    for seed in range(60):
        answer = query.conclude(draw(measured, SeededNoise(seed)), PublicFacts(60, labels=np.arange(60)))
        low, high = (np.array(end) for end in answer.accuracy.interval(0.95))
        missed += not ((low <= truth) & (truth <= high)).all()
    assert missed <= 16
    assert answer.derived["labels"] == ("t0 - t0 - t0", "t0 - t0 - t1", "t0 - t1 - t1", "t1 - t1 - t1")


def test_a_session_answers_and_many_groups_are_refused():
    graph = Graph.from_edges([(0, 1), (1, 2), (0, 2)], n_nodes=30)
    session = Session(graph, unit="edge", budget=300, accept_weak=True)
    teams = {"person": list(range(30)), "team": ["a", "b"] * 15, "house": [f"h{i % 11}" for i in range(30)]}
    found = session.group_triangles(epsilon=99, people=teams, attribute="team", accept_noise=True)
    assert found.value == (0, 1, 0, 0)
    with pytest.raises(ParameterError, match="house makes 11; at most 10 are allowed"):
        session.group_triangles(epsilon=1, people=teams, attribute="house")
