"""Queries about directions: what one arc changes, over all directed graphs of four people, and what is answered."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from graphveil.central.directed.degree_histograms import InDegreeHistogram, OutDegreeHistogram
from graphveil.central.directed.dyads import Dyads, pair_counts
from graphveil.central.directed.reciprocity import Reciprocity
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.release.session import Session

ARCS = list(permutations(range(4), 2))
LOUD = Fraction(400)


def every_directed_graph() -> list[DirectedGraph]:
    """All 4,096 of four people; the bits of a graph's place say which arcs it has."""
    return [
        DirectedGraph.from_arcs([arc for i, arc in enumerate(ARCS) if code >> i & 1], n_nodes=4)
        for code in range(2 ** len(ARCS))
    ]


def largest_changes(values: np.ndarray) -> tuple[int, int]:
    """The largest change in total by one arc, and by everything between two people at once."""
    changed = [values.take(np.arange(len(values)) ^ (1 << i), axis=0) - values for i in range(len(ARCS))]
    back = [ARCS.index((v, u)) for u, v in ARCS]
    both = [
        values.take(np.arange(len(values)) ^ (1 << i | 1 << j), axis=0) - values for i, j in enumerate(back) if i < j
    ]
    return tuple(int(np.max(np.abs(part).sum(axis=2))) for part in (np.array(changed), np.array(both)))  # type: ignore[return-value]


@pytest.fixture(scope="module")
def graphs() -> list[DirectedGraph]:
    return every_directed_graph()


def boxes(degrees: np.ndarray) -> np.ndarray:
    """The number of people of at least each degree: what tiles add up."""
    return np.array([(degrees >= d).sum() for d in range(1, 4)])


def test_an_arc_changes_the_pairs_by_one_and_both_directions_by_two(graphs):
    assert largest_changes(np.array([pair_counts(graph) for graph in graphs])) == (1, 2)


def test_mutual_and_one_way_pairs_would_change_by_two(graphs):
    counts = np.array([pair_counts(graph) for graph in graphs])
    assert largest_changes(np.column_stack((counts[:, 0], counts[:, 1] - counts[:, 0])))[0] == 2


@pytest.mark.parametrize("query", [InDegreeHistogram, OutDegreeHistogram])
def test_an_arc_changes_either_list_of_degrees_by_one(graphs, query):
    own = query(epsilon=Fraction(1))
    changes = largest_changes(np.array([boxes(own.degrees(graph)) for graph in graphs]))
    assert changes == (own.sensitivity, 2 * own.sensitivity)
    assert own.measure(graphs[7])[0].rate == own.epsilon / own.sensitivity
    assert own.guarantee.relationship_epsilon == 2 * own.epsilon


def test_answers_without_noise_to_speak_of_are_exact(graphs):
    for graph in graphs[::97]:
        mutual, connected = pair_counts(graph).tolist()
        assert run(Dyads(epsilon=LOUD), graph, SeededNoise(1)).value == (mutual, connected - mutual, 6 - connected)
        arcs = len(graph.arcs)
        assert run(Reciprocity(epsilon=LOUD), graph, SeededNoise(1)).value == (2 * mutual / arcs if arcs else 0)
        histogram = np.rint(run(InDegreeHistogram(epsilon=LOUD), graph, SeededNoise(1)).value)
        np.testing.assert_array_equal(np.trim_zeros(histogram, "b"), np.bincount(graph.in_degrees))


def test_a_session_asks_for_directions_and_folds_them_for_other_queries():
    arcs = [(0, 1), (1, 0), (1, 2)]
    plain = Session(Graph.from_edges(arcs), unit="edge", budget=100, accept_weak=True)
    with pytest.raises(ParameterError, match=r"reciprocity needs directions: read the graph with directed=True"):
        plain.reciprocity(epsilon=100)
    assert plain.left[0] == 100
    session = Session(DirectedGraph.from_arcs(arcs), unit="edge", budget=200, accept_weak=True)
    assert session.reciprocity(epsilon=100).value == 2 / 3
    assert session.edges(epsilon=100).value == 2


def test_people_out_of_the_order_of_their_names_keep_their_arcs():
    names = np.array(["cem", "ann", "bob"])
    session = Session(
        DirectedGraph.from_arcs([(0, 1), (0, 2)], labels=names), unit="edge", budget=400, accept_weak=True
    )
    assert [round(x) for x in session.out_degree_histogram(epsilon=200).value][:3] == [2, 0, 1]
    assert [round(x) for x in session.in_degree_histogram(epsilon=200).value][:2] == [1, 2]


def test_the_same_edges_with_other_directions_are_another_graph(tmp_path):
    ledger = tmp_path / "a.ledger"
    one, other = DirectedGraph.from_arcs([(0, 1), (1, 2)]), DirectedGraph.from_arcs([(1, 0), (1, 2)])
    for graph, left in ((one, 9), (one, 9), (other, 8)):
        session = Session(graph, unit="edge", budget=10, ledger=ledger)
        session.dyads(epsilon=1, accept_noise=True)
        assert session.left[0] == left


@pytest.mark.parametrize("epsilon", ["0.3", "2"])
def test_the_interval_of_reciprocity_holds(epsilon):
    """A bound that holds with probability .95 is missed in more than 40 of 300 draws once in a million times."""
    rng = np.random.default_rng(5)
    arcs = rng.integers(0, 60, (500, 2))
    graph = DirectedGraph.from_arcs(np.vstack((arcs, arcs[:150, ::-1])), n_nodes=60)
    mutual, connected = pair_counts(graph).tolist()
    truth, noise = 2 * mutual / (mutual + connected), SeededNoise(8)
    query = Reciprocity(epsilon=Fraction(epsilon))
    ends = [run(query, graph, noise).accuracy.interval(0.95) for _ in range(300)]
    assert sum(not low <= truth <= high for low, high in ends) <= 40
