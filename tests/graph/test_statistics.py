"""Every exact statistic against networkx and igraph on drawn graphs, and the definitions where those two differ."""

from collections import Counter
from itertools import combinations
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from small_graphs import graphs, to_igraph, to_networkx

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import exact_average_clustering, exact_local_clustering, exact_transitivity
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_core_numbers, exact_degeneracy
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.statistics.degrees import exact_assortativity, exact_degree_products, exact_k_stars
from graphveil.graph.statistics.dk_series import exact_3k
from graphveil.graph.statistics.triangles import exact_triangles, exact_triangles_per_node, triangles_of_edges


@given(graphs())
def test_triangles(graph):
    per_node = exact_triangles_per_node(graph)
    assert per_node.tolist() == list(nx.triangles(to_networkx(graph)).values())
    assert exact_triangles(graph) == len(to_igraph(graph).list_triangles())
    u, v = graph.edges().T
    for degrees in (graph.degrees, np.arange(graph.n_nodes) % 3):  # whatever says which nodes come first
        assert triangles_of_edges(u, v, degrees).tolist() == per_node.tolist()


@given(graphs())
def test_clustering(graph):
    local = exact_local_clustering(graph)
    other = to_networkx(graph)
    assert local.tolist() == pytest.approx(list(nx.clustering(other).values()))
    assert local.tolist() == pytest.approx(to_igraph(graph).transitivity_local_undirected(mode="zero"))
    assert exact_average_clustering(graph) == pytest.approx(nx.average_clustering(other) if graph.n_nodes else 0)
    assert exact_transitivity(graph) == pytest.approx(nx.transitivity(other))
    assert exact_transitivity(graph) == pytest.approx(to_igraph(graph).transitivity_undirected(mode="zero"))


@given(graphs())
def test_stars(graph):
    for k in range(1, 5):
        assert exact_k_stars(graph, k) == sum(comb(degree, k) for _, degree in to_networkx(graph).degree())


def test_stars_do_not_overflow():
    n_leaves = 100_000
    hub = Graph.from_edges(np.stack([np.zeros(n_leaves, dtype=np.int64), np.arange(1, n_leaves + 1)], axis=1))
    assert exact_k_stars(hub, 6) == comb(n_leaves, 6) > 2**63
    with pytest.raises(ParameterError, match="k is 0"):
        exact_k_stars(hub, 0)


@given(graphs())
def test_assortativity(graph):
    value = exact_assortativity(graph)
    expected = to_igraph(graph).assortativity_degree(directed=False)
    ends = {degree for _, degree in to_networkx(graph).degree() if degree}
    if len(ends) > 1:
        assert value == pytest.approx(expected)
        assert value == pytest.approx(nx.degree_assortativity_coefficient(to_networkx(graph)))
    else:
        assert value == 0.0, "undefined: all edge ends have the same degree"


def test_assortativity_does_not_overflow():
    n_leaves = 2_200_000  # the cube of the hub's degree passes 2^63
    hub = Graph.from_edges(np.stack([np.zeros(n_leaves, dtype=np.int64), np.arange(1, n_leaves + 1)], axis=1))
    assert exact_assortativity(hub) == -1.0
    assert exact_degree_products(hub) == n_leaves**2


@given(graphs())
def test_components(graph):
    components = exact_components(graph)
    expected = sorted(map(sorted, nx.connected_components(to_networkx(graph))))
    found = [np.flatnonzero(components.labels == c).tolist() for c in range(components.count)]
    assert found == expected
    assert components.sizes.tolist() == [len(part) for part in expected]
    assert components.count == len(to_igraph(graph).connected_components())
    assert components.largest == max(map(len, expected), default=0)


@given(graphs())
def test_cores(graph):
    cores = exact_core_numbers(graph)
    assert cores.tolist() == list(nx.core_number(to_networkx(graph)).values())
    assert cores.tolist() == to_igraph(graph).coreness()
    assert exact_degeneracy(graph) == max(cores, default=0)


@given(graphs())
def test_joint_degrees(graph):
    table = exact_joint_degrees(graph)
    expected = nx.degree_mixing_dict(to_networkx(graph))
    # networkx meets every edge from both ends
    assert table.to_dict() == {
        (low, high): count // (2 if low == high else 1)
        for low, row in expected.items()
        for high, count in row.items()
        if low <= high
    }
    assert table.total == graph.n_edges


@given(graphs(max_nodes=9))
def test_degree_triples(graph):
    other = to_networkx(graph)
    degree = dict(other.degree())
    wedges, triangles = Counter(), Counter()
    for centre in other:
        for a, b in combinations(other[centre], 2):
            if not other.has_edge(a, b):
                low, high = sorted((degree[a], degree[b]))
                wedges[low, degree[centre], high] += 1
    for trio in to_igraph(graph).list_triangles():
        triangles[tuple(sorted(degree[node] for node in trio))] += 1
    found = exact_3k(graph)
    assert found.wedges.to_dict() == wedges
    assert found.triangles.to_dict() == triangles
    for table in (found.wedges, found.triangles):
        assert list(table.to_dict()) == sorted(table.to_dict())


def test_degree_tables_join_repeated_rows_and_compare_by_content():
    table = DegreeTable.from_rows([[2, 3], [1, 3], [2, 3], [4, 4]], [1, 5, 1, 0])
    assert table.to_dict() == {(1, 3): 5, (2, 3): 2}
    assert table == DegreeTable.from_rows([[1, 3], [2, 3]], [5, 2])
    assert table != DegreeTable.from_rows([[1, 3], [2, 3]], [5, 3])
    assert len(table) == 2
    with pytest.raises(ParameterError, match="one row of degrees per count"):
        DegreeTable(np.array([[1, 2]]), np.array([1, 2]))
