"""Generators that must hit a whole sequence or table exactly."""

from itertools import combinations_with_replacement

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import all_edge_sets, graphs, to_networkx

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate import degrees as generate_degrees
from graphveil.graph.generate.degrees import configuration, is_graphical
from graphveil.graph.generate.joint_degrees import joint_degree_graph, people_by_degree
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.pairs import add_pair, discard_pair, has_pair, new_pair_set
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees

drawn = settings(deadline=None, max_examples=80)


@drawn
@given(st.lists(st.integers(-1, 8), max_size=9))
def test_graphical_sequences(degrees):
    assert is_graphical(degrees) == nx.is_graphical(degrees)


@drawn
@given(graphs(), st.integers(0, 9))
def test_configuration_has_exactly_the_degrees(graph, seed):
    assert configuration(graph.degrees, seed=seed).degrees.tolist() == graph.degrees.tolist()


@pytest.mark.parametrize("n_hubs", [1, 3, 40])
def test_configuration_reaches_sequences_with_a_single_realisation(n_hubs):
    """Hubs joined to everybody: repairs get stuck here, the constructed graph does not."""
    n = 50
    degrees = [n - 1] * n_hubs + [n_hubs] * (n - n_hubs)
    assert configuration(degrees, seed=0).degrees.tolist() == degrees


@drawn
@given(graphs(), st.integers(0, 9))
def test_constructed_and_shuffled_graphs_have_exactly_the_degrees(graph, seed):
    order = np.argsort(-graph.degrees)
    edges = generate_degrees._havel_hakimi(graph.degrees, order)
    assert Graph.from_edges(edges, n_nodes=graph.n_nodes).degrees.tolist() == graph.degrees.tolist()
    rng = np.random.default_rng(seed)
    generate_degrees._shuffle(rng, edges, new_pair_set(len(edges)), 10 * len(edges))
    assert Graph.from_edges(edges, n_nodes=graph.n_nodes).degrees.tolist() == graph.degrees.tolist()


def test_configuration_forgets_the_triangles_and_meets_every_realisation():
    social = power_law_cluster(1000, 5, 0.9, seed=0)
    shuffled = configuration(social.degrees, seed=0)
    assert exact_average_clustering(shuffled) < exact_average_clustering(social) / 3
    squares = {tuple(map(tuple, configuration([2, 2, 2, 2], seed=seed).edges().tolist())) for seed in range(60)}
    assert len(squares) == 3


def test_configuration_refuses_what_no_graph_has():
    for degrees in ([3, 1], [1], [4, 4, 1, 1], [[1, 1]]):
        with pytest.raises(ParameterError, match="no simple graph has these degrees"):
            configuration(degrees, seed=0)


@drawn
@given(graphs(), st.integers(0, 9))
def test_joint_degrees_are_met_exactly(graph, seed):
    table = exact_joint_degrees(graph)
    isolated = int(np.sum(graph.degrees == 0))
    made = joint_degree_graph(table, isolated=isolated, seed=seed)
    assert exact_joint_degrees(made) == table
    assert sorted(made.degrees) == sorted(graph.degrees)


def test_joint_degrees_of_a_social_graph_and_its_complement_are_met_exactly():
    social = power_law_cluster(300, 6, 0.8, seed=1)
    dense = nx.complement(to_networkx(power_law_cluster(60, 5, 0.5, seed=1)))
    for graph in (social, Graph.from_edges(np.array(dense.edges()), n_nodes=60)):
        table = exact_joint_degrees(graph)
        made = joint_degree_graph(table, seed=7)
        assert exact_joint_degrees(made) == table
        assert made != graph
        assert made == joint_degree_graph(table, seed=7)
        assert made != joint_degree_graph(table, seed=8)


@pytest.mark.needs_data
def test_joint_degrees_of_a_real_graph_are_met_exactly(real_graph):
    table = exact_joint_degrees(real_graph("ego-Facebook"))
    assert exact_joint_degrees(joint_degree_graph(table, seed=0)) == table


def test_realisable_tables_are_those_of_graphs():
    """All tables over degrees 1..4 with at most 5 people and small counts, against all graphs on 5 people."""
    possible = set()
    for edges in all_edge_sets(range(5)):
        table = exact_joint_degrees(Graph.from_edges([tuple(edge) for edge in edges] or [], n_nodes=5))
        possible.add(frozenset(table.to_dict().items()))
    cells = list(combinations_with_replacement(range(1, 5), 2))
    rng = np.random.default_rng(0)
    accepted = 0
    for _ in range(4000):
        counts = rng.integers(0, 7, len(cells)) * (rng.random(len(cells)) < 0.3)
        table = DegreeTable.from_rows(cells, counts)
        try:
            people = people_by_degree(table)
        except ParameterError:
            assert frozenset(table.to_dict().items()) not in possible
            continue
        if sum(people.values()) <= 5:
            accepted += 1
            assert frozenset(table.to_dict().items()) in possible
    assert accepted > 20


@pytest.mark.parametrize(
    ("degrees", "counts", "reason"),
    [
        ([[2, 3]], [3], "3 edge ends at degree 2"),
        ([[1, 1], [4, 4]], [1, 4], "4 edges between degrees 4 and 4, which have 1 pairs"),
        ([[3, 3]], [3], "3 edges between degrees 3 and 3, which have 1 pairs"),
        ([[2, 1]], [2], "the smaller one first"),
        ([[0, 1]], [2], "at least 1"),
        ([[1, 2]], [-2], "at least 0"),
        ([[1, 2, 3]], [1], "rows of two degrees"),
    ],
)
def test_unrealisable_tables_are_refused_with_the_reason(degrees, counts, reason):
    with pytest.raises(ParameterError, match=reason):
        joint_degree_graph(DegreeTable.from_rows(degrees, counts), seed=0)
    with pytest.raises(ParameterError, match="isolated is -1"):
        joint_degree_graph(DegreeTable.from_rows([[1, 1]], [1]), isolated=-1, seed=0)


@drawn
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 6)), max_size=60))
def test_the_pair_set_is_a_set(steps):
    """The table is as small as it may be, so runs of full slots wrap around its end."""
    table, reference = new_pair_set(28), set()
    for add, u, v in steps:
        pair = frozenset((u, v))
        if add:
            add_pair(table, u, v)
            reference.add(pair)
        else:
            discard_pair(table, u, v)
            reference.discard(pair)
        assert has_pair(table, v, u) == (pair in reference)
    for u in range(7):
        for v in range(7):
            assert has_pair(table, u, v) == (frozenset((u, v)) in reference)
