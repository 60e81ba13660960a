"""The order in which people stand in a graph must not show in anything that is released."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.interop import from_networkx
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import Job, rows
from graphveil.release.session import Session

NAMES = np.array(["zoe", "ann", "mia", "bob", "lea", "cem", "kim", "dan"])
EDGES = [(0, 1), (3, 5), (0, 3), (1, 5), (2, 7), (4, 6), (2, 4)]


def graphs() -> list[Graph]:
    """The same people and edges in three orders."""
    orders = [np.arange(8), np.argsort(NAMES), np.array([5, 2, 7, 0, 1, 6, 4, 3])]
    numbers = [np.argsort(order) for order in orders]
    return [
        Graph.from_edges(number[np.array(EDGES)], n_nodes=8, labels=NAMES[order])
        for order, number in zip(orders, numbers, strict=True)
    ]


@pytest.mark.parametrize("query", ["adjacency", "top-people", "most-connected"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 5), Fraction(5)])
def test_what_names_people_does_not_depend_on_their_order(query: str, epsilon: Fraction) -> None:
    answers = [
        Session(graph, unit="edge", budget=10, noise=SeededNoise(3))
        .release(query, epsilon=epsilon, accept_noise=True)
        .value
        for graph in graphs()
    ]
    assert answers[1:] == answers[:1] * 2


@pytest.mark.parametrize("method", [method.name for method in rows(Job.SYNTHESIZE) if not method.refuted])
def test_neither_do_synthetic_graphs(method: str) -> None:
    def drawn(graph: Graph) -> Graph:
        session = Session(graph, unit="edge", budget=10, noise=SeededNoise(4))
        return session.synthesize(method, epsilon=5).sample(seed=1)

    first, *others = [drawn(graph) for graph in graphs()]
    for other in others:
        assert other == first


def test_networkx_lists_people_as_edges_name_them(tmp_path) -> None:
    """With z-a first, z comes first; without it b does: the pair of both must not be turned round by that."""
    edges = [("z", "a"), ("b", "c"), ("z", "b"), ("a", "c")]
    seen = []
    for kept in (edges, edges[1:]):
        nx.write_graphml(nx.Graph(kept), tmp_path / "g.graphml")
        for graph in (from_networkx(nx.Graph(kept)), read_graph(tmp_path / "g.graphml")):
            pairs = Session(graph, unit="edge", budget=1000, accept_weak=True).adjacency(epsilon=900).value
            assert all(first < second for first, second in pairs)
            assert list(pairs) == sorted(pairs)
            seen.append([pair for pair in pairs if pair != ("a", "z")])
    assert seen[1:] == seen[:1] * 3


def test_partitions_follow_the_graph_as_it_was_given() -> None:
    cliques = [(first + i, first + j) for first in (0, 6) for i in range(6) for j in range(i)]
    names = np.array([f"p{number:02}" for number in range(12)])[::-1].copy()
    names[[0, 7]] = names[[7, 0]]
    graph = Graph.from_edges(cliques, labels=names)
    right, wrong = (0,) * 6 + (1,) * 6, (0, 1) * 6
    session = Session(graph, unit="edge", budget=100, accept_weak=True)
    assert session.best_partition(epsilon=50, partitions=(wrong, right)).value == 1
    assert session.best_partition(epsilon=50, partitions=(right, wrong)).value == 0


@pytest.mark.parametrize("partitions", [5, [1, 2, 3], [None]])
def test_candidates_that_are_none_are_refused_in_any_order(partitions: object) -> None:
    for graph in graphs():
        session = Session(graph, unit="edge", budget=10)
        with pytest.raises(ParameterError, match="partitions must be"):
            session.best_partition(epsilon=1, partitions=partitions)
        assert session.spent == (0, 0)


def test_a_repeated_request_is_known_whatever_the_order(tmp_path) -> None:
    answers = []
    for graph in graphs():
        groups = tuple(int(name < "k") for name in graph.labels.tolist())
        session = Session(graph, unit="edge", budget=10, ledger=tmp_path / "ledger")
        answers.append(session.best_partition(epsilon=1, partitions=(groups, (0,) * 8), request_id="once").value)
        assert session.spent == (1, 0)
    assert len(set(answers)) == 1
